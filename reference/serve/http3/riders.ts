import { NEVER, type Instant } from "../../core/index.ts";
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

/** All connections of one UDP socket: those of QUIC, and those of HTTP/3 that they carry. */
export class Riders implements DatagramMachine<SocketEvent> {
  readonly endpoint: QuicEndpoint;
  readonly #riders = new Map<QuicConnection, Rider>();
  #isEnding = false;
  #isOver = false;

  constructor(endpoint: QuicEndpoint) {
    this.endpoint = endpoint;
  }

  add(rider: Rider): void {
    this.#riders.set(rider.quic, rider);
  }
  get size(): number {
    return this.#riders.size;
  }

  /** Passes an event to its connection; one that is closed is forgotten. */
  dispatch({ connection, event }: Extract<EndpointEvent, { readonly is: "event" }>): void {
    const rider = this.#riders.get(connection);
    if (rider === undefined) return;
    if (event.is === "closed") this.#riders.delete(connection);
    rider.receive(event);
  }

  receive(bytes: Uint8Array, from: { readonly host: string; readonly port: number }, now: Instant): readonly SocketEvent[] {
    return this.endpoint.receive(bytes, from, now);
  }
  tick(now: Instant): readonly SocketEvent[] {
    for (const rider of this.#riders.values()) if (rider.deadline <= now) rider.tick(now);
    return this.endpoint.tick(now);
  }
  events(): readonly SocketEvent[] {
    const events = this.endpoint.events();
    if (!this.#isEnding || this.#isOver) return events;
    this.#isOver = true;
    return [...events, { is: "closed" }];
  }
  take(now: Instant): readonly QuicDatagram[] {
    for (const rider of this.#riders.values()) rider.drain();
    return this.endpoint.take(now);
  }
  get deadline(): Instant {
    let first = this.endpoint.deadline;
    for (const { deadline } of this.#riders.values()) if (deadline < first) first = deadline;
    return this.#isOver ? NEVER : first;
  }
  /** Ends what is left, and then the socket. */
  shutdown(): void {
    this.#isEnding = true;
    this.endpoint.shutdown();
  }
}

/** What carries one connection of a shared socket. */
export class RiderCarrier implements Carrier {
  readonly #socket: Pick<Carrier, "wake" | "wakeAfterPromises">;
  readonly #quic: QuicConnection;
  readonly #shutdown: () => void;

  constructor(socket: Pick<Carrier, "wake" | "wakeAfterPromises">, quic: QuicConnection, shutdown: () => void) {
    this.#socket = socket;
    this.#quic = quic;
    this.#shutdown = shutdown;
  }
  wake(): void {
    this.#socket.wake();
  }
  wakeAfterPromises(): void {
    this.#socket.wakeAfterPromises();
  }
  shutdown(): void {
    this.#shutdown();
    this.wake();
  }
  destroy(): void {
    this.#quic.close(0x100, "");
    this.wake();
  }
}
