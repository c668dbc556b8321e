import { randomBytes } from "node:crypto";
import type { Socket } from "node:dgram";
import { bindUdp, credentialOf, dialUdp, now, type Place, QUIC_PRIMITIVES, TLS_PRIMITIVES } from "../../../reference/io/index.ts";
import { V1, V2 } from "../../../reference/quic/index.ts";
import {
  Client,
  type EarlyGuard,
  type GroupName,
  Server,
  type Session,
  type SuiteName,
  Tickets,
  type Trust,
} from "../../../reference/tls/index.ts";
import { varint } from "../http3/varint.ts";
import { fromHex, toHex } from "../octets.ts";
import { RawEnd } from "./end.ts";
import type { EndOptions, Hold } from "./end-options.ts";
import type { Observed, Transcript } from "./observed.ts";
import { Forged, type Forging } from "./forgery.ts";
import { editHello, type HelloSpec } from "./hello.ts";
import { PARAMETERS } from "./names.ts";
import { anyVersion, type Cut, cut } from "./packets.ts";
import { isHello, offersSession } from "./offer.ts";
import { offering, Recording, type ResumeSpec } from "./resuming.ts";
import { editParameters, type Parameter, type ParameterSpec, readParameters } from "./parameters.ts";

/** Raw ends over UDP. */

export const ID_OCTETS = 8;
const ANYBODY: Trust = { check: () => undefined };
/** How often a handshake without progress is repeated, in milliseconds, and how many times. */
const AGAIN_MS = 300;
const AGAIN = 8;
/** Repeats the handshake of an end now and then. */
export function repeating(end: RawEnd): NodeJS.Timeout {
  let left = AGAIN;
  return setInterval(() => {
    if (left-- > 0) end.again();
  }, AGAIN_MS).unref();
}

/** How a client begins. */
export type ConnectSpec = {
  /** Resumes a session that an earlier connection was given. */
  readonly resume?: ResumeSpec;
  readonly suites?: readonly SuiteName[];
  /** Of QUIC; 1 by default. */
  readonly version?: 2;
  readonly parameters?: ParameterSpec;
  readonly hello?: HelloSpec;
  readonly alpn?: readonly string[];
  readonly hold?: Hold;
  /** Groups with a key share: none that the server accepts costs a HelloRetryRequest. */
  readonly shares?: readonly GroupName[];
  /** Octets of the ID that we choose for the server (8), and of each datagram of the first flight (1,200). */
  readonly idOctets?: number;
  readonly size?: number;
  /** A token in hex. */
  readonly token?: string;
  /** Sends the token of a Retry back with another last octet. */
  readonly spoils?: true;
};

/** What our ends offer: windows that never hold up anything. */
export const offered = (source: Uint8Array): Parameter[] => [
  [PARAMETERS.max_idle_timeout, varint(60_000)],
  [PARAMETERS.initial_max_data, varint(2 ** 30)],
  [PARAMETERS.initial_max_stream_data_bidi_local, varint(2 ** 24)],
  [PARAMETERS.initial_max_stream_data_bidi_remote, varint(2 ** 24)],
  [PARAMETERS.initial_max_stream_data_uni, varint(2 ** 24)],
  [PARAMETERS.initial_max_streams_bidi, varint(100)],
  [PARAMETERS.initial_max_streams_uni, varint(100)],
  [PARAMETERS.active_connection_id_limit, varint(4)],
  [PARAMETERS.initial_source_connection_id, source],
];

export type Dialling = {
  readonly on: (observed: Observed) => void;
  readonly transcript?: Transcript;
  readonly forging?: Forging;
  /** The session that `resume` resumes; and what gets those that the server gives. */
  readonly session?: Session;
  readonly keep?: (session: Session) => void;
  /** That of an earlier connection, to send the same ClientHello again. */
  readonly recording?: Recording;
};

/** A raw client with its socket. */
export class RawLine {
  readonly end: RawEnd;
  /** Which datagrams are read. */
  filter: (datagram: Uint8Array) => boolean = () => true;
  #socket: Socket;
  readonly #to: Place;
  readonly #timer: NodeJS.Timeout;
  readonly #source: Uint8Array;
  #isGone = false;

  private constructor(socket: Socket, to: Place, options: Omit<EndOptions, "transmit">) {
    this.#socket = socket;
    this.#to = to;
    this.#source = options.source;
    this.end = new RawEnd({ ...options, transmit: (datagram) => this.raw(datagram) });
    this.#listen();
    this.#timer = repeating(this.end);
  }

  static async dial(
    place: Place,
    spec: ConnectSpec,
    { on, transcript, session, keep, forging, recording = new Recording(ID_OCTETS) }: Dialling,
  ): Promise<RawLine> {
    const { socket, to } = await dialUdp(place);
    const { source } = recording;
    // A server that prefers another suite would not resume a session of this one, though it could.
    const { hello, resume, suites = session && [session.suite] } = spec;
    const versions: Parameter[] = spec.version === undefined ? [] : [[PARAMETERS.version_information, fromHex("6b3343cf6b3343cf")]];
    const parameters = editParameters([...offered(source), ...versions], spec.parameters ?? {});
    const clientOf = (primitives: typeof TLS_PRIMITIVES): Client =>
      new Client(
        {
          primitives,
          serverName: place.host,
          alpn: spec.alpn ?? ["h3"],
          trust: ANYBODY,
          parameters,
          groups: ["x25519", "secp256r1"],
          shares: spec.shares ?? ["x25519"],
          ...(suites === undefined ? {} : { suites }),
          ...(session === undefined ? {} : { session, early: resume?.early === true }),
        },
        recording.at,
      );
    // Everything that is changed in an offer belongs to the transcript, and the rest of a ClientHello with it.
    const offers =
      session === undefined || (hello ?? resume?.offer) === undefined ? undefined : offering(hello ?? {}, resume?.offer ?? {}, session);
    const forged = forging ?? offers;
    const tls = forged === undefined ? clientOf(recording.primitives()) : new Forged(clientOf, forged, recording.primitives());
    return new RawLine(socket, to, {
      we: "client",
      primitives: QUIC_PRIMITIVES,
      version: spec.version === undefined ? V1 : V2,
      tls,
      now,
      source,
      destination: new Uint8Array(randomBytes(spec.idOctets ?? ID_OCTETS)),
      on,
      ours: new Map(readParameters(parameters)),
      ...(session === undefined ? {} : { remembered: new Map(readParameters(session.parameters)) }),
      keep,
      hold: spec.hold,
      size: spec.size,
      spoils: spec.spoils,
      ...(transcript === undefined ? {} : { transcript }),
      ...(hello === undefined || offers !== undefined ? {} : { hello: (octets: Uint8Array) => editHello(octets, hello) }),
      ...(spec.token === undefined ? {} : { token: new Uint8Array(Buffer.from(spec.token, "hex")) }),
    });
  }

  #listen(): void {
    this.#socket
      .on("message", (datagram) => {
        if (!this.#isGone && this.filter(datagram)) this.end.receive(datagram);
      })
      // Nothing listens there any more: the silence that follows says so.
      .on("error", () => {});
  }

  /** Sends a datagram as it is. */
  raw(datagram: Uint8Array): void {
    // What cannot be sent is lost like any datagram.
    if (!this.#isGone) this.#socket.send(datagram, this.#to.port, this.#to.host, () => {});
  }
  /** A long packet of another version, with the IDs of this connection. */
  ofVersion(version: number, octets: number, source = this.#source): Uint8Array {
    return anyVersion(version, this.end.destination, source, new Uint8Array(randomBytes(octets)));
  }
  /** Goes on from another port, without a word. */
  async rebind(): Promise<void> {
    const old = this.#socket;
    this.#socket = (await dialUdp({ host: this.#to.host, port: this.#to.port })).socket;
    this.#listen();
    old.removeAllListeners("message");
    old.close();
  }
  /** Ends the connection without a trace in what is observed. */
  drop(): void {
    if (this.#isGone) return;
    clearInterval(this.#timer);
    this.end.acknowledges = false;
    for (const level of ["application", "initial"] as const)
      if (!this.end.isOver) this.end.send({ level }, [{ type: "CONNECTION_CLOSE", code: "NO_ERROR" }]);
    this.#isGone = true;
    this.#socket.close();
  }
}

export type RawListening = {
  readonly certificate: { readonly cert: string; readonly key: string };
  readonly parameters?: ParameterSpec;
  readonly alpn: readonly string[];
  /** Gives tickets, and takes the 0-RTT data that this admits. */
  readonly early?: EarlyGuard | undefined;
  /** Whether the session of a client is resumed; by default every one is. */
  readonly resumes?: (() => boolean) | undefined;
  /** The parameters of a connection that resumes a session, if they are others. */
  readonly later?: ParameterSpec | undefined;
  readonly forging?: Forging | undefined;
  /** A datagram that begins no connection yet, and the answer to it as a whole; undefined lets the connection begin. */
  readonly meets?: (datagram: Uint8Array, answer: (octets: Uint8Array) => void) => "ignore" | undefined;
  /** A connection begins; `route` gives it packets to another ID. */
  readonly accept: (end: RawEnd, route: (id: Uint8Array) => void) => Accepted;
};
/** What listens to a connection. */
export type Accepted = {
  readonly on: (observed: Observed) => void;
  /** Called for each datagram; false drops it. */
  readonly before?: (datagram: Uint8Array) => boolean;
  /** The client has another address. */
  readonly moved?: () => void;
};

type To = { readonly address: string; port: number };

/** Listens on a free UDP port of the loopback interface, with raw ends. */
export async function listenRaw({
  certificate,
  parameters,
  alpn,
  early,
  resumes = () => true,
  later,
  forging = {},
  meets,
  accept,
}: RawListening): Promise<{ port: number; stop(): Promise<void> }> {
  const credential = credentialOf(certificate);
  const tickets = new Tickets({ primitives: TLS_PRIMITIVES });
  const sealed: ConstructorParameters<typeof Server>[0]["tickets"] & {} = {
    lifetimeMs: tickets.lifetimeMs,
    seal: (ticket) => tickets.seal(ticket),
    open: (octets, at) => (resumes() ? tickets.open(octets, at) : undefined),
  };
  const socket = await bindUdp({ host: "127.0.0.1", port: 0 });
  let isStopped = false;
  const ends = new Map<string, { readonly end: RawEnd; readonly accepted: Accepted; readonly to: To }>();
  const begin = ({ destination, source: client, version }: Extract<Cut, { is: "protected" }>, to: To): void => {
    const [first, peer] = [destination.slice(), client.slice()];
    const source = new Uint8Array(randomBytes(ID_OCTETS));
    const given: Parameter[] = [
      ...offered(source),
      [PARAMETERS.original_destination_connection_id, first],
      [PARAMETERS.stateless_reset_token, new Uint8Array(randomBytes(16))],
    ];
    let isOffered = false;
    const reads = (octets: Uint8Array): Uint8Array => {
      if (isHello(octets)) isOffered = offersSession(octets);
      return forging.reads?.(octets) ?? octets;
    };
    const tls = new Forged(
      (primitives) =>
        new Server(
          {
            primitives,
            credentials: () => [credential],
            alpn,
            parameters: () => editParameters(given, (isOffered ? later : undefined) ?? parameters ?? {}),
            ...(early === undefined ? {} : { tickets: sealed, early }),
          },
          now(),
        ),
      { ...forging, reads },
    );
    let listen: (observed: Observed) => void = () => {};
    const end = new RawEnd({
      we: "server",
      primitives: QUIC_PRIMITIVES,
      version,
      tls,
      now,
      source,
      destination: peer,
      // What cannot be sent is lost like any datagram.
      transmit: (datagram) => {
        if (!isStopped) socket.send(datagram, to.port, to.address, () => {});
      },
      on: (observed) => listen(observed),
    });
    end.firstId(first);
    const route = (id: Uint8Array): void => void ends.set(toHex(id), entry);
    const accepted = accept(end, route);
    const entry = { end, accepted, to };
    listen = accepted.on;
    for (const id of [first, source]) route(id);
  };
  socket.on("message", (datagram, { address, port }) => {
    const [packet] = cut(datagram, ID_OCTETS);
    const answer = (octets: Uint8Array): void => void socket.send(octets, port, address, () => {});
    const known = packet?.is === "protected" ? ends.get(toHex(packet.destination)) : undefined;
    if (known === undefined && meets?.(datagram, answer) === "ignore") return;
    if (packet === undefined || packet.is === "version negotiation" || packet.is === "retry") return;
    if (known === undefined && packet.is === "protected" && packet.level === "initial") begin(packet, { address, port });
    const found = packet.is === "protected" ? ends.get(toHex(packet.destination)) : undefined;
    if (found === undefined || found.accepted.before?.(datagram) === false) return;
    const hasMoved = found.to.port !== port;
    found.to.port = port;
    if (hasMoved) found.accepted.moved?.();
    found.end.receive(datagram);
  });
  return {
    port: socket.address().port,
    stop: () =>
      new Promise((resolve) => {
        isStopped = true;
        socket.close(() => resolve());
      }),
  };
}
