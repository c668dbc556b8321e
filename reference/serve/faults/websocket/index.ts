import type { Filter, Link } from "../../../io/index.ts";
import { Chain, ontoLink } from "../chain.ts";
import type { Line } from "../fault.ts";
import type { Asked } from "../spec.ts";
import { timing } from "../timing.ts";
import { ending } from "./ending.ts";
import { frames } from "./frames.ts";
import { kitFor, type Kit, type WebSocketFault } from "./kit.ts";
import { octetsOf, type Unit } from "./unit.ts";
import { Units } from "./units.ts";

/** The faults of WebSocket, by name. A name is permanent. */
const table = (kit: Kit): readonly WebSocketFault[] => [...ending(kit), ...timing(kit), ...frames(kit)];
export const SERVER_KIT = kitFor("server");
export const SERVER_FAULTS = table(SERVER_KIT);
export const CLIENT_KIT = kitFor("client");
export const CLIENT_FAULTS = table(CLIENT_KIT);

/** The filter of one connection, over any carrier: the machine's output passes through the faults. */
export class WebSocketFaultyLine implements Filter {
  readonly #link: Link;
  readonly #kit: Kit;
  readonly #units = new Units();
  readonly #chain: Chain<Unit, Line<Unit>>;

  constructor(link: Link, kit: Kit, asked: readonly Asked<WebSocketFault>[]) {
    this.#link = link;
    this.#kit = kit;
    // A machine without windows: a dropped frame costs it nothing.
    const line: Line<Unit> = { octetsOf, drop: () => {}, abandon: () => {} };
    this.#chain = new Chain({ output: ontoLink(link, line), line, shape: kit, asked });
  }
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
    this.#chain.finish(this.#kit.cut("finish"), end);
  }
  closed(): void {
    this.#chain.closed();
  }
}
