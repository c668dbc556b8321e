import { NEVER, type Instant } from "../core/index.ts";
import { FieldCheck } from "../http/index.ts";
import { Decoder, Encoder } from "../qpack/index.ts";
import { Abuse } from "./abuse.ts";
import type { Event } from "./contract.ts";
import { CriticalStreams } from "./send/critical.ts";
import type { Limits } from "./limits.ts";
import { INITIAL_SETTINGS, type Settings } from "./settings.ts";
import type { PeerStream } from "./stream/peer-stream.ts";
import { MAX_REQUEST_ID, type Side } from "./stream/id.ts";
import { Streams, type Waiting } from "./stream/streams.ts";
import type { Transport } from "./transport.ts";

export type Setup = {
  readonly side: Side;
  readonly transport: Transport;
  readonly settings: Settings;
  readonly limits: Limits;
  readonly awaitsClient: boolean;
  readonly grease?: number;
};

/** How far our graceful shutdown has come: the warning is sent, then the last GOAWAY with the first request that does not count. */
export type Leaving = "not" | "warned" | "final";

/**
 * The parts of one side of a connection. What works across parts are functions on an endpoint: `receive/` has those for the octets of the peer,
 * `send/submit.ts` one for each action, and `endings.ts` those that end streams and the connection.
 */
export class Endpoint {
  readonly side: Side;
  readonly transport: Transport;
  /** Ours. */
  readonly settings: Settings;
  readonly limits: Limits;
  /** Chooses a reserved setting and a reserved stream, which peers must ignore. */
  readonly grease: number | undefined;
  /** Server: nothing is sent before the handshake is complete. */
  readonly awaitsClient: boolean;
  /** The time of the current input. */
  now: Instant;
  readonly openedAt: Instant;

  readonly decoder: Decoder;
  readonly encoder: Encoder;
  readonly critical: CriticalStreams;
  readonly streams = new Streams();
  readonly abuse: Abuse;
  /** Judges the fields of one message at a time. */
  readonly check = new FieldCheck();

  /** The peer's settings, and whether they have come (rfc9114#7.2.4.2). */
  peer: Settings = INITIAL_SETTINGS;
  hasPeerSettings = false;
  /** Client: the settings of an earlier connection, which a server that takes early data has to keep (rfc9114#7.2.4.2). */
  promised: Settings | undefined;
  /** Unidirectional streams of the peer that are open. */
  readonly incoming = new Map<number, PeerStream>();
  /** The kinds of critical streams that the peer has opened. */
  readonly kinds = new Set<string>();
  /** MAX_PUSH_ID of the client, which may not fall. */
  maxPushId = -1;

  /** Our streams are open: the transport is established, or takes early data. */
  hasBegun = false;
  isOver = false;
  leaving: Leaving = "not";
  warnedAt: Instant = NEVER;
  /** Requests from this one on are refused. */
  admitted: number = MAX_REQUEST_ID;
  /** The identifier of the peer's last GOAWAY. */
  peerLast: number | undefined;

  /** Client: requests that wait for a stream. */
  readonly waiting: Waiting[] = [];
  tickets = 0;

  #events: Event[] = [];

  constructor({ side, transport, settings, limits, awaitsClient, grease }: Setup, now: Instant) {
    this.side = side;
    this.transport = transport;
    this.settings = settings;
    this.limits = limits;
    this.awaitsClient = awaitsClient;
    this.grease = grease;
    this.now = now;
    this.openedAt = now;
    this.decoder = new Decoder({
      maxTableCapacity: settings.qpackMaxTableCapacity,
      maxBlockedStreams: settings.qpackBlockedStreams,
      maxListSize: settings.maxFieldSectionSize,
      maxStringLength: limits.blockOctets,
    });
    this.encoder = new Encoder({ tableCapacity: limits.encoderTable });
    this.critical = new CriticalStreams(transport);
    this.abuse = new Abuse(limits);
  }

  emit(event: Event): void {
    this.#events.push(event);
  }
  /** The events since the last call. */
  drain(): readonly Event[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }
}
