import { Rig, type Options } from "../../reference/quic/connection/testing.ts";
import type { Closed } from "../../reference/quic/contract.ts";
import type { QuicConnection, QuicEvent } from "../../reference/quic/index.ts";
import { directionOf, initiatorOf, otherSide, type Direction, type Side, type StreamId } from "../../reference/quic/stream-id.ts";
import { pattern } from "../../reference/quic/testing.ts";

/** One direction of a stream: what was written, what has arrived, and how it ended. */
type Flow = { written: number; arrived: number; consumed: number; isEnded: boolean; hasEnd: boolean; isGivenUp: boolean };

/** Datagrams of the bad network have arrived after this time, and what they asked for has left. */
const DRAIN_MS = 1_000;
/** How often both ends ask for a sign of life once the network is calm (rfc9000#10.1.2). */
const KEEP_ALIVE_MS = 10_000;
/** The pause before a probe is about as long as the silence before it, a minute of a script at most; what waits after it takes less than another. */
const MOST_DELIVERY_MS = 150_000;

/** What ends a connection of two honest ends. */
const HONEST = new Set<Closed["by"]>(["us", "peer", "idle", "handshake", "path", "version"]);

/** Two honest ends on a bad network, with books of all that they send. Every method throws if a rule does not hold. */
export class Pair {
  readonly rig: Rig;
  readonly #flows = new Map<string, Flow>();
  readonly #opened: { readonly side: Side; readonly id: StreamId }[] = [];
  readonly #closed: Partial<Record<Side, Closed>> = {};
  readonly #windows: Record<Side, { readonly connection: number; readonly stream: number }>;
  /** The one that is established with our client: damaged and repeated Initial packets may begin others. */
  #server: QuicConnection | undefined;
  /** A server gave up before its handshake was complete: the client may have completed its own, and then gets a stateless reset (rfc9000#10.3). */
  #hasGivenUp = false;
  /** Whether what arrives is read at once. */
  reads = true;
  /** Datagrams of the past. */
  readonly past: { readonly from: Side; readonly bytes: Uint8Array }[] = [];

  constructor(options: Options, windows: { readonly connection: number; readonly stream: number }) {
    this.#windows = { client: windows, server: windows };
    this.rig = new Rig(options);
    this.rig.handle = (side, connection, event) => this.#on(side, connection, event);
    this.rig.meddle = (from, bytes) => {
      if (this.past.length < 64) this.past.push({ from, bytes: bytes.slice() });
      return bytes;
    };
  }

  #connection(side: Side): QuicConnection | undefined {
    return side === "client" ? this.rig.connection : this.#server;
  }
  #flow(by: Side, id: StreamId): Flow {
    const key = `${by} ${id}`;
    const flow = this.#flows.get(key) ?? { written: 0, arrived: 0, consumed: 0, isEnded: false, hasEnd: false, isGivenUp: false };
    this.#flows.set(key, flow);
    return flow;
  }

  open(side: Side, direction: Direction): void {
    const id = this.#connection(side)?.open(direction);
    if (id === undefined) return;
    this.#opened.push({ side, id });
    if (direction === "bidirectional") this.#opened.push({ side: otherSide(side), id });
    this.#flow(side, id);
  }
  /** One of the parts of streams that are open for sending. */
  part(which: number): { readonly side: Side; readonly id: StreamId } | undefined {
    return this.#opened[which % Math.max(1, this.#opened.length)];
  }
  send(side: Side, id: StreamId, count: number, end: boolean): void {
    const flow = this.#flow(side, id);
    const connection = this.#connection(side);
    if (connection === undefined || flow.isEnded || this.#closed[side] !== undefined || !this.#knows(side, id)) return;
    connection.send(id, pattern(id + flow.written, count), end);
    flow.written += count;
    flow.isEnded = end;
  }
  reset(side: Side, id: StreamId, code: number): void {
    if (!this.#knows(side, id)) return;
    const flow = this.#flow(side, id);
    flow.isEnded = true;
    flow.isGivenUp = true;
    this.#connection(side)?.reset(id, code);
  }
  /** Wants no more of what the other side sends. */
  stop(side: Side, id: StreamId, code: number): void {
    const by = otherSide(side);
    if (directionOf(id) === "unidirectional" && initiatorOf(id) === side) return;
    this.#flow(by, id).isGivenUp = true;
    this.#connection(side)?.stop(id, code);
  }
  /** The client has another address; before the handshake is confirmed it must not (rfc9000#9). */
  move(host: string, port: number): void {
    if (this.rig.clientEvents.some(({ is }) => is === "confirmed")) this.rig.clientAddress = { host, port };
  }
  close(side: Side, code: number): void {
    this.#connection(side)?.close(code, "enough");
  }
  act(side: Side, action: (connection: QuicConnection) => void): void {
    const connection = this.#connection(side);
    if (connection !== undefined) action(connection);
  }
  /** The opener knows its stream at once, the other side when something of it has arrived. */
  #knows(side: Side, id: StreamId): boolean {
    return initiatorOf(id) === side || this.#seen.has(`${side} ${id}`);
  }
  readonly #seen = new Set<string>();

  /** Reads what was left. */
  read(): void {
    this.reads = true;
    for (const [key, flow] of this.#flows) {
      const [by, id] = key.split(" ") as [Side, string];
      this.#connection(otherSide(by))?.consumed(Number(id) as StreamId, flow.arrived - flow.consumed);
      flow.consumed = flow.arrived;
    }
  }

  #on(side: Side, connection: QuicConnection, event: QuicEvent): void {
    if (side === "server" && event.is === "established") this.#server ??= connection;
    if (side === "server" && event.is === "closed" && this.#server === undefined) this.#hasGivenUp = true;
    if (connection !== this.#connection(side)) return;
    if (this.#closed[side] !== undefined) throw new Error(`the ${side} says ${event.is} after its end`);
    switch (event.is) {
      case "closed":
        this.#closed[side] = event;
        return;
      case "opened":
        this.#seen.add(`${side} ${event.stream}`);
        return;
      case "stopped":
        this.#flow(side, event.stream).isEnded = true;
        return;
      case "reset":
        if (!this.#flow(otherSide(side), event.stream).isGivenUp) throw new Error(`stream ${event.stream} is reset without a reason`);
        return;
      case "data":
        return this.#onData(side, connection, event);
      default:
    }
  }
  #onData(side: Side, connection: QuicConnection, { stream, octets, end }: Extract<QuicEvent, { is: "data" }>): void {
    const flow = this.#flow(otherSide(side), stream);
    if (flow.hasEnd) throw new Error(`octets after the end of stream ${stream}`);
    if (!Buffer.from(octets).equals(pattern(stream + flow.arrived, octets.length)))
      throw new Error(`the octets from ${flow.arrived} of stream ${stream} are not those that were sent`);
    flow.arrived += octets.length;
    flow.hasEnd = end;
    if (flow.arrived > flow.written || (end && flow.arrived !== flow.written))
      throw new Error(`${flow.arrived} octets of ${flow.written} have arrived on stream ${stream}, end ${end}`);
    if (this.reads) {
      connection.consumed(stream, octets.length);
      flow.consumed += octets.length;
    }
    const waiting = [...this.#flows].filter(([key]) => key.startsWith(otherSide(side))).map(([, one]) => one.arrived - one.consumed);
    const { connection: most, stream: mostOfStream } = this.#windows[side];
    if (waiting.reduce((sum, one) => sum + one, 0) > most || flow.arrived - flow.consumed > mostOfStream)
      throw new Error(`${waiting.join(", ")} octets wait for the ${side}`);
  }

  /** Whether everything that was sent and not given up has arrived. */
  get isDelivered(): boolean {
    return this.rig.connection.isEstablished && [...this.#flows.values()].every(isDelivered);
  }
  /**
   * The network is calm from now on: everything arrives, or the connection has ended for a stated reason; then it ends for idleness.
   * The pauses between probes may be longer than the idle timeout by now, and no PING leaves an end whose window is full. The other one keeps
   * the connection alive until the next probe; if neither end could send anything, idleness is the stated reason.
   */
  settle(): void {
    this.read();
    this.rig.weather = { delayMs: 10, jitterMs: 0, loss: 0, duplication: 0, corruption: 0 };
    const isSettled = (): boolean => this.isDelivered || this.#isOver;
    this.rig.run(DRAIN_MS, isSettled);
    const isAlive = !this.#isOver && this.rig.connection.isEstablished && this.#server !== undefined;
    const before = this.#datagrams;
    if (isAlive) {
      for (let ms = 0; ms < MOST_DELIVERY_MS && !isSettled(); ms += KEEP_ALIVE_MS) {
        for (const side of ["client", "server"] as const) this.#connection(side)!.ping();
        this.rig.run(KEEP_ALIVE_MS, isSettled);
      }
    } else this.rig.run(3_600_000, isSettled);
    const missing = [...this.#flows].filter(([, one]) => !isDelivered(one));
    const isForgiven = this.#isOver && (!isAlive || this.#isClosedByOwner || this.#datagrams === before);
    if (missing.length > 0 && !isForgiven) throw new Error(`not delivered: ${JSON.stringify([missing, this.#closed])}`);
    this.rig.run(3_600_000);
    const { client, server } = this.rig;
    if (client.connections.size + server.connections.size > 0 || Math.min(client.deadline, server.deadline) <= this.rig.now)
      throw new Error(`${client.connections.size} and ${server.connections.size} connections are left at ${this.rig.now}`);
    for (const [side, { by, fault, reason }] of Object.entries(this.#closed) as [Side, Closed][]) {
      const isLate = by === "reset" && (this.#hasGivenUp || this.#closed[otherSide(side)] !== undefined);
      if (fault !== undefined || (!HONEST.has(by) && !isLate)) throw new Error(`the ${side} ends by ${by}: ${fault?.name ?? reason}`);
    }
  }
  get #datagrams(): number {
    return this.rig.sent.client.datagrams + this.rig.sent.server.datagrams;
  }
  get #isClosedByOwner(): boolean {
    return Object.values(this.#closed).some(({ layer }) => layer === "application");
  }
  get #isOver(): boolean {
    return this.#closed.client !== undefined || this.#closed.server !== undefined;
  }
}

const isDelivered = ({ written, arrived, isEnded, hasEnd, isGivenUp }: Flow): boolean =>
  isGivenUp || (arrived === written && hasEnd === isEnded);
