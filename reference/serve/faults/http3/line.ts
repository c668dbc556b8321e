import { ErrorCode, type Transport } from "../../../http3/index.ts";
import { Chain, type Output } from "../chain.ts";
import type { Asked } from "../spec.ts";
import type { Http3Fault, Http3Line, Kit } from "./kit.ts";
import { idOf, ordinalOf, type Unit } from "./unit.ts";
import { Units } from "./units.ts";

/** An exchange that can be stopped. */
type Stoppable = { readonly stream: number; reset(code: "CANCEL"): void };
const NOTHING = new Uint8Array(0);

/** What a machine of HTTP/3 has for its transport: what it sends passes through the faults. */
export class Http3FaultyLine implements Transport, Http3Line {
  readonly #transport: Transport;
  readonly #wake: () => void;
  readonly #units = new Units();
  readonly #chain: Chain<Unit, Http3Line>;
  /** Requests in progress, by their ordinal. */
  readonly #exchanges = new Map<number, Stoppable>();
  /** Streams on which the machine sends, and those of them that a fault has ended. */
  readonly #sending = new Set<number>();
  readonly #ended = new Set<number>();
  #hasRoom = true;
  #control: number | undefined;

  /** `wake` sends what faults write outside the machine's turn. */
  constructor(transport: Transport, wake: () => void, kit: Kit, asked: readonly Asked<Http3Fault>[]) {
    this.#transport = transport;
    this.#wake = wake;
    this.#chain = new Chain({ output: this.#output, line: this, shape: kit, asked });
  }

  /** Registers a request, and returns the ordinal of its stream. */
  serving(_request: object, exchange: Stoppable): number {
    const ordinal = ordinalOf(exchange.stream);
    this.#exchanges.set(ordinal, exchange);
    return ordinal;
  }
  /** Adds faults for one response; false if the connection has too many. */
  add(message: number, asked: readonly Asked<Http3Fault>[]): boolean {
    return this.#chain.add(message, asked);
  }
  /** The connection is over. */
  closed(): void {
    this.#chain.closed();
    this.#exchanges.clear();
  }

  // As the transport of the machine.

  open(direction: "bidirectional" | "unidirectional"): number | undefined {
    const id = this.#transport.open(direction);
    if (direction === "unidirectional") this.#control ??= id;
    return id;
  }
  send(id: number, bytes: Uint8Array, end: boolean): boolean {
    this.#hasRoom = true;
    this.#sending.add(id);
    this.#chain.send(this.#units.read(id, bytes, end));
    if (end) this.#over(id);
    return this.#hasRoom;
  }
  reset(id: number, code: number): void {
    this.#chain.send([{ is: "reset", stream: ordinalOf(id), code }]);
    this.#over(id);
  }
  unsent(id: number): number {
    return this.#transport.unsent(id);
  }
  consumed(id: number, count: number): void {
    this.#transport.consumed(id, count);
  }
  stop(id: number, code: number): void {
    this.#transport.stop(id, code);
  }
  datagram(bytes: Uint8Array): boolean {
    return this.#transport.datagram(bytes);
  }
  close(code: number, reason: string): void {
    this.#transport.close(code, reason);
  }

  // As the line that faults work on.

  get control(): number | undefined {
    return this.#control;
  }
  octetsOf(unit: Unit): Uint8Array {
    return unit.is === "cut" || unit.is === "reset" ? NOTHING : this.#units.write(unit);
  }
  /** The credit of QUIC is spent only by what is sent. */
  drop(): void {}
  abandon(stream: number): void {
    // The machine is writing: the reset waits for the end of its turn.
    queueMicrotask(() => this.#exchanges.get(stream)?.reset("CANCEL"));
  }

  readonly #output: Output<Unit> = {
    put: (unit) => this.#put(unit),
    flush: () => queueMicrotask(this.#wakeLater),
    cut: (how) => {
      this.#transport.close(how === "end" ? ErrorCode.H3_NO_ERROR : ErrorCode.H3_INTERNAL_ERROR, "");
      this.#wake();
    },
  };
  readonly #wakeLater = (): void => this.#wake();

  #put(unit: Unit): void {
    if (unit.is === "cut") return;
    const id = idOf(unit);
    if (this.#ended.has(id)) return;
    if ((unit.is === "reset" || unit.end) && this.#sending.has(id)) this.#ended.add(id);
    if (unit.is === "reset") return this.#transport.reset(id, unit.code);
    const bytes = this.octetsOf(unit);
    if (bytes.length === 0 && !unit.end) return;
    this.#hasRoom = this.#transport.send(id, bytes, unit.end) && this.#hasRoom;
  }
  /** The machine sends nothing more on a stream. */
  #over(id: number): void {
    this.#sending.delete(id);
    this.#ended.delete(id);
    this.#units.forget(id);
    this.#exchanges.delete(ordinalOf(id));
  }
}
