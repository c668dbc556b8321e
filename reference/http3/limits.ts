import type { Budget } from "../http/index.ts";

/** Bounds for everything that a peer could otherwise demand without end. Honest peers stay below the defaults; the transport bounds streams and octets. */
export type Limits = {
  /** Milliseconds until the peer's SETTINGS: without them a connection does nothing useful. */
  readonly settingsMs: number;
  /** Milliseconds until the head of a message that has begun is complete, which includes the time that it waits for QPACK insertions. */
  readonly headMs: number;
  /** Server: milliseconds without an octet of content that the request has announced, and the time before `contentRate` applies. */
  readonly contentMs: number;
  /** Server: the lowest average rate of announced content, in octets a second; slower ones only occupy a stream. */
  readonly contentRate: number;
  /** Milliseconds for which a peer may leave a stream without credit while octets wait in memory. */
  readonly stallMs: number;
  /** Octets that must leave before such a wait is forgotten: with fewer, credit of an octet a second would hold a stream for ever. */
  readonly stallOctets: number;
  /** Milliseconds between the two steps of a graceful shutdown, for requests that are on their way (rfc9114#5.2). */
  readonly goawayMs: number;
  /** Octets of an encoded field section. */
  readonly blockOctets: number;
  /** Octets of a frame on the control stream: honest ones have a few dozen. */
  readonly controlOctets: number;
  /** Instructions of the peer's encoder while no section refers to its table (rfc9204#7.3). */
  readonly unusedInstructions: number;
  /** Client: requests that wait for a stream. */
  readonly queuedRequests: number;
  /** The largest dynamic table of our encoder, whatever the peer offers. */
  readonly encoderTable: number;
  /** Requests that the peer gives up. */
  readonly resets: Budget;
  /** Stream errors, each of which costs us a stream and the peer nothing. */
  readonly errors: Budget;
  /** DATA without content. */
  readonly emptyFrames: Budget;
  /** Frames of unknown types (rfc9114#9). */
  readonly unknownFrames: Budget;
  /** Unidirectional streams of unknown types (rfc9114#6.2). */
  readonly unknownStreams: Budget;
  /** PRIORITY_UPDATE. */
  readonly priorities: Budget;
  /** GOAWAY, MAX_PUSH_ID and CANCEL_PUSH: an honest peer sends a few in the life of a connection. */
  readonly controls: Budget;
  /** Client: interim responses; a server may send any number of them (rfc9110#15.2). */
  readonly interims: Budget;
};

export const DEFAULT_LIMITS: Limits = {
  settingsMs: 10_000,
  headMs: 10_000,
  contentMs: 30_000,
  contentRate: 240,
  stallMs: 30_000,
  stallOctets: 4_096,
  goawayMs: 100,
  blockOctets: 65_536,
  controlOctets: 4_096,
  unusedInstructions: 4_000,
  queuedRequests: 10_000,
  encoderTable: 4_096,
  resets: { burst: 200, perSecond: 20 },
  errors: { burst: 100, perSecond: 10 },
  emptyFrames: { burst: 100, perSecond: 10 },
  unknownFrames: { burst: 1_000, perSecond: 100 },
  unknownStreams: { burst: 100, perSecond: 10 },
  priorities: { burst: 500, perSecond: 50 },
  controls: { burst: 100, perSecond: 10 },
  interims: { burst: 200, perSecond: 20 },
};
