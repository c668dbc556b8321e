import { Misuse, type Instant, type Random } from "../core/index.ts";
import { CloseCode } from "./close-code.ts";
import { Compression } from "./compression.ts";
import type { Event, Side } from "./contract.ts";
import { ControlBudget } from "./control-budget.ts";
import type { DeflateOptions } from "./deflate.ts";
import { Farewell } from "./farewell.ts";
import { fault, type Fault, type FaultName } from "./faults.ts";
import { Opcode } from "./frame.ts";
import { FrameReader } from "./frame-reader.ts";
import { FrameWriter, type FragmentedMessage } from "./frame-writer.ts";
import type { Limits } from "./limits.ts";
import { MaskKeys } from "./mask-keys.ts";
import { MessageReader, type Delivery } from "./message.ts";
import { DROPPED, Input, MISUSE, State, step } from "./state.ts";
import { WaitClock } from "./wait-clock.ts";

/** How an endpoint is set up. */
export type Setup = {
  readonly side: Side;
  readonly limits: Limits;
  readonly delivery: Delivery;
  readonly deflate: DeflateOptions | undefined;
  readonly random: Random | undefined;
};

const NO_EVENTS: readonly Event[] = [];

/**
 * One end of a connection (rfc6455#1.2), and the moves that receiving and sending share: reporting events, answering pings and the peer's
 * Close, failing, and ending. `receive.ts` reads what arrives; `submit.ts` has a function for each action.
 */
export class Endpoint {
  readonly side: Side;
  readonly limits: Limits;
  readonly delivery: Delivery;
  readonly clock: WaitClock;
  readonly output: FrameWriter;
  readonly compression: Compression | undefined;
  #state: State = State.open;
  // Created when first used: connections that only send, or wait, are many.
  #reader: FrameReader | undefined;
  #controls: ControlBudget | undefined;
  #message: MessageReader | undefined;
  #fragments: FragmentedMessage | undefined;
  #isPaused = false;
  /** The owner waits for `writable`. */
  #isWaiting = false;
  /** Pongs that have not been taken, and the ping that is answered once they are. */
  #pongs = 0;
  #lastPing: Uint8Array | undefined;
  #farewell: Farewell | undefined;
  #events: Event[] | undefined;

  constructor({ side, limits, delivery, deflate, random }: Setup, now: Instant) {
    if (side === "client" && random === undefined) throw new Misuse("a client needs `random`: it masks every frame with a fresh key");
    this.side = side;
    this.limits = limits;
    this.delivery = delivery;
    this.clock = new WaitClock(now);
    this.output = new FrameWriter(side === "client" && random !== undefined ? new MaskKeys(random) : undefined);
    this.compression = deflate === undefined ? undefined : new Compression(deflate, side);
  }

  get state(): State {
    return this.#state;
  }
  get reader(): FrameReader {
    return (this.#reader ??= new FrameReader(this.side, this.compression !== undefined));
  }
  get controls(): ControlBudget {
    return (this.#controls ??= new ControlBudget(this.limits, this.clock.now));
  }
  /** The message that arrives in pieces. */
  get message(): MessageReader {
    return (this.#message ??= new MessageReader(this.delivery, this.limits.messageOctets, (event) => this.emit(event)));
  }
  /** Our message in fragments that is not complete. */
  get fragments(): FragmentedMessage | undefined {
    return this.#fragments;
  }
  set fragments(message: FragmentedMessage | undefined) {
    this.#fragments = message;
  }
  /** The owner wants nothing more for now. */
  get isPaused(): boolean {
    return this.#isPaused;
  }
  /** A Close goes after what the owner sends in reply to reported messages; nothing more is read. */
  get isCloseOwed(): boolean {
    return this.#farewell?.isOwed === true;
  }
  /** How far the end has come, from the first sign of it. */
  get farewell(): Farewell {
    return (this.#farewell ??= new Farewell(this.clock.now));
  }

  emit(event: Event): void {
    if (this.#events === undefined) this.#events = [event];
    else this.#events.push(event);
  }
  /** The events since the last call. */
  drain(): readonly Event[] {
    const events = this.#events;
    if (events === undefined) return NO_EVENTS;
    this.#events = undefined;
    return events;
  }

  pause(): void {
    this.#isPaused = true;
  }
  /** What actions began has begun by the time of this input. */
  settleWaits(): void {
    this.clock.settle();
    this.#farewell?.settle(this.clock.now);
  }
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.clock.hearPending();
  }

  // Output.

  /** False if the owner should wait for `writable`. */
  hasRoom(): boolean {
    if (this.output.length <= this.limits.highWater) return true;
    this.#isWaiting = true;
    return false;
  }
  take(): readonly Uint8Array[] {
    if (this.#pongs > 0) this.#settlePings();
    this.settleClose();
    const pieces = this.output.take();
    if (this.#isWaiting) {
      this.#isWaiting = false;
      if (this.#state === State.open) this.emit({ is: "writable" });
    }
    return pieces;
  }
  /** Answers a ping; once too many pongs wait to be taken, only the last ping is answered (rfc6455#5.5.3). */
  answerPing(payload: Uint8Array): void {
    if (this.#pongs < this.limits.pongs) {
      this.#pongs++;
      this.output.control(Opcode.pong, payload);
    } else this.#lastPing = payload;
  }
  #settlePings(): void {
    this.#pongs = 0;
    const payload = this.#lastPing;
    if (payload === undefined) return;
    this.#lastPing = undefined;
    if (step(this.#state, Input["send pong"]) >= 0) this.output.control(Opcode.pong, payload);
  }

  // The closing handshake.

  /** Sends our Close, after the pongs that are owed. */
  sendClose(code: number | undefined, reason: string): void {
    this.#settlePings();
    this.output.close(code, reason);
    this.#move(Input["send close"]);
    this.farewell.waitPending(this.clock.now);
  }
  /** The peer's Close has arrived. */
  receiveClose(code: number, reason: string): void {
    const { farewell } = this;
    farewell.code = code;
    farewell.reason = reason;
    farewell.wait(this.clock.now);
    // The owner's replies to the messages before it may go first (rfc6455#5.5.1).
    farewell.isCloseOwed = this.#expectsReplies;
    this.emit({ is: "closing", code, reason });
    if (!farewell.isCloseOwed) this.answerClose();
  }
  /** The owner has not seen all messages, and may still reply to them. */
  get #expectsReplies(): boolean {
    return this.#state === State.open && this.#events?.some(({ is }) => is === "message" || is === "fragment") === true;
  }
  /** Sends the Close that is owed. */
  payClose(): void {
    const farewell = this.#farewell;
    if (farewell === undefined) return;
    if (farewell.owedFault !== undefined) this.#failNow(farewell.owedFault);
    else if (farewell.isCloseOwed) this.answerClose();
  }
  /** Answers the peer's Close with its code, if we have not sent ours (rfc6455#5.5.1); a server's connection is then over. */
  answerClose(): void {
    const { farewell } = this;
    farewell.isCloseOwed = false;
    this.#settlePings();
    if (this.#state === State.open) this.output.close(farewell.code === CloseCode.noStatus ? undefined : farewell.code, "");
    this.#move(Input["receive close"]);
    // The server ends the transport at once, the client waits for that (rfc6455#7.1.1).
    if (this.side === "server") this.finish(Input.ended);
  }
  /** Sends the Close that is owed, unless the owner holds it back. */
  settleClose(): void {
    if (this.#farewell?.isHeld === false) this.payClose();
  }
  holdClose(): void {
    if (this.#farewell !== undefined) this.#farewell.isHeld = this.#farewell.isOwed;
  }
  releaseClose(): void {
    if (this.#farewell !== undefined) this.#farewell.isHeld = false;
  }

  // Ends.

  /** Fails the connection (rfc6455#7.1.7), after the owner's replies to the messages that arrived before the fault. */
  fail(name: FaultName): void {
    if (step(this.#state, Input.fail) < 0) return;
    const found = fault(name);
    if (!this.#expectsReplies) return this.#failNow(found);
    this.farewell.owedFault = found;
    this.farewell.wait(this.clock.now);
  }
  /** A Close tells the peer why, if it may still read one. */
  #failNow(found: Fault): void {
    // After a Close of ours a second one would say nothing.
    if (found.code !== 0 && this.#state === State.open) this.output.close(found.code, `${found.name} (${found.spec})`);
    this.finish(Input.fail, found);
  }
  /** Ends the connection: what is written is still sent, nothing more is read. */
  finish(input: Input, found?: Fault, clean = this.#state === State.closed): void {
    this.#move(input);
    this.#reader?.release();
    this.#message = undefined;
    this.compression?.close();
    this.#lastPing = undefined;
    this.#isWaiting = false;
    const { farewell } = this;
    farewell.isCloseOwed = false;
    farewell.owedFault = undefined;
    const ending = { is: "closed", code: farewell.code, reason: farewell.reason, clean } as const;
    this.emit(found === undefined ? ending : { ...ending, fault: found });
  }

  /** The only writer of the state; an input that the table drops changes nothing. */
  #move(input: Input): void {
    const next = step(this.#state, input);
    if (next !== DROPPED && next !== MISUSE) this.#state = next;
  }
}
