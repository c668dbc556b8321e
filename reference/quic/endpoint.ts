import { Deadlines, Writer, type Instant } from "../core/index.ts";
import { keyOf, sameOctets, type ConnectionIdKey } from "./connection-id.ts";
import { Connection } from "./connection/connection.ts";
import type { Observing } from "./connection/observation.ts";
import type { Datagram, Event } from "./contract.ts";
import { TransportError } from "./error-code.ts";
import { RESET_TOKEN_LENGTH } from "./frame/index.ts";
import type { Handshake } from "./handshake.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { Draft } from "./packet/draft.ts";
import { readHeader, writeVersionNegotiation, type Header } from "./packet/header.ts";
import { initialKeys } from "./packet/keys.ts";
import { writeRetry } from "./packet/retry.ts";
import { DEFAULT_PARAMETERS, writeParameters, type Parameters } from "./params.ts";
import { ByRemote } from "./path/by-remote.ts";
import { IssuedIds, resetTokenOf } from "./path/issued-ids.ts";
import type { Address } from "./path/path.ts";
import { Tokens } from "./path/token.ts";
import type { Primitives } from "./primitives.ts";
import { BASE_DATAGRAM } from "./recovery/newreno.ts";
import type { CongestionName } from "./recovery/recovery.ts";
import { V1, V2, type Version } from "./version.ts";

const ID_LENGTH = 8;
/** A stateless reset looks like a packet, and is shorter than what it answers (rfc9000#10.3). */
const RESET_LENGTH = 43;
const NO_TOKEN = new Uint8Array(0);

export type EndpointOptions = {
  readonly primitives: Primitives;
  readonly limits?: Partial<Limits>;
  /** The largest datagram that leaves for an address without being cut; datagrams do not grow where nobody knows (rfc9000#14). */
  readonly largest?: (remote: Address) => number;
  /** What controls congestion: NewReno (rfc9002#7), or CUBIC (RFC 9438). */
  readonly congestion?: CongestionName;
  /**
   * Server: makes the handshake of a new connection of this version of QUIC, whose sessions no other version may resume (rfc9369#5). Without it no
   * connection is accepted.
   */
  readonly accept?: (parameters: Uint8Array, version: number) => Handshake;
  /** Server: whether clients have to prove their address first (rfc9000#8.1.2): when there are many, or always. */
  readonly retry?: "busy" | "always";
  /** Makes the observers of connections. */
  readonly observe?: Observing;
  /** 32 octets for tokens of stateless resets, 16 for tokens of addresses. Without them they are drawn: tokens end with the endpoint. */
  readonly resetKey?: Uint8Array;
  readonly tokenKey?: Uint8Array;
};

export type ConnectOptions = {
  readonly handshake: (parameters: Uint8Array) => Handshake;
  readonly version?: Version;
  readonly token?: Uint8Array;
  readonly remembered?: Parameters;
};

export type EndpointEvent =
  | { readonly is: "accepted"; readonly connection: Connection }
  | { readonly is: "event"; readonly connection: Connection; readonly event: Event };

type Initial = Extract<Header, { readonly is: "long" }>;

/** Versions that a server accepts. */
const AVAILABLE: readonly number[] = [V1.number, V2.number];

/**
 * All connections of one socket: finds the connection of a datagram, accepts new ones, and answers what belongs to none (rfc9000#5.2). An input
 * or an action costs the connection that it concerns, however many others there are.
 */
export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #limits: Limits;
  readonly #resetKey: Uint8Array;
  readonly #tokens: Tokens;
  readonly #byId = new Map<ConnectionIdKey, Connection>();
  readonly #connections = new Set<Connection>();
  readonly #byRemote = new ByRemote<Connection>();
  /** Those that something has happened to since they had nothing more to say. */
  readonly #stirred = new Set<Connection>();
  readonly #deadlines = new Deadlines<Connection>();
  /** The first ID of the client finds the connection until it is established. */
  readonly #firstIds = new Map<Connection, ConnectionIdKey>();
  #unvalidated = 0;
  #answers: Datagram[] = [];
  #events: EndpointEvent[] = [];

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#limits = LIMITS.with(options.limits);
    const { random } = options.primitives;
    this.#resetKey = options.resetKey ?? random(new Uint8Array(32));
    this.#tokens = new Tokens(options.primitives, options.tokenKey ?? random(new Uint8Array(16)));
  }

  get connections(): ReadonlySet<Connection> {
    return this.#connections;
  }
  get deadline(): Instant {
    for (const connection of this.#stirred) this.#deadlines.note(connection);
    return this.#deadlines.first;
  }

  /** Client: begins a connection. */
  connect(remote: Address, { handshake, version = V1, token, remembered }: ConnectOptions, now: Instant): Connection {
    const { primitives, largest, congestion } = this.#options;
    const issued = this.#newIds();
    const first = primitives.random(new Uint8Array(ID_LENGTH));
    const parameters: Parameters = {
      ...this.#parameters(),
      // No other: the server may not go on with another version than this one (rfc9368#2.3).
      version_information: { chosen: version.number, available: [version.number] },
      initial_source_connection_id: [...issued.all][0]!,
    };
    const connection = new Connection(
      {
        side: "client",
        version,
        primitives,
        limits: this.#limits,
        remote,
        issued,
        peerId: first,
        initialId: first,
        originalId: first,
        observer: this.#options.observe?.({ side: "client", originalId: first }, now),
        parameters,
        handshake: handshake(writeParameters(parameters)),
        ...(largest !== undefined && { largest }),
        ...(congestion !== undefined && { congestion }),
        ...(token !== undefined && { token }),
        ...(remembered !== undefined && { remembered }),
      },
      now,
    );
    this.#add(connection);
    return connection;
  }

  receive(bytes: Uint8Array, from: Address, now: Instant): readonly EndpointEvent[] {
    const header = readHeader(bytes, 0, ID_LENGTH);
    if (header.is === "fault") return [];
    const connection = this.#byId.get(keyOf(header.destination)) ?? this.#accept(header, bytes.length, from, now);
    if (connection === undefined) {
      // A stateless reset has an ID of nobody, so each connection looks at it.
      if (header.is === "short") return this.#unknown(bytes, from, now);
      return this.#drain();
    }
    this.#tell(connection, connection.receive(bytes, from, now));
    return this.#drain();
  }
  tick(now: Instant): readonly EndpointEvent[] {
    for (const connection of this.#stirred) this.#deadlines.note(connection);
    for (let one = this.#deadlines.due(now); one !== undefined; one = this.#deadlines.due(now)) this.#tell(one, one.tick(now));
    return this.#drain();
  }
  events(): readonly EndpointEvent[] {
    for (const connection of this.#stirred) this.#tell(connection, connection.events());
    return this.#drain();
  }
  take(now: Instant): readonly Datagram[] {
    const datagrams = this.#answers;
    this.#answers = [];
    for (const connection of this.#stirred) {
      const own = connection.take(now);
      datagrams.push(...own);
      if (own.length === 0) this.#calm(connection);
    }
    return datagrams;
  }
  /** Ends all connections at once. */
  shutdown(): void {
    for (const connection of this.#connections) connection.close(0, "");
  }

  #drain(): readonly EndpointEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
  #tell(connection: Connection, events: readonly Event[]): void {
    for (const event of events) this.#events.push({ is: "event", connection, event });
    this.#track(connection);
    if (connection.isEstablished) this.#established(connection);
    if (connection.isGone) this.#forget(connection);
    else this.#stirred.add(connection);
  }
  /** A connection has nothing more to send: it waits for an input, an action or its deadline. */
  #calm(connection: Connection): void {
    this.#tell(connection, connection.events());
    this.#stirred.delete(connection);
    if (!connection.isGone) this.#deadlines.note(connection);
  }
  #forget(connection: Connection): void {
    this.#established(connection);
    for (const id of connection.ids) this.#byId.delete(keyOf(id));
    for (const all of [this.#connections, this.#stirred, this.#byRemote, this.#deadlines]) all.delete(connection);
  }
  /** A connection that is established needs no place among those that prove nothing. */
  #established(connection: Connection): void {
    const first = this.#firstIds.get(connection);
    if (first === undefined) return;
    this.#firstIds.delete(connection);
    this.#byId.delete(first);
    this.#unvalidated--;
  }
  #track(connection: Connection): void {
    for (const { is, id } of connection.idChanges()) {
      if (is === "issued") this.#byId.set(keyOf(id), connection);
      else this.#byId.delete(keyOf(id));
    }
    this.#byRemote.note(connection);
  }
  #add(connection: Connection): void {
    this.#connections.add(connection);
    this.#stirred.add(connection);
    connection.onAction = () => void this.#stirred.add(connection);
    this.#track(connection);
  }

  #newIds(): IssuedIds {
    const { primitives } = this.#options;
    return new IssuedIds(primitives, this.#resetKey, primitives.random(new Uint8Array(ID_LENGTH)));
  }
  #parameters(): Parameters {
    const limits = this.#limits;
    return {
      ...DEFAULT_PARAMETERS,
      max_idle_timeout: limits.idleMs,
      max_udp_payload_size: 65_527,
      initial_max_data: limits.connectionWindow,
      initial_max_stream_data_bidi_local: limits.streamWindow,
      initial_max_stream_data_bidi_remote: limits.streamWindow,
      initial_max_stream_data_uni: limits.streamWindow,
      initial_max_streams_bidi: limits.bidirectionalStreams,
      initial_max_streams_uni: limits.unidirectionalStreams,
      active_connection_id_limit: limits.connectionIds,
      max_datagram_frame_size: limits.datagramOctets,
    };
  }

  /** A connection for the first packet of a client, if it may have one (rfc9000#5.2.2). */
  #accept(header: Header, size: number, from: Address, now: Instant): Connection | undefined {
    const { accept, primitives, retry, largest, congestion } = this.#options;
    if (accept === undefined || size < BASE_DATAGRAM) return undefined;
    if (header.is === "unknownVersion") return this.#negotiate(header, from);
    if (header.is !== "long" || header.type !== "initial" || header.destination.length < 8) return undefined;
    if (this.#connections.size >= this.#limits.connections) return this.#refuse(header, "CONNECTION_REFUSED", from);
    const token = header.token.length === 0 ? undefined : this.#tokens.read(header.token, { ...from, version: header.version.number });
    const age = token === undefined ? 0 : now - token.at;
    // A second Retry would not be accepted, so the client has to know (rfc9000#8.1.2).
    const isSpoilt = token === undefined && header.destination.length === ID_LENGTH && this.#tokens.isOfRetry(header.token);
    if (isSpoilt) return this.#refuse(header, "INVALID_TOKEN", from);
    let original = header.destination.slice();
    let retryId: Uint8Array | undefined;
    if (token?.is === "retry") {
      const isFresh = age <= this.#limits.retryTokenMs && sameOctets(token.destination, header.destination);
      if (!isFresh) return this.#refuse(header, "INVALID_TOKEN", from);
      original = token.original.slice();
      retryId = header.destination.slice();
    }
    const isValidated = token?.is === "retry" || (token?.is === "new" && age <= this.#limits.newTokenMs);
    const isBusy = retry === "always" || this.#unvalidated >= this.#limits.unvalidated;
    if (!isValidated && isBusy) return this.#retry(header, from, now);

    const issued = this.#newIds();
    const [id] = [...issued.all];
    const parameters: Parameters = {
      ...this.#parameters(),
      version_information: { chosen: header.version.number, available: AVAILABLE },
      original_destination_connection_id: original,
      initial_source_connection_id: id!,
      stateless_reset_token: issued.resetTokenOf(id!),
      ...(retryId !== undefined && { retry_source_connection_id: retryId }),
    };
    const connection = new Connection(
      {
        side: "server",
        version: header.version,
        primitives,
        limits: this.#limits,
        remote: from,
        issued,
        peerId: header.source.slice(),
        initialId: header.destination.slice(),
        originalId: original,
        observer: this.#options.observe?.({ side: "server", originalId: original }, now),
        parameters,
        handshake: accept(writeParameters(parameters), header.version.number),
        isValidated,
        ...(largest !== undefined && { largest }),
        ...(congestion !== undefined && { congestion }),
        ...(retryId !== undefined && { retryId }),
      },
      now,
    );
    connection.giveToken(this.#tokens.make({ is: "new", at: now }, { ...from, version: header.version.number }));
    this.#add(connection);
    this.#unvalidated++;
    const first = keyOf(header.destination);
    this.#byId.set(first, connection);
    this.#firstIds.set(connection, first);
    this.#events.push({ is: "accepted", connection });
    return connection;
  }

  #negotiate(client: Extract<Header, { readonly is: "unknownVersion" }>, to: Address): undefined {
    const writer = new Writer();
    const [bits] = this.#options.primitives.random(new Uint8Array(1));
    writeVersionNegotiation(writer, client, AVAILABLE, bits!);
    this.#answers.push({ bytes: writer.take(), to });
  }
  #retry(header: Initial, to: Address, now: Instant): undefined {
    const { primitives } = this.#options;
    const source = primitives.random(new Uint8Array(ID_LENGTH));
    const token = this.#tokens.make(
      { is: "retry", at: now, original: header.destination, destination: source },
      { ...to, version: header.version.number },
    );
    const bytes = writeRetry(primitives, { version: header.version, destination: header.source, source }, token, header.destination);
    this.#answers.push({ bytes, to });
  }
  /** Closes without keeping anything: in an Initial packet with the keys that the client has. */
  #refuse({ version, source, destination }: Initial, code: keyof typeof TransportError, to: Address): undefined {
    const { primitives } = this.#options;
    const own = primitives.random(new Uint8Array(ID_LENGTH));
    const draft = new Draft(
      { type: "initial", version, destination: source, source: own, token: NO_TOKEN },
      { number: 0, length: 1 },
      BASE_DATAGRAM,
    );
    draft.add({ is: "CONNECTION_CLOSE", by: "transport", code: TransportError[code], frame: 0, reason: NO_TOKEN });
    const writer = new Writer();
    draft.seal(writer, initialKeys(primitives, version, destination, "server"));
    this.#answers.push({ bytes: writer.take(), to });
  }

  /** A short packet for no connection: perhaps a stateless reset; if not, it gets one (rfc9000#10.3). */
  #unknown(bytes: Uint8Array, from: Address, now: Instant): readonly EndpointEvent[] {
    for (const connection of this.#byRemote.at(from)) this.#tell(connection, connection.receive(bytes, from, now));
    const events = this.#drain();
    const isAnswered = events.some((one) => one.is === "event" && one.event.is === "closed");
    const length = Math.min(bytes.length - 1, RESET_LENGTH);
    if (isAnswered || this.#options.accept === undefined || length < 5 + RESET_TOKEN_LENGTH) return events;
    const { primitives } = this.#options;
    const reset = primitives.random(new Uint8Array(length));
    reset[0] = 0x40 | (reset[0]! & 0x3f);
    reset.set(resetTokenOf(primitives, this.#resetKey, bytes.subarray(1, 1 + ID_LENGTH)), length - RESET_TOKEN_LENGTH);
    this.#answers.push({ bytes: reset, to: from });
    return events;
  }
}
