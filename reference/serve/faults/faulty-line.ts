import { CONNECTION, streamId, type StreamId } from "../../http2/index.ts";
import type { Filter, Link } from "../../io/index.ts";
import type { Exchange } from "../handler.ts";
import type { Actor, Line, Pass } from "./fault.ts";
import type { Asked } from "./spec.ts";
import { frame, isData, isLast, u32, type Unit } from "./unit.ts";
import { Units } from "./units.ts";
import { Windows } from "./windows.ts";

/** Concurrent faults by request on one connection; further ones are refused. */
const MOST_BY_REQUEST = 1_000;

/** The filter of one connection: the server's output passes through the faults, one after another. */
export class FaultyLine implements Filter, Line {
  readonly #link: Link;
  readonly #units = new Units();
  readonly #windows = new Windows();
  readonly #always: readonly Actor[];
  readonly #byStream = new Map<StreamId, readonly Actor[]>();
  /** Requests in progress. */
  readonly #exchanges = new Map<StreamId, Exchange>();
  /** Connection window to return to the server. */
  #owed = 0;
  #isCut = false;

  constructor(link: Link, asked: readonly Asked[]) {
    this.#link = link;
    this.#always = this.#start(asked);
  }

  /** Registers a request. */
  serving(exchange: Exchange): void {
    this.#exchanges.set(streamId(exchange.stream), exchange);
  }
  /** Adds faults for one response; false if the connection has too many. */
  add(stream: StreamId, asked: readonly Asked[]): boolean {
    if (this.#byStream.size >= MOST_BY_REQUEST) return false;
    this.#byStream.set(stream, this.#start(asked));
    return true;
  }

  // As a filter.

  outgoing(pieces: readonly Uint8Array[]): void {
    const out: Uint8Array[] = [];
    for (const piece of pieces) for (const unit of this.#units.read(piece)) this.#through(unit, out);
    if (out.length > 0) this.#link.write(out);
  }
  incoming(bytes: Uint8Array): void {
    this.#windows.received(bytes);
    this.#link.receive(bytes);
    if (this.#owed > 0) this.#giveBack();
  }
  closed(): void {
    this.#isCut = true;
    for (const actor of this.#always) actor.closed?.();
    for (const actors of this.#byStream.values()) for (const actor of actors) actor.closed?.();
    this.#byStream.clear();
    this.#exchanges.clear();
  }

  // As the line that faults work on.

  get maxFrameSize(): number {
    return this.#windows.maxFrameSize;
  }
  window(stream: StreamId): number {
    return this.#windows.window(stream);
  }
  octetsOf(unit: Unit): Uint8Array {
    this.#windows.sent(unit);
    return this.#units.write(unit, this.maxFrameSize);
  }
  drop(unit: Unit): void {
    if (!isData(unit)) return;
    if (this.#owed === 0) queueMicrotask(() => this.#giveBack());
    this.#owed += unit.payload.length;
  }
  abandon(stream: StreamId): void {
    // The server is writing: the reset waits for the end of its turn.
    queueMicrotask(() => this.#exchanges.get(stream)?.reset("CANCEL"));
  }

  #start(asked: readonly Asked[]): readonly Actor[] {
    const inOrder = [...asked.filter(({ fault }) => !fault.isTiming), ...asked.filter(({ fault }) => fault.isTiming)];
    return inOrder.map(({ fault, values }) => fault.start(values, this));
  }
  /** Collects in `out` what leaves at once; what leaves later is written then. */
  #through(unit: Unit, out: Uint8Array[]): void {
    let isNow = true;
    const send: Pass = (unit) => {
      if (this.#isCut) return;
      if (unit.is !== "cut") {
        const bytes = this.octetsOf(unit);
        if (isNow) out.push(bytes);
        else this.#link.write([bytes]);
        return;
      }
      this.#isCut = true;
      if (out.length > 0) this.#link.write(out.splice(0));
      this.#link.cut(unit.how);
    };
    const mine = this.#byStream.get(unit.stream);
    const actors = mine === undefined || unit.stream === CONNECTION ? this.#always : [...mine, ...this.#always];
    run(actors, 0, unit, send);
    isNow = false;
    if (!isLast(unit)) return;
    this.#exchanges.delete(unit.stream);
    this.#byStream.delete(unit.stream);
  }
  #giveBack(): void {
    if (this.#owed === 0 || this.#isCut || !this.#windows.isBetweenFrames) return;
    const increment = this.#owed;
    this.#owed = 0;
    this.#link.receive(this.#units.write(frame("WINDOW_UPDATE", CONNECTION, u32(increment)), this.maxFrameSize));
  }
}

function run(actors: readonly Actor[], at: number, unit: Unit, send: Pass): void {
  const actor = actors[at];
  if (actor === undefined) send(unit);
  else actor.outgoing(unit, (passed) => run(actors, at + 1, passed, send));
}
