import { Output, type Field, type Instant } from "../core/index.ts";
import type { Event, ExchangeId, Version } from "./contract.ts";
import type { ChunkedBody } from "./body-chunked.ts";
import type { CloseBody } from "./body-close.ts";
import type { LengthBody } from "./body-length.ts";
import type { Content } from "./content.ts";
import type { Exchange } from "./exchange.ts";
import { type Fault } from "./faults.ts";
import { FieldLines } from "./field-lines.ts";
import { Inbox } from "./inbox.ts";
import type { Leniency } from "./leniency.ts";
import type { Limits } from "./limits.ts";
import { writeRefusal } from "./send-head.ts";
import { StartLine } from "./start-line.ts";
import { Input, Standing, State, step, Turn, turned } from "./state.ts";

export type Side = "client" | "server";

/** What the next octets are: a start line, fields, content; or kept until an answer decides (held), or dropped (deaf). */
export const Reading = { line: 0, fields: 1, content: 2, held: 3, deaf: 4 } as const;
export type Reading = (typeof Reading)[keyof typeof Reading];

const NO_EVENTS: readonly Event[] = [];

/**
 * What one connection knows, and what both halves of it do: `receive.ts` reads what comes, `submit.ts` has a function for each action. Here
 * are the moves that both make: telling events, moving exchanges on, refusing, and the ends.
 */
export class Session implements Content {
  readonly side: Side;
  readonly limits: Limits;
  readonly lenient: Leniency;
  readonly scheme: string;
  /** Fields that the owner adds to refusals. */
  readonly refusalFields: (() => readonly Field[]) | undefined;

  now: Instant;
  /** Since when we wait for what we wait for now; and whether that is only known to be in the past, since an action has no clock. */
  since: Instant;
  isSinceUnsure = false;
  /** When the peer was heard last, and what content has come since `since`. */
  heardAt: Instant;
  heardOctets = 0;

  readonly inbox = new Inbox();
  readonly start = new StartLine();
  readonly lines = new FieldLines();
  readonly output = new Output();

  standing: Standing = Standing.persistent;
  reading: Reading = Reading.line;
  /** The first octet of a head, or of an empty line before it, has come. */
  isHeadBegun = false;
  hasPeerEnded = false;
  /** The content that is being read, and whose it is. */
  body: LengthBody | ChunkedBody | CloseBody | undefined;
  reader: Exchange | undefined;
  /** Octets told and not consumed; of those after the answer was complete; dropped since nothing is read any more. */
  unread = 0;
  discarded = 0;
  dropped = 0;

  /** Exchanges under way, in order. */
  first: Exchange | undefined;
  last: Exchange | undefined;
  open = 0;
  lastId: ExchangeId = 0 as ExchangeId;
  /** A refusal of what was no request; it stands behind the last exchange. */
  refusal: { readonly fault: Fault; readonly isHead: boolean } | undefined;
  /** Client: what the server has shown to speak; HTTP/1.1 until it says otherwise. */
  peerVersion: Version = "HTTP/1.1";
  /** Told to wait for room in what is to be taken. */
  waiter: Exchange | undefined;

  #events: Event[] | undefined;

  constructor(
    side: Side,
    limits: Limits,
    lenient: Leniency,
    scheme: string,
    refusalFields: (() => readonly Field[]) | undefined,
    now: Instant,
  ) {
    this.side = side;
    this.limits = limits;
    this.lenient = lenient;
    this.scheme = scheme;
    this.refusalFields = refusalFields;
    this.now = now;
    this.since = now;
    this.heardAt = now;
  }

  emit(event: Event): void {
    if (this.#events === undefined) this.#events = [event];
    else this.#events.push(event);
  }
  /** What has happened since the last call. */
  drain(): readonly Event[] {
    const events = this.#events;
    if (events === undefined) return NO_EVENTS;
    this.#events = undefined;
    return events;
  }

  get isOver(): boolean {
    return this.standing >= Standing.closed;
  }
  /** What we wait for has changed. */
  stamp(): void {
    this.since = this.now;
    this.heardOctets = 0;
  }
  turn(turn: Turn): void {
    this.standing = turned(this.standing, turn);
  }

  // Exchanges.

  add(exchange: Exchange): void {
    if (this.last === undefined) this.first = exchange;
    else this.last.next = exchange;
    this.last = exchange;
    this.open++;
    this.lastId = exchange.id;
  }
  #pop(exchange: Exchange): void {
    this.first = exchange.next;
    if (this.first === undefined) this.last = undefined;
    this.open--;
    if (this.waiter === exchange) this.waiter = undefined;
  }
  /** Where what an exchange sends is to be written. A client sends in the order of its requests anyway. */
  outputOf(exchange: Exchange): Output {
    if (this.side === "client" || exchange === this.first) return this.output;
    return (exchange.output ??= new Output());
  }

  // Content that comes in.

  content(bytes: Uint8Array, end: boolean): void {
    const { length } = bytes;
    const exchange = this.reader!;
    this.unread += length;
    this.heardOctets += length;
    exchange.awaits100 = false;
    this.emit({ is: "data", exchange: exchange.id, bytes, end });
    if (exchange.state !== State.answered || this.side === "client") return;
    this.discarded += length;
  }
  trailers(fields: readonly Field[]): void {
    this.emit({ is: "trailers", exchange: this.reader!.id, fields });
  }

  // Ends of messages.

  /** The request, or the response, of an exchange has ended; then `advance` is owed. */
  end(exchange: Exchange, input: (typeof Input)[keyof typeof Input]): void {
    const next = step(exchange.state, input);
    if (next >= 0) exchange.state = next as State;
  }

  /** Moves the queue on: what can be said of the first exchange is said, until one is still under way. */
  advance(): void {
    for (;;) {
      const exchange = this.first;
      if (exchange === undefined) return this.#drained();
      if (exchange.output !== undefined) {
        this.output.append(exchange.output);
        exchange.output = undefined;
      }
      if (exchange.isWaiting) this.waiter = exchange;
      if (exchange.fault !== undefined) {
        if (exchange.isRefused) this.#refuseNow(exchange.fault, exchange.method === "HEAD");
        return this.close(exchange.fault);
      }
      if (exchange.isDead) return this.close();
      if (exchange.state === State.switched) return this.#handOver(exchange);
      if (exchange.state === State.answered) {
        if (this.#mayReadOn(exchange)) return undefined;
        // Client: the response is whole, and the server wants no more. Server: the request is not, and we want no more of it.
        if (this.side === "client") this.emit({ is: "done", exchange: exchange.id });
        else this.emit({ is: "failed", exchange: exchange.id });
        this.#pop(exchange);
        return this.close();
      }
      if (exchange.state !== State.over) return undefined;
      this.#pop(exchange);
      // What begins now is the wait for the next request, where none has begun to come.
      if (this.reading === Reading.line && !this.isHeadBegun) {
        this.stamp();
        this.isSinceUnsure = true;
      }
      this.emit({ is: "done", exchange: exchange.id });
      if (exchange.closes) return this.close();
    }
  }
  /** Whether the rest of a request is worth reading whose answer is complete (rfc9112#9.3), or worth sending. */
  #mayReadOn(exchange: Exchange): boolean {
    if (exchange.closes) return false;
    if (this.side === "client") return true;
    const left = this.body?.left ?? 0;
    const isBounded = left === Number.POSITIVE_INFINITY || left + this.discarded <= this.limits.discardOctets;
    return isBounded && this.discarded <= this.limits.discardOctets;
  }
  #drained(): void {
    if (this.refusal !== undefined) {
      this.#refuseNow(this.refusal.fault, this.refusal.isHead);
      return this.close(this.refusal.fault);
    }
    // A request that has begun to come is still taken.
    if (this.isHeadBegun && this.reading !== Reading.deaf) return undefined;
    if (turned(this.standing, Turn.drained) === Standing.closed && !this.isOver) return this.close();
    return undefined;
  }
  #refuseNow(found: Fault, isHead: boolean): void {
    if (found.status !== 0) writeRefusal(this.output.writer, found, isHead, this.refusalFields?.() ?? []);
  }

  #handOver(exchange: Exchange): void {
    const { inbox } = this;
    this.turn(Turn.switch);
    this.reading = Reading.deaf;
    const rest = inbox.octets.subarray(inbox.at, inbox.end);
    inbox.clear();
    const { status, fields } = exchange.switched!;
    this.emit({ is: "switched", exchange: exchange.id, status, fields, rest });
    this.#pop(exchange);
  }

  // Ends of connections.

  /** What comes is no request, or none that we take: told behind the answers still owed; nothing more is read. */
  refuse(found: Fault, isHead: boolean): void {
    this.turn(Turn.fault);
    this.stopReading();
    this.refusal = { fault: found, isHead };
    this.advance();
  }
  /** Server: the content of the request that is being read is not what it should be. */
  failRequest(found: Fault): void {
    const exchange = this.reader!;
    this.turn(Turn.fault);
    this.stopReading();
    this.emit({ is: "failed", exchange: exchange.id, fault: found });
    exchange.isDead = true;
    exchange.fault = found;
    // What has not begun to leave gives way to the refusal; an answer that is whole stands.
    const hasLeft = exchange === this.first && exchange.state !== State.asking;
    exchange.isRefused = !hasLeft && exchange.state !== State.answered && exchange.state !== State.switching;
    if (exchange.isRefused) exchange.output = undefined;
    this.advance();
  }
  /** Client: the response is not what it should be: nothing on this connection can be told apart any more. */
  failResponse(found: Fault): void {
    if (this.first !== undefined) this.first.isHeard = true;
    this.close(found);
  }
  /** Nothing more is read as a message; with the last answer the connection ends. */
  stopReading(): void {
    this.reading = Reading.deaf;
    this.isHeadBegun = false;
    this.body = undefined;
    this.inbox.clear();
  }

  /** The connection is over: what is written is still to be sent. Exchanges of a client are told of, one by one. */
  close(found?: Fault): void {
    if (this.isOver) return;
    this.turn(Turn.cut);
    this.stopReading();
    if (this.side === "client") this.#tellUnanswered(found);
    this.first = undefined;
    this.last = undefined;
    this.open = 0;
    this.waiter = undefined;
    this.emit(found === undefined ? { is: "closed" } : { is: "closed", fault: found });
  }
  #tellUnanswered(found: Fault | undefined): void {
    for (let exchange = this.first; exchange !== undefined; exchange = exchange.next) {
      if (exchange.isDead) continue;
      if (!exchange.isHeard) this.emit({ is: "unanswered", exchange: exchange.id });
      else if (found === undefined) this.emit({ is: "failed", exchange: exchange.id });
      else this.emit({ is: "failed", exchange: exchange.id, fault: found });
    }
  }
}
