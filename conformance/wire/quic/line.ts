import {
  bindUdp,
  credentialOf,
  DatagramDrive,
  dialUdp,
  now,
  QUIC_PRIMITIVES,
  TLS_PRIMITIVES,
  trust,
  type Place,
} from "../../../reference/io/index.ts";
import { type EndpointEvent, type QuicConnection, QuicEndpoint, type QuicEvent, type QuicLimits } from "../../../reference/quic/index.ts";
import { Client, Server, type Trust } from "../../../reference/tls/index.ts";
import { turn } from "../writes.ts";

/**
 * A QUIC connection under one of our ends of HTTP/3. It is that of `reference/`: the rules of HTTP/3 are about streams, and no verdict is about
 * the packets that carry them.
 */

/** What happens on a connection, in order. */
export type LineEvents = (event: QuicEvent) => void;
type EventOf<Is extends QuicEvent["is"]> = Extract<QuicEvent, { readonly is: Is }>;
export type LineClosed = EventOf<"closed">;

/** Windows that never hold up what a case sends or reads. */
const LIMITS = { connectionWindow: 16_777_216, streamWindow: 4_194_304, idleMs: 60_000, highWater: 16_777_216 } as const;
const ALPN: readonly string[] = ["h3"];
const ANYBODY: Trust = { check: () => undefined };

type Socket = DatagramDrive<EndpointEvent, QuicEndpoint>;

/** Our end of one connection. */
export class QuicLine {
  readonly quic: QuicConnection;
  readonly #socket: Socket;
  /** The connection has a socket of its own. */
  readonly #owns: boolean;

  constructor(quic: QuicConnection, socket: Socket, owns: boolean) {
    this.quic = quic;
    this.#socket = socket;
    this.#owns = owns;
  }

  /** The next stream that we open; undefined while the peer permits no more. */
  open(direction: "bidirectional" | "unidirectional"): number | undefined {
    const id = this.quic.open(direction);
    this.#socket.wake();
    return id;
  }
  send(stream: number, octets: Uint8Array, end: boolean): void {
    this.#act((quic, id) => quic.send(id, octets, end), stream);
  }
  reset(stream: number, code: number): void {
    this.#act((quic, id) => quic.reset(id, code), stream);
  }
  stop(stream: number, code: number): void {
    this.#act((quic, id) => quic.stop(id, code), stream);
  }
  consumed(stream: number, octets: number): void {
    this.#act((quic, id) => quic.consumed(id, octets), stream);
  }
  close(code: number, reason: string): void {
    this.quic.close(code, reason);
    this.#socket.wake();
  }
  ping(): void {
    this.quic.ping();
    this.#socket.wake();
  }
  /** Resolves when what was sent so far has left the process, in datagrams of its own. */
  async flushed(): Promise<void> {
    this.#socket.wake();
    await turn();
    await turn();
  }
  /** Ends the connection if it has not ended, and the socket if nobody else uses it. */
  async drop(): Promise<void> {
    this.close(0x100, "");
    await this.flushed();
    if (this.#owns) this.#socket.destroy();
  }

  #act(act: (quic: QuicConnection, stream: StreamId) => void, stream: number): void {
    act(this.quic, stream as StreamId);
    this.#socket.wake();
  }
}
type StreamId = Parameters<QuicConnection["reset"]>[0];

/** Hands each event to the listener of its connection. */
function socketOn(
  udp: ConstructorParameters<typeof DatagramDrive>[0],
  endpoint: QuicEndpoint,
  handle: (event: EndpointEvent) => void,
): Socket {
  return new DatagramDrive<EndpointEvent, QuicEndpoint>(udp, endpoint, {
    handle: (events) => {
      for (const event of events) handle(event);
    },
    gone: () => {},
  });
}

export type Dialling = {
  readonly place: Place;
  /** The name in the handshake; by default the host of the place. */
  readonly serverName?: string;
  /** Authorities in PEM, or `false` to accept every certificate. */
  readonly trusts: readonly string[] | "system" | false;
  /** Our own certificate, for a server that wants one. */
  readonly identity?: { readonly cert: string; readonly key: string };
  /** Rewrites the transport parameters that we send. */
  readonly parameters?: (octets: Uint8Array) => Uint8Array;
  readonly on: LineEvents;
};

/** Connects to a server; `on` gets `established`, or `closed` if nothing comes of it. */
export async function dialQuic(dialling: Dialling): Promise<QuicLine> {
  const { place, serverName = place.host, trusts, identity, parameters: rewritten = (octets) => octets, on } = dialling;
  const { socket: udp, to } = await dialUdp(place);
  const endpoint = new QuicEndpoint({ primitives: QUIC_PRIMITIVES, limits: LIMITS });
  const socket = socketOn(udp, endpoint, (event) => {
    if (event.is === "event") on(event.event);
  });
  const authorities = trusts === "system" || trusts === false ? {} : { authorities: trusts.join("\n") };
  const judge = trusts === false ? ANYBODY : trust({ of: "server", ...authorities });
  const credentials = identity === undefined ? [] : [credentialOf(identity)];
  const options = { primitives: TLS_PRIMITIVES, serverName, alpn: ALPN, trust: judge, credentials };
  const quic = endpoint.connect(
    to,
    { handshake: (parameters) => new Client({ ...options, parameters: rewritten(parameters) }, now()) },
    now(),
  );
  socket.wake();
  return new QuicLine(quic, socket, true);
}

export type Listening = {
  readonly certificate: { readonly cert: string; readonly key: string };
  readonly limits?: Partial<QuicLimits>;
  /** Any free one by default. */
  readonly port?: number;
  /** A connection begins. Returns the listener of its events. */
  readonly accept: (line: QuicLine) => LineEvents;
};
export type QuicListener = { readonly port: number; stop(): Promise<void> };

/** Listens on a UDP port of the loopback interface. */
export async function listenQuic({ certificate, limits, port = 0, accept }: Listening): Promise<QuicListener> {
  const credential = credentialOf(certificate);
  const listeners = new Map<QuicConnection, LineEvents>();
  const endpoint = new QuicEndpoint({
    primitives: QUIC_PRIMITIVES,
    limits: { ...LIMITS, ...limits },
    accept: (parameters) =>
      new Server({ primitives: TLS_PRIMITIVES, credentials: () => [credential], alpn: ALPN, parameters: () => parameters }, now()),
  });
  const udp = await bindUdp({ host: "127.0.0.1", port });
  const socket: Socket = socketOn(udp, endpoint, (event) => {
    if (event.is === "accepted") {
      listeners.set(event.connection, accept(new QuicLine(event.connection, socket, false)));
      return;
    }
    listeners.get(event.connection)?.(event.event);
    if (event.event.is === "closed") listeners.delete(event.connection);
  });
  return {
    port: udp.address().port,
    stop: async () => {
      endpoint.shutdown();
      socket.wake();
      await turn();
      await turn();
      socket.destroy();
    },
  };
}
