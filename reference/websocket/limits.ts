/** Everything that a peer could otherwise ask for without end. Each has a default that honest peers do not meet. */
export type Limits = {
  /** Octets of a message, after inflation: a whole one is kept in memory, and whoever announces more is refused before it is sent. */
  readonly messageOctets: number;
  /** Frames of one message: empty ones cost work and no octets. 4 MiB in frames of 64 octets, as a test of speed sends them, are 65,536. */
  readonly frames: number;
  /** Pings, and pongs, that may come at once, and that are regained in a second: each ping makes us write. */
  readonly controls: number;
  readonly controlsPerSecond: number;
  /** Pongs of ours that wait to be taken; beyond, only the last ping is answered (rfc6455#5.5.3). */
  readonly pongs: number;
  /** Octets that wait since the peer does not read: with more than these before a message of ours, they are dropped, and it hears 1013. Two of the longest fit. */
  readonly queuedOctets: number;
  /** Octets of ours that wait for the transport above which an action asks its caller to wait. */
  readonly highWater: number;

  /** Milliseconds without an octet from the peer after which it is asked for a sign of life. */
  readonly pingMs: number;
  /** Milliseconds that it then has, before it counts as dead. */
  readonly pongMs: number;
  /** Milliseconds that the peer has to answer our Close (rfc6455#7.1.1). */
  readonly closeMs: number;
  /** Client: milliseconds that the server has to end the transport after both have sent a Close (rfc6455#7.1.1). */
  readonly endMs: number;
};

/** What holds where the owner sets nothing else; the two ends need not agree on any of it. */
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
