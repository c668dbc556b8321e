import { CONNECTION, streamId, type StreamId } from "../../../http2/index.ts";
import type { Filter, Link } from "../../../io/index.ts";
import { Chain, ontoLink } from "../chain.ts";
import type { Asked } from "../spec.ts";
import type { Http2Fault, Http2Line, Kit } from "./kit.ts";
import { frame, isData, isLast, u32, type Unit } from "./unit.ts";
import { Units } from "./units.ts";
import { Windows } from "./windows.ts";

/** An exchange that can be stopped. */
type Stoppable = { readonly stream: number; reset(code: "CANCEL"): void };

/** The filter of one connection: the machine's output passes through the faults. */
export class Http2FaultyLine implements Filter, Http2Line {
  readonly #link: Link;
  readonly #kit: Kit;
  readonly #units: Units;
  readonly #windows: Windows;
  readonly #chain: Chain<Unit, Http2Line>;
  /** Requests in progress. */
  readonly #exchanges = new Map<StreamId, Stoppable>();
  /** Connection window to return to the machine. */
  #owed = 0;

  constructor(link: Link, kit: Kit, asked: readonly Asked<Http2Fault>[]) {
    this.#link = link;
    this.#kit = kit;
    this.#units = new Units(kit.side);
    this.#windows = new Windows(kit.side === "server" ? "client" : "server");
    this.#chain = new Chain({ output: ontoLink(link, this), line: this, shape: kit, asked });
  }

  /** Registers a request, and returns the stream of its response. */
  serving(_request: object, exchange: Stoppable): number {
    this.#exchanges.set(streamId(exchange.stream), exchange);
    return exchange.stream;
  }
  /** Adds faults for one response; false if the connection has too many. */
  add(stream: number, asked: readonly Asked<Http2Fault>[]): boolean {
    return this.#chain.add(stream, asked);
  }

  // As a filter.

  outgoing(pieces: readonly Uint8Array[]): void {
    this.#chain.send(this.#read(pieces));
  }
  *#read(pieces: readonly Uint8Array[]): Generator<Unit> {
    for (const piece of pieces) {
      for (const unit of this.#units.read(piece)) {
        yield unit;
        if (isLast(unit)) this.#exchanges.delete(unit.stream);
      }
    }
  }
  incoming(bytes: Uint8Array): void {
    this.#windows.received(bytes);
    this.#link.receive(bytes);
    if (this.#owed > 0) this.#giveBack();
  }
  finish(end: () => void): void {
    this.#chain.finish(this.#kit.cut("finish"), end);
  }
  closed(): void {
    this.#chain.closed();
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
    // The machine is writing: the reset waits for the end of its turn.
    queueMicrotask(() => this.#exchanges.get(streamId(stream))?.reset("CANCEL"));
  }

  #giveBack(): void {
    if (this.#owed === 0 || this.#chain.isCut || !this.#windows.isBetweenFrames) return;
    const increment = this.#owed;
    this.#owed = 0;
    this.#link.receive(this.#units.write(frame("WINDOW_UPDATE", CONNECTION, u32(increment)), this.maxFrameSize));
  }
}
