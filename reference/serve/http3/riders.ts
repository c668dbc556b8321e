import { Deadlines, NEVER, type Instant } from "../../core/index.ts";
import type { Carrier, DatagramMachine } from "../../io/index.ts";
import type { EndpointEvent, QuicConnection, QuicDatagram, QuicEndpoint, QuicEvent } from "../../quic/index.ts";

/** An HTTP connection on one of QUIC. */
export interface Rider {
  readonly quic: QuicConnection;
  /** An event of its transport. */
  receive(event: QuicEvent): void;
  tick(now: Instant): void;
  /** Handles what actions have caused. */
  drain(): void;
  readonly deadline: Instant;
}

/** What a drive learns: the last event says that the socket is no longer needed. */
export type SocketEvent = EndpointEvent | { readonly is: "closed" };

/** All connections of one UDP socket: those of QUIC, and those of HTTP/3 that they carry. What happens costs the connection that it concerns. */
export class Riders implements DatagramMachine<SocketEvent> {
  readonly endpoint: QuicEndpoint;
  readonly #riders = new Map<QuicConnection, Rider>();
  /** Those that something has happened to since they were drained. */
  readonly #stirred = new Set<Rider>();
  readonly #deadlines = new Deadlines<Rider>();
  #isEnding = false;
  #isOver = false;

  constructor(endpoint: QuicEndpoint) {
    this.endpoint = endpoint;
  }

  add(rider: Rider): void {
    this.#riders.set(rider.quic, rider);
    this.#stirred.add(rider);
  }
  /** Its owner has done something with the connection. */
  stir(rider: Rider): void {
    if (this.#riders.has(rider.quic)) this.#stirred.add(rider);
  }
  get size(): number {
    return this.#riders.size;
  }

  /** Passes an event to its connection; one that is closed is forgotten. */
  dispatch({ connection, event }: Extract<EndpointEvent, { readonly is: "event" }>): void {
    const rider = this.#riders.get(connection);
    if (rider === undefined) return;
    if (event.is === "closed") this.#forget(rider);
    else this.#stirred.add(rider);
    rider.receive(event);
  }
  #forget(rider: Rider): void {
    this.#riders.delete(rider.quic);
    this.#stirred.delete(rider);
    this.#deadlines.delete(rider);
  }

  receive(bytes: Uint8Array, from: { readonly host: string; readonly port: number }, now: Instant): readonly SocketEvent[] {
    return this.endpoint.receive(bytes, from, now);
  }
  tick(now: Instant): readonly SocketEvent[] {
    for (const rider of this.#stirred) this.#deadlines.note(rider);
    for (let rider = this.#deadlines.due(now); rider !== undefined; rider = this.#deadlines.due(now)) {
      this.#stirred.add(rider);
      rider.tick(now);
    }
    return this.endpoint.tick(now);
  }
  events(): readonly SocketEvent[] {
    const events = this.endpoint.events();
    if (!this.#isEnding || this.#isOver) return events;
    this.#isOver = true;
    return [...events, { is: "closed" }];
  }
  take(now: Instant): readonly QuicDatagram[] {
    // What one does may stir it, or others, again.
    for (const rider of this.#stirred) {
      this.#stirred.delete(rider);
      rider.drain();
      this.#deadlines.note(rider);
    }
    return this.endpoint.take(now);
  }
  get deadline(): Instant {
    if (this.#isOver) return NEVER;
    for (const rider of this.#stirred) this.#deadlines.note(rider);
    const [transport, riders] = [this.endpoint.deadline, this.#deadlines.first];
    return transport < riders ? transport : riders;
  }
  /** Ends what is left, and then the socket. */
  shutdown(): void {
    this.#isEnding = true;
    this.endpoint.shutdown();
  }
}

/** The socket that a connection shares. */
export type SharedSocket = Pick<Carrier, "wake"> & { readonly machine: Pick<Riders, "stir"> };

/** What carries one connection of a shared socket. */
export class RiderCarrier implements Carrier {
  readonly #socket: SharedSocket;
  readonly #rider: Rider;
  readonly #shutdown: () => void;

  constructor(socket: SharedSocket, rider: Rider, shutdown: () => void) {
    this.#socket = socket;
    this.#rider = rider;
    this.#shutdown = shutdown;
  }
  wake(): void {
    this.#socket.machine.stir(this.#rider);
    this.#socket.wake();
  }
  wakeAfterPromises(): void {
    queueMicrotask(() => this.wake());
  }
  shutdown(): void {
    this.#shutdown();
    this.wake();
  }
  destroy(): void {
    this.#rider.quic.close(0x100, "");
    this.wake();
  }
}
