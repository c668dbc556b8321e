import type { Budget } from "../http/index.ts";

/** Bounds for everything that a peer could otherwise demand without end. Honest peers stay below the defaults. */
export type Limits = {
  /** Milliseconds until the client's preface and the first SETTINGS of either side: a slow preface occupies a connection for nothing. */
  readonly prefaceMs: number;
  /** Milliseconds until SETTINGS must be acknowledged (rfc9113#6.5.3). */
  readonly settingsMs: number;
  /** Milliseconds until a field block must be complete: nothing else may be sent meanwhile (rfc9113#4.3). */
  readonly blockMs: number;
  /** Milliseconds for which a peer may leave a stream, or the connection, without credit while content waits in memory. */
  readonly stallMs: number;
  /** Bytes of content that must leave before such a wait is forgotten: with fewer, credit of a byte a second would hold a stream for ever. */
  readonly stallOctets: number;
  /** Milliseconds between the two steps of a graceful shutdown, if the peer does not answer the PING in between. */
  readonly goawayMs: number;

  /** Bytes of one field block on the wire, CONTINUATION included: decoding a larger one would cost more than refusing it. */
  readonly blockOctets: number;
  /** CONTINUATION frames of one block: a full block of the size above needs 8 (CVE-2024-27316 and its family). */
  readonly continuations: number;
  /** Bytes of control frames and replies that wait because the peer does not read (CVE-2019-9512, 9515). */
  readonly queuedOctets: number;
  /** Requests that may wait on the client for a free stream; more are `Misuse`. */
  readonly queuedRequests: number;
  /** Streams that the client opens before it knows the server's limit (rfc9113#6.5.2 recommends no less). */
  readonly assumedStreams: number;
  /** Closed streams that are remembered, to judge late frames. At least as many as may be in flight. */
  readonly rememberedStreams: number;
  /** Promised responses that have not begun. */
  readonly promises: number;

  /** Streams that the peer opens and resets: each costs us a request (CVE-2023-44487, rapid reset). */
  readonly resets: Budget;
  /** Stream errors that the peer provokes: the same attack with the reset on our side (CVE-2025-8671). */
  readonly errors: Budget;
  /** PING: each demands an answer (CVE-2019-9512). Content that we send earns some: peers measure the path by it. */
  readonly pings: Budget;
  /** SETTINGS: each demands an answer, and may resize every stream (CVE-2019-9515). */
  readonly settings: Budget;
  /** PRIORITY and PRIORITY_UPDATE; every stream opened earns some (CVE-2019-9513). */
  readonly priorities: Budget;
  /** DATA without content or end (CVE-2019-9518). */
  readonly emptyFrames: Budget;
  /** WINDOW_UPDATE; content that we send earns some, so that a download never runs out. */
  readonly windowUpdates: Budget;
  /** Frames without effect: of unknown type, on closed streams, repeated GOAWAY. */
  readonly unknownFrames: Budget;
  /** Client: interim responses; a server may send any number of them (rfc9110#15.2). */
  readonly interims: Budget;

  /** The connection's receive window, raised right after the preface; no less than 65,535. */
  readonly connectionWindow: number;
  /** The largest receive window that auto-tuning makes. */
  readonly maxWindow: number;
  /** Bytes of queued content above which `data` asks its caller to wait. */
  readonly highWater: number;
  /** The most content that one `take` returns, so that a more urgent stream does not wait for megabytes already handed over. */
  readonly takeOctets: number;
  /** The largest dynamic table of our encoder, whatever the peer offers. */
  readonly encoderTable: number;
};

export const DEFAULT_LIMITS: Limits = {
  prefaceMs: 10_000,
  settingsMs: 10_000,
  blockMs: 10_000,
  stallMs: 30_000,
  stallOctets: 4_096,
  goawayMs: 5_000,
  blockOctets: 131_072,
  continuations: 32,
  queuedOctets: 1_048_576,
  queuedRequests: 10_000,
  assumedStreams: 100,
  rememberedStreams: 256,
  promises: 100,
  resets: { burst: 200, perSecond: 20 },
  errors: { burst: 100, perSecond: 10 },
  pings: { burst: 500, perSecond: 50 },
  settings: { burst: 100, perSecond: 10 },
  priorities: { burst: 500, perSecond: 50 },
  emptyFrames: { burst: 100, perSecond: 10 },
  windowUpdates: { burst: 1_000, perSecond: 100 },
  unknownFrames: { burst: 1_000, perSecond: 100 },
  interims: { burst: 200, perSecond: 20 },
  connectionWindow: 262_144,
  maxWindow: 16_777_216,
  highWater: 65_536,
  takeOctets: 262_144,
  encoderTable: 4_096,
};
