/** How many of a kind are let through at once, and how many more each second. */
export type Budget = { readonly burst: number; readonly perSecond: number };

/** Everything that a peer could otherwise ask for without end. Each has a default that honest peers do not meet. */
export type Limits = {
  /** Milliseconds for the client's preface and the first SETTINGS of either side: a slow preface holds a connection for nothing. */
  readonly prefaceMs: number;
  /** Milliseconds for the acknowledgement of SETTINGS (rfc9113#6.5.3). */
  readonly settingsMs: number;
  /** Milliseconds for the rest of a field block whose first frame has come: nothing else may be sent meanwhile (rfc9113#4.3). */
  readonly blockMs: number;
  /** Milliseconds for which a peer may keep a stream, or the connection, without window while content waits: memory is held so long. */
  readonly stallMs: number;
  /** Milliseconds between the two steps of a graceful end, where the peer does not answer the PING in between. */
  readonly goawayMs: number;

  /** Octets of one field block as they cross the wire, CONTINUATION included: beyond, decoding would cost more than a refusal. */
  readonly blockOctets: number;
  /** CONTINUATION frames of one block: a full block of the size above needs 8 (CVE-2024-27316 and its family). */
  readonly continuations: number;
  /** Octets of control frames and answers waiting for a transport that the peer does not read (CVE-2019-9512, 9515). */
  readonly queuedOctets: number;
  /** Requests that wait on the client for a free stream: beyond, the caller is told. */
  readonly queuedRequests: number;
  /** Streams that the client opens before it knows what the server allows (rfc9113#6.5.2 recommends no less). */
  readonly assumedStreams: number;
  /** Streams closed most recently, of which late frames are told apart. At least as many as may be in flight. */
  readonly rememberedStreams: number;
  /** Pushed responses promised and not yet begun. */
  readonly promises: number;

  /** Streams that the peer opens and resets: each has cost us a request (CVE-2023-44487, rapid reset). */
  readonly resets: Budget;
  /** Stream errors that the peer provokes: the same attack with the reset on our side (CVE-2025-8671). */
  readonly errors: Budget;
  /** PING asks for an answer each (CVE-2019-9512). */
  readonly pings: Budget;
  /** SETTINGS asks for an answer each, and may resize every stream (CVE-2019-9515). */
  readonly settings: Budget;
  /** PRIORITY and PRIORITY_UPDATE; every stream opened earns some (CVE-2019-9513). */
  readonly priorities: Budget;
  /** DATA without content or end (CVE-2019-9518). */
  readonly emptyFrames: Budget;
  /** WINDOW_UPDATE; content sent earns them, so that a download is never short. */
  readonly windowUpdates: Budget;
  /** Frames that change nothing: of unknown type, on streams that are over, GOAWAY again and again. */
  readonly unknownFrames: Budget;
  /** Client: interim responses, of which a server may send any number (rfc9110#15.2). */
  readonly interims: Budget;

  /** The connection's receive window, raised right after the preface; no less than 65,535. */
  readonly connectionWindow: number;
  /** Where auto-tuning stops, when it is on. */
  readonly maxWindow: number;
  /** Octets of content queued on a stream above which `data` asks its caller to wait. */
  readonly highWater: number;
  /** Octets of content that one `take` gives at most, so that a more urgent stream is not behind megabytes already handed over. */
  readonly takeOctets: number;
  /** The dynamic table our encoder uses at most, whatever the peer offers. */
  readonly encoderTable: number;
};

export const DEFAULT_LIMITS: Limits = {
  prefaceMs: 10_000,
  settingsMs: 10_000,
  blockMs: 10_000,
  stallMs: 30_000,
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
