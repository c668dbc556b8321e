import { Misuse, Output, type Instant, type Random, type Utf8Check } from "../core/index.ts";
import type { Event, Side } from "./contract.ts";
import { CloseCode } from "./close-code.ts";
import type { DeflateOptions, Deflater, Inflater } from "./deflate.ts";
import { fault, type Fault, type FaultName } from "./faults.ts";
import { firstOctet, HeadReader, Opcode, writeHead } from "./frame.ts";
import type { Limits } from "./limits.ts";
import { mask } from "./mask.ts";
import { Incoming, type Telling } from "./message.ts";
import { Input, State, step } from "./state.ts";

const NO_EVENTS: readonly Event[] = [];
const NOTHING = new Uint8Array(0);
/** Keys drawn at once: randomness is dear by the call. */
const KEYS = 64;

/**
 * What one connection knows, and what both halves of it do: `receive.ts` reads what comes, `submit.ts` has a function for each action. Here
 * are the moves that both make: telling events, writing control frames, failing, and the end.
 */
export class Session {
  readonly side: Side;
  readonly limits: Limits;
  readonly telling: Telling;
  readonly deflate: DeflateOptions | undefined;
  readonly #random: Random | undefined;

  now: Instant;
  state: State = State.open;

  // What comes.
  readonly head: HeadReader;
  /** A head, or the payload of a control frame, that has come in part; made when first needed. */
  stash: Uint8Array = NOTHING;
  stashed = 0;
  /** Octets of the payload under way that are still to come; -1 while a head is read. */
  left = -1;
  /** The key as it is to be used for the next of them. */
  key = 0;
  /** A message of several frames is under way. */
  isInMessage = false;
  #incoming: Incoming | undefined;
  #inflater: Inflater | undefined;
  /** Control frames that may come now, and since when they are counted. */
  controlsLeft: number;
  controlsSince: Instant;
  isPaused = false;
  /** The peer's Close has come behind messages that the owner has not been told of: it is answered when what they cause has been said. */
  isCloseOwed = false;
  isCloseHeld = false;

  // What goes.
  readonly output = new Output();
  /** A message of ours that is sent in fragments is under way, and whether it is compressed. */
  sending: "none" | "plain" | "compressed" = "none";
  /** Of such a message, where it is text: what has been sent of it. */
  sendingText: Utf8Check | undefined;
  /** Pongs that have not been taken; and the ping that is answered when they are. */
  pongs = 0;
  lastPing: Uint8Array | undefined;
  isWaiting = false;
  #deflater: Deflater | undefined;
  #keys: Uint8Array = NOTHING;
  #nextKey = 0;

  // Time.
  heardAt: Instant;
  /** A sign of life was asked for, when; undefined while none is awaited. */
  askedAt: Instant | undefined;
  /** When we began to wait for the end; and whether that is only known to be in the past, since an action has no clock. */
  since: Instant;
  isSinceUnsure = false;
  isHeardUnsure = false;

  /** What the peer's Close said. */
  code: number = CloseCode.abnormal;
  reason = "";

  #events: Event[] | undefined;

  constructor(side: Side, limits: Limits, telling: Telling, deflate: DeflateOptions | undefined, random: Random | undefined, now: Instant) {
    this.side = side;
    this.limits = limits;
    this.telling = telling;
    this.deflate = deflate;
    this.#random = random;
    this.now = now;
    this.heardAt = now;
    this.since = now;
    this.controlsLeft = limits.controls;
    this.controlsSince = now;
    this.head = new HeadReader(side, deflate !== undefined);
    if (side === "client" && random === undefined)
      throw new Misuse("a client needs `random`: every frame that it sends has a key of its own");
  }

  emit(event: Event): void {
    if (this.#events === undefined) this.#events = [event];
    else this.#events.push(event);
  }
  /** Whether the owner is yet to be told of a message. */
  get hasNews(): boolean {
    return this.#events?.some(({ is }) => is === "message" || is === "fragment") === true;
  }
  /** What has happened since the last call. */
  drain(): readonly Event[] {
    const events = this.#events;
    if (events === undefined) return NO_EVENTS;
    this.#events = undefined;
    return events;
  }

  get incoming(): Incoming {
    return (this.#incoming ??= new Incoming(this.telling, this.limits.messageOctets, (event) => this.emit(event)));
  }
  get inflater(): Inflater {
    const { agreed, engine } = this.deflate!;
    const isServer = this.side === "server";
    return (this.#inflater ??= engine.inflater(
      isServer ? agreed.clientBits : agreed.serverBits,
      isServer ? agreed.clientTakeover : agreed.serverTakeover,
    ));
  }
  get deflater(): Deflater {
    const { agreed, engine } = this.deflate!;
    const isServer = this.side === "server";
    return (this.#deflater ??= engine.deflater(
      isServer ? agreed.serverBits : agreed.clientBits,
      isServer ? agreed.serverTakeover : agreed.clientTakeover,
    ));
  }

  /** A fresh key for a frame of ours; undefined where frames are not masked. */
  key4(): number | undefined {
    if (this.side === "server") return undefined;
    if (this.#nextKey === this.#keys.length) {
      if (this.#nextKey === 0) this.#keys = new Uint8Array(KEYS * 4);
      this.#random!(this.#keys);
      this.#nextKey = 0;
    }
    const keys = this.#keys;
    const at = this.#nextKey;
    this.#nextKey = at + 4;
    return keys[at]! | (keys[at + 1]! << 8) | (keys[at + 2]! << 16) | (keys[at + 3]! << 24);
  }
  control(opcode: Opcode, payload: Uint8Array): void {
    const key = this.key4();
    const w = this.output.writer;
    writeHead(w, firstOctet(opcode, true), payload.length, key);
    const at = w.claim(payload.length);
    w.octets.set(payload, at);
    if (key !== undefined) mask(w.octets, at, at + payload.length, key);
  }

  /** The peer is wrong: it hears why where it may listen, and the connection is over (rfc6455#7.1.7). */
  fail(name: FaultName): void {
    const next = step(this.state, Input.fail);
    if (next < 0) return;
    const found = fault(name);
    // Of two Closes only the first says anything.
    if (found.code !== 0 && this.state === State.open) this.writeClose(found.code, `${found.name} (${found.spec})`);
    this.finish(found);
  }
  writeClose(code: number | undefined, reason: string): void {
    if (code === undefined) return this.control(Opcode.close, NOTHING);
    const text = Buffer.from(reason);
    const payload = new Uint8Array(2 + text.length);
    payload[0] = code >>> 8;
    payload[1] = code;
    payload.set(text, 2);
    return this.control(Opcode.close, payload);
  }
  /** The pong that was put off until those before it were taken. */
  settlePing(): void {
    this.pongs = 0;
    const payload = this.lastPing;
    if (payload === undefined) return;
    this.lastPing = undefined;
    if (step(this.state, Input["send pong"]) >= 0) this.control(Opcode.pong, payload);
  }

  /** The connection is over: what is written is still to be sent, and nothing more is read. */
  finish(found?: Fault, clean = this.state === State.closed): void {
    this.state = State.over;
    this.left = -1;
    this.stash = NOTHING;
    this.#incoming = undefined;
    this.#inflater?.close();
    this.#deflater?.close();
    this.#inflater = undefined;
    this.#deflater = undefined;
    this.lastPing = undefined;
    this.isWaiting = false;
    this.isCloseOwed = false;
    const { code, reason } = this;
    this.emit(found === undefined ? { is: "closed", code, reason, clean } : { is: "closed", code, reason, clean, fault: found });
  }
}
