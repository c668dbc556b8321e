import { concatenated, field, instant, Writer, writeVarint, type Field, type Instant } from "../core/index.ts";
import { Encoder } from "../qpack/index.ts";
import { Connection, type Options } from "./connection.ts";
import type { Event } from "./contract.ts";
import { errorCode } from "./error-code.ts";
import { FRAMES, type FrameName } from "./frame/type.ts";
import { StreamType } from "./send/critical.ts";
import type { Side, StreamId } from "./stream/id.ts";
import type { Transport, TransportEvent } from "./transport.ts";

/** Shared by the tests of this folder: a transport that notes what it is asked, and octets of a peer. */

export const id = (raw: number): StreamId => raw as StreamId;
const T0: Instant = instant(0);

/** A transport whose peer allows any number of streams. */
export class FakeTransport implements Transport {
  readonly log: string[] = [];
  readonly sent = new Map<number, Uint8Array[]>();
  readonly given = new Map<number, number>();
  readonly datagrams: Uint8Array[] = [];
  /** Streams that the peer allows, and whether there is room in their queues. */
  allowed = { bidirectional: 100, unidirectional: 100 };
  hasRoom = true;
  /** Octets that have not left, by stream. */
  readonly left = new Map<number, number>();
  readonly #side: Side;
  readonly #next = { bidirectional: 0, unidirectional: 0 };

  constructor(side: Side) {
    this.#side = side;
  }
  open(direction: "bidirectional" | "unidirectional"): number | undefined {
    if (this.#next[direction] >= this.allowed[direction]) return undefined;
    return this.#next[direction]++ * 4 + (direction === "unidirectional" ? 2 : 0) + (this.#side === "server" ? 1 : 0);
  }
  send(stream: number, octets: Uint8Array, end: boolean): boolean {
    this.sent.set(stream, [...(this.sent.get(stream) ?? []), octets.slice()]);
    if (end) this.log.push(`end ${stream}`);
    return this.hasRoom;
  }
  unsent(stream: number): number {
    return this.left.get(stream) ?? 0;
  }
  consumed(stream: number, octets: number): void {
    this.given.set(stream, (this.given.get(stream) ?? 0) + octets);
  }
  reset(stream: number, code: number): void {
    this.log.push(`reset ${stream} ${errorCode(code)}`);
  }
  stop(stream: number, code: number): void {
    this.log.push(`stop ${stream} ${errorCode(code)}`);
  }
  datagram(octets: Uint8Array): boolean {
    this.datagrams.push(octets);
    return true;
  }
  close(code: number, reason: string): void {
    this.log.push(`close ${errorCode(code)}${reason === "" ? "" : ` ${reason}`}`);
  }
  /** Everything that was sent on a stream. */
  octets(stream: number): Uint8Array {
    return concatenated(this.sent.get(stream) ?? []);
  }
}

export const varints = (...values: readonly number[]): Uint8Array => {
  const writer = new Writer();
  for (const value of values) writeVarint(writer, value);
  return writer.take();
};
/** A frame with any type and payload. */
export const frameOf = (type: FrameName | number, payload: Uint8Array = new Uint8Array(0)): Uint8Array =>
  concatenated([varints(typeof type === "number" ? type : FRAMES[type].type, payload.length), payload]);
export const text = (words: string): Uint8Array => new Uint8Array(Buffer.from(words));

export const GET: readonly (readonly [string, string])[] = [
  [":method", "GET"],
  [":scheme", "https"],
  [":authority", "example.com"],
  [":path", "/"],
];
export const POST = [[":method", "POST"], ...GET.slice(1)] as const;
export const fieldsOf = (pairs: readonly (readonly [string, string])[]): readonly Field[] =>
  pairs.map(([name, value]) => field(name, value));
/** A HEADERS frame that uses the static table alone. */
export function headers(pairs: readonly (readonly [string, string])[]): Uint8Array {
  const writer = new Writer();
  new Encoder({ tableCapacity: 0 }).encode(0, fieldsOf(pairs), writer);
  return frameOf("HEADERS", writer.take());
}

/** A connection with its transport, and its peer's octets. The streams of the peer have the numbers of the first of their kind. */
export class Rig {
  readonly transport: FakeTransport;
  readonly connection: Connection;
  readonly events: Event[] = [];
  now = T0;
  readonly #peer: 0 | 1;

  constructor(side: Side, options: Partial<Options> = {}) {
    this.transport = new FakeTransport(side);
    this.connection = new Connection({ side, transport: this.transport, ...options }, this.now);
    this.#peer = side === "server" ? 0 : 1;
  }
  feed(event: TransportEvent): this {
    this.events.push(...this.connection.receive(event, this.now));
    return this;
  }
  /** The transport is established, and the peer has opened its control stream. */
  ready(settings: Uint8Array = frameOf("SETTINGS")): this {
    this.feed({ is: "established" });
    return this.control(concatenated([varints(StreamType.control), settings]));
  }
  /** The number of the peer's unidirectional stream at this position. */
  uni(ordinal: number): number {
    return ordinal * 4 + 2 + this.#peer;
  }
  control(octets: Uint8Array, end = false): this {
    return this.data(this.uni(0), octets, end);
  }
  data(stream: number, octets: Uint8Array, end = false): this {
    return this.feed({ is: "data", stream, octets, end });
  }
  /** A request stream of a client. */
  open(stream: number): this {
    return this.feed({ is: "opened", stream });
  }
  request(stream: number, octets: Uint8Array, end = true): this {
    return this.open(stream).data(stream, octets, end);
  }
  tick(at: number): this {
    this.now = instant(at);
    this.events.push(...this.connection.tick(this.now));
    return this;
  }
  drain(): this {
    this.events.push(...this.connection.events());
    return this;
  }
  /** The name of the fault that ended a stream or the connection, with what the transport was told. */
  get verdict(): string {
    for (const event of this.events)
      if ((event.is === "closed" || event.is === "reset") && event.fault !== undefined)
        return `${event.fault.scope} ${event.fault.code} ${event.fault.name} ${event.fault.spec}`;
    return "none";
  }
  find<Name extends Event["is"]>(is: Name): Extract<Event, { is: Name }> | undefined {
    return this.events.find((event): event is Extract<Event, { is: Name }> => event.is === is);
  }
}
