import { ChunkedBody } from "./body-chunked.ts";
import { CloseBody } from "./body-close.ts";
import { LengthBody } from "./body-length.ts";
import type { Body } from "./content.ts";
import type { Side } from "./contract.ts";
import type { Exchange } from "./exchange.ts";
import { FieldLines } from "./field-lines.ts";
import { Framing, type Extent } from "./framing.ts";
import type { HeadMemory } from "./head-memory.ts";
import { Inbox } from "./inbox.ts";
import type { Leniency } from "./leniency.ts";
import type { Limits } from "./limits.ts";
import { StartLine } from "./start-line.ts";
import { State } from "./state.ts";

/** What the next octets are: a start line, fields, content; kept until a response decides (`held`), or dropped (`deaf`). */
export const Reading = { line: 0, fields: 1, content: 2, held: 3, deaf: 4 } as const;
export type Reading = (typeof Reading)[keyof typeof Reading];

/** How far the peer's messages have been read. */
export class Intake {
  readonly inbox = new Inbox();
  readonly start: StartLine;
  readonly memory: HeadMemory;
  readonly #limits: Limits;
  readonly #lenient: Leniency;
  #reading: Reading = Reading.line;
  #isHeadBegun = false;
  #hasEnded = false;
  #lines: FieldLines | undefined;
  #body: Body | undefined;
  #unread = 0;
  #discarded = 0;
  #dropped = 0;

  constructor(limits: Limits, lenient: Leniency, memory: HeadMemory) {
    this.#limits = limits;
    this.#lenient = lenient;
    this.memory = memory;
    this.start = new StartLine(limits, lenient, memory);
  }

  get reading(): Reading {
    return this.#reading;
  }
  /** The first octet of a head, or of an empty line before it, has arrived. */
  get isHeadBegun(): boolean {
    return this.#isHeadBegun;
  }
  /** The peer's half of the transport has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }
  /** The header section that is being read. */
  get lines(): FieldLines | undefined {
    return this.#lines;
  }
  /** The content that is being read. */
  get body(): Body | undefined {
    return this.#body;
  }
  /** Octets of content reported and not yet consumed. */
  get unread(): number {
    return this.#unread;
  }
  /** Octets of the current content that arrived after its response was complete. */
  get discarded(): number {
    return this.#discarded;
  }
  /** Octets dropped since reading stopped. */
  get dropped(): number {
    return this.#dropped;
  }

  beginHead(): void {
    this.#isHeadBegun = true;
  }
  /** Only empty lines have arrived: they do not begin a message. */
  forgetHead(): void {
    this.#isHeadBegun = false;
  }
  beginFields(): void {
    this.#lines = new FieldLines(this.#lenient, this.memory);
    this.#lines.begin(this.#limits.fieldOctets, this.#limits.fields, "fieldsTooLarge");
    this.#reading = Reading.fields;
  }
  endHead(): void {
    this.#isHeadBegun = false;
    this.#lines = undefined;
  }
  beginContent(exchange: Exchange, { framing, length }: Extent): void {
    this.#reading = Reading.content;
    this.#discarded = 0;
    if (framing === Framing.length) this.#body = new LengthBody(exchange, length);
    else if (framing === Framing.chunked) this.#body = new ChunkedBody(exchange, this.memory, this.#limits, this.#lenient);
    else this.#body = new CloseBody(exchange);
  }
  endContent(): void {
    this.#body = undefined;
  }
  readOn(reading: Reading): void {
    this.#reading = reading;
  }
  /** No further message is read, and what has arrived of one is dropped. */
  stop(): void {
    this.#reading = Reading.deaf;
    this.#isHeadBegun = false;
    this.#lines = undefined;
    this.#body = undefined;
    this.inbox.clear();
  }
  drop(): void {
    this.#dropped += this.inbox.length;
    this.inbox.clear();
  }
  /** Stops reading, and returns the octets that belong to another protocol. */
  handOver(): Uint8Array {
    const { octets, at, end } = this.inbox;
    this.#reading = Reading.deaf;
    this.inbox.clear();
    return octets.subarray(at, end);
  }
  end(): void {
    this.#hasEnded = true;
  }

  count(octets: number): void {
    this.#unread += octets;
  }
  discard(octets: number): void {
    this.#discarded += octets;
  }
  /** The owner has read content; true if that makes room for more after the limit was reached. */
  consume(octets: number): boolean {
    const limit = this.#limits.unreadOctets;
    const wasFull = this.#unread >= limit;
    this.#unread = Math.max(0, this.#unread - octets);
    return wasFull && this.#unread < limit;
  }
}

/** How to read on after the message of `exchange`. */
export function readingAfter(side: Side, exchange: Exchange): Reading {
  if (side === "client") return Reading.line;
  if (exchange.closes) return Reading.deaf;
  // The response decides whether a tunnel, another protocol or the next request follows (rfc9110#7.8, #9.3.6).
  const maySwitch = exchange.method === "CONNECT" || exchange.upgrade.length > 0;
  const { state } = exchange;
  const isUndecided = state === State.asking || state === State.asked || state === State.switching;
  return maySwitch && isUndecided ? Reading.held : Reading.line;
}
