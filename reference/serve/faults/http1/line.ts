import type { Filter, Link } from "../../../io/index.ts";
import { Chain, ontoLink } from "../chain.ts";
import type { Asked } from "../spec.ts";
import type { Http1Fault, Http1Line, Kit } from "./kit.ts";
import { octetsOf, type Unit } from "./unit.ts";
import { Units } from "./units.ts";

/** The filter of one connection: the machine's output passes through the faults. */
export class Http1FaultyLine implements Filter, Http1Line {
  readonly #link: Link;
  readonly #kit: Kit;
  readonly #units: Units;
  readonly #chain: Chain<Unit, Http1Line>;
  #served = 0;

  constructor(link: Link, kit: Kit, asked: readonly Asked<Http1Fault>[]) {
    this.#link = link;
    this.#kit = kit;
    this.#units = new Units(kit.side);
    this.#chain = new Chain({ output: ontoLink(link, this), line: this, shape: kit, asked });
  }

  /** Registers a request, and returns the number of its response. */
  serving({ method }: { readonly method: string }): number {
    this.#units.awaits(method);
    return ++this.#served;
  }
  /** Adds faults for one response; false if the connection has too many. */
  add(message: number, asked: readonly Asked<Http1Fault>[]): boolean {
    return this.#chain.add(message, asked);
  }

  // As a filter.

  outgoing(pieces: readonly Uint8Array[]): void {
    this.#chain.send(this.#read(pieces));
  }
  *#read(pieces: readonly Uint8Array[]): Generator<Unit> {
    for (const piece of pieces) yield* this.#units.read(piece);
  }
  incoming(bytes: Uint8Array): void {
    this.#link.receive(bytes);
  }
  finish(end: () => void): void {
    this.#chain.send(this.#units.finish());
    this.#chain.finish(this.#kit.cut("finish"), end);
  }
  closed(): void {
    this.#chain.closed();
  }

  // As the line that faults work on.

  octetsOf(unit: Unit): Uint8Array {
    return octetsOf(unit);
  }
  /** HTTP/1.1 has no window to give back. */
  drop(): void {}
  /** The machine continues: what it sends is dropped. */
  abandon(): void {}
}
