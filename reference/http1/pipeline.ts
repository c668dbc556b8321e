import { Output, type Field, type Instant } from "../core/index.ts";
import type { ContentSink } from "./content.ts";
import type { Event, Side, Version } from "./contract.ts";
import type { Exchange } from "./exchange.ts";
import { ExchangeQueue } from "./exchange-queue.ts";
import type { Fault } from "./faults.ts";
import { HeadMemory } from "./head-memory.ts";
import { HeadWriter } from "./head-writer.ts";
import { Intake, Reading } from "./intake.ts";
import type { Leniency } from "./leniency.ts";
import type { Limits } from "./limits.ts";
import { Standing, State, Turn, turned } from "./state.ts";
import { WaitClock } from "./wait-clock.ts";

/** How a connection is set up. */
export type Setup = {
  readonly side: Side;
  readonly limits: Limits;
  readonly lenient: Leniency;
  readonly scheme: string;
  readonly refusalFields: (() => readonly Field[]) | undefined;
  readonly memory: HeadMemory | undefined;
};

const NO_EVENTS: readonly Event[] = [];

/**
 * The exchanges of one connection, and the moves that receiving and sending share: reporting events, completing exchanges in order,
 * refusing, and ending. `receive.ts` reads what arrives; `submit.ts` has a function for each action.
 */
export class Pipeline implements ContentSink {
  readonly side: Side;
  readonly limits: Limits;
  readonly lenient: Leniency;
  /** Server: the scheme of requests whose target names none. */
  readonly scheme: string;
  readonly clock: WaitClock;
  readonly intake: Intake;
  readonly exchanges = new ExchangeQueue();
  readonly output = new Output();
  readonly #refusalFields: (() => readonly Field[]) | undefined;
  #standing: Standing = Standing.persistent;
  /** A refusal of octets that are not a request; it follows the last exchange. */
  #refusal: { readonly fault: Fault; readonly isHead: boolean } | undefined;
  #peerVersion: Version = "HTTP/1.1";
  /** The exchange that waits until the output has been taken. */
  #waiter: Exchange | undefined;
  #events: Event[] | undefined;

  constructor({ side, limits, lenient, scheme, refusalFields, memory = new HeadMemory() }: Setup, now: Instant) {
    this.side = side;
    this.limits = limits;
    this.lenient = lenient;
    this.scheme = scheme;
    this.clock = new WaitClock(now);
    this.intake = new Intake(limits, lenient, memory);
    this.#refusalFields = refusalFields;
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

  /** Further requests may follow. */
  get isPersistent(): boolean {
    return this.#standing === Standing.persistent;
  }
  /** The connection is closed, or another protocol's. */
  get isOver(): boolean {
    return this.#standing >= Standing.closed;
  }
  get isRefusing(): boolean {
    return this.#refusal !== undefined;
  }
  turn(turn: Turn): void {
    this.#standing = turned(this.#standing, turn);
  }
  /** Client: the version of the server's last response; HTTP/1.1 before the first. */
  get peerVersion(): Version {
    return this.#peerVersion;
  }
  learnVersion(version: Version): void {
    this.#peerVersion = version;
  }

  // What an exchange sends.

  /** A writer for one head: what it notes about the fields is not shared with another message. */
  newHead(): HeadWriter {
    return new HeadWriter(this.intake.memory);
  }

  /** Where the exchange writes: responses wait for those before them, a client writes at once. */
  outputOf(exchange: Exchange): Output {
    if (this.side === "client" || exchange === this.exchanges.first) return this.output;
    return (exchange.output ??= new Output());
  }
  /** Notes whether the exchange waits for its output to be taken. */
  wait(exchange: Exchange, isWaiting: boolean): void {
    exchange.isWaiting = isWaiting;
    if (!isWaiting) {
      if (this.#waiter === exchange) this.#waiter = undefined;
    } else if (this.outputOf(exchange) === this.output) this.#waiter = exchange;
  }
  /** The output has been taken. */
  hasRoom(): void {
    const waiter = this.#waiter;
    if (waiter === undefined) return;
    this.#waiter = undefined;
    waiter.isWaiting = false;
    this.emit({ is: "writable", exchange: waiter.id });
  }

  // What the peer's content brings.

  content(exchange: Exchange, bytes: Uint8Array, end: boolean): void {
    const { length } = bytes;
    this.intake.count(length);
    this.clock.count(length);
    exchange.awaits100 = false;
    this.emit({ is: "data", exchange: exchange.id, bytes, end });
    if (exchange.state === State.answered && this.side === "server") this.intake.discard(length);
  }
  trailers(exchange: Exchange, fields: readonly Field[]): void {
    this.emit({ is: "trailers", exchange: exchange.id, fields });
  }

  // The order of exchanges.

  /** Completes exchanges in order, up to the first that is still open. */
  advance(): void {
    for (;;) {
      const exchange = this.exchanges.first;
      if (exchange === undefined) return this.#drained();
      if (exchange.output !== undefined) {
        this.output.append(exchange.output);
        exchange.output = undefined;
      }
      if (exchange.isWaiting) this.#waiter = exchange;
      if (exchange.fault !== undefined) {
        if (exchange.isRefused) this.#writeRefusal(exchange.fault, exchange.method === "HEAD");
        return this.close(exchange.fault);
      }
      if (exchange.isDead) return this.close();
      if (exchange.switched !== undefined && exchange.state === State.switched) {
        this.turn(Turn.switch);
        this.emit({ is: "switched", exchange: exchange.id, ...exchange.switched, rest: this.intake.handOver() });
        return this.#shift(exchange);
      }
      if (exchange.state === State.answered) {
        if (this.#mayReadOn(exchange)) return undefined;
        // Client: the response is complete, and the server wants no more content. Server: the request is not, and we want no more of it.
        this.emit({ is: this.side === "client" ? "done" : "failed", exchange: exchange.id });
        this.#shift(exchange);
        return this.close();
      }
      if (exchange.state !== State.over) return undefined;
      this.#shift(exchange);
      const { reading, isHeadBegun } = this.intake;
      // The wait for the next request begins.
      if (reading === Reading.line && !isHeadBegun) this.clock.restartPending();
      this.emit({ is: "done", exchange: exchange.id });
      if (exchange.closes) return this.close();
    }
  }
  #shift(exchange: Exchange): void {
    this.exchanges.shift();
    if (this.#waiter === exchange) this.#waiter = undefined;
  }
  /** After a complete response: whether the rest of its request is short enough to read (rfc9112#9.3), or still worth sending. */
  #mayReadOn(exchange: Exchange): boolean {
    if (exchange.closes) return false;
    if (this.side === "client") return true;
    const { body, discarded } = this.intake;
    const left = body?.left ?? 0;
    const isBounded = left === Number.POSITIVE_INFINITY || left + discarded <= this.limits.discardOctets;
    return isBounded && discarded <= this.limits.discardOctets;
  }
  /** Before a response: whether the rest of a request that is not read will end the connection (rfc9112#9.6). */
  isTooLongToDiscard(exchange: Exchange): boolean {
    const { body } = this.intake;
    if (exchange.declined === undefined || body?.exchange !== exchange) return false;
    return body.left === Number.POSITIVE_INFINITY ? exchange.declined === "refused" : body.left > this.limits.discardOctets;
  }
  #drained(): void {
    if (this.#refusal !== undefined) {
      this.#writeRefusal(this.#refusal.fault, this.#refusal.isHead);
      return this.close(this.#refusal.fault);
    }
    // A request that has begun to arrive is still accepted.
    if (this.intake.isHeadBegun && this.intake.reading !== Reading.deaf) return undefined;
    if (turned(this.#standing, Turn.drained) === Standing.closed && !this.isOver) return this.close();
    return undefined;
  }
  #writeRefusal(found: Fault, isHead: boolean): void {
    if (found.status !== 0) this.newHead().writeRefusal(this.output.writer, found, isHead, this.#refusalFields?.() ?? []);
  }

  // Ends of connections.

  /** Server: what arrives is not a request that we accept. The refusal follows the responses still owed; nothing more is read. */
  refuse(found: Fault): void {
    this.turn(Turn.fault);
    this.intake.stop();
    this.#refusal = { fault: found, isHead: this.intake.start.method === "HEAD" };
    this.advance();
  }
  /** Server: the content of a request is wrong, late or cut short. */
  failRequest(exchange: Exchange, found: Fault): void {
    this.turn(Turn.fault);
    this.intake.stop();
    this.emit({ is: "failed", exchange: exchange.id, fault: found });
    exchange.isDead = true;
    exchange.fault = found;
    // The refusal replaces a response that has not begun to leave; a complete response stands.
    const hasLeft = exchange === this.exchanges.first && exchange.state !== State.asking;
    exchange.isRefused = !hasLeft && exchange.state !== State.answered && exchange.state !== State.switching;
    if (exchange.isRefused) exchange.output = undefined;
    this.advance();
  }
  /** Client: a response is wrong, so that nothing after it can be read either. */
  failResponse(found: Fault): void {
    const { first } = this.exchanges;
    if (first !== undefined) first.isHeard = true;
    this.close(found);
  }

  /** Ends the connection: what is written is still sent. A client's open exchanges end with an event each. */
  close(found?: Fault): void {
    if (this.isOver) return;
    this.turn(Turn.cut);
    this.intake.stop();
    if (this.side === "client") this.#reportOpen(found);
    this.exchanges.clear();
    this.#waiter = undefined;
    this.emit(found === undefined ? { is: "closed" } : { is: "closed", fault: found });
  }
  #reportOpen(found: Fault | undefined): void {
    for (let exchange = this.exchanges.first; exchange !== undefined; exchange = exchange.next) {
      if (exchange.isDead) continue;
      if (!exchange.isHeard) this.emit({ is: "unanswered", exchange: exchange.id });
      else if (found === undefined) this.emit({ is: "failed", exchange: exchange.id });
      else this.emit({ is: "failed", exchange: exchange.id, fault: found });
    }
  }
}
