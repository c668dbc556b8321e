/** Bounds for what a peer can make us spend. Each has a default that honest peers do not reach. */
export type Limits = {
  /** Octets of a message after inflation: a whole message is kept in memory; a longer announced one is refused before it is sent. */
  readonly messageOctets: number;
  /** Frames of one message: empty ones cost work but no octets. 4 MiB in frames of 64 octets, as one speed test sends them, are 65,536. */
  readonly frames: number;
  /** Pings and pongs accepted at once, and how many more each second: each ping makes us write. */
  readonly controls: number;
  readonly controlsPerSecond: number;
  /** Our pongs that wait to be taken; beyond them, only the last ping is answered (rfc6455#5.5.3). */
  readonly pongs: number;
  /** Queued octets for a peer that does not read: beyond them they are dropped, and the connection fails with 1013. Two of the longest messages fit. */
  readonly queuedOctets: number;
  /** Queued octets above which an action asks its caller to wait. */
  readonly highWater: number;

  /** Milliseconds of silence before the peer is pinged. */
  readonly pingMs: number;
  /** Milliseconds of silence after that before the connection fails. */
  readonly pongMs: number;
  /** Milliseconds for the peer to answer our Close (rfc6455#7.1.1). */
  readonly closeMs: number;
  /** Client: milliseconds for the server to end the transport after both have sent a Close (rfc6455#7.1.1). */
  readonly endMs: number;
};

/** The defaults; the two ends may differ. */
export const DEFAULT_LIMITS: Limits = {
  messageOctets: 16_777_216,
  frames: 131_072,
  controls: 1_000,
  controlsPerSecond: 100,
  pongs: 64,
  queuedOctets: 33_554_432,
  highWater: 65_536,
  pingMs: 30_000,
  pongMs: 20_000,
  closeMs: 5_000,
  endMs: 2_000,
};
