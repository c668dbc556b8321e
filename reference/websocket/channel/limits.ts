/** Bounds for what agents and clients can make a hub spend. */
export type ChannelLimits = {
  /** Sessions of a hub. */
  readonly sessions: number;
  /** Clients attached to one session at a time. */
  readonly clients: number;
  /** Clients of one session whose count of typed octets is remembered; those that left longest ago are forgotten first. */
  readonly writers: number;
  /** Octets of output kept for clients that attach late, or again. */
  readonly replayOctets: number;
  /** Octets that an agent may send ahead of what the fastest client has shown. */
  readonly windowOctets: number;
  /** Octets that a client may be behind: more than replay and window together, so that a single slow client delays the agent and is not dropped. */
  readonly lagOctets: number;
  /** Typed octets of a client that the agent has not acknowledged. */
  readonly typedOctets: number;
  /** Octets of one binary message, and of one text message. */
  readonly messageOctets: number;
  readonly controlOctets: number;
  /** Milliseconds that a client may be behind without acknowledging anything. */
  readonly stallMs: number;
  /** Milliseconds without a message after which the hub sends a ping, and further ones after which it ends the connection. */
  readonly askMs: number;
  readonly deadMs: number;
  /** Milliseconds that a session waits for its agent to return, and that an ended session can still be viewed. */
  readonly goneMs: number;
  readonly keepMs: number;
};

/** Defaults for shells that people type into and read. */
export const DEFAULT_CHANNEL_LIMITS: ChannelLimits = {
  sessions: 64,
  clients: 32,
  writers: 128,
  replayOctets: 262_144,
  windowOctets: 131_072,
  lagOctets: 524_288,
  typedOctets: 65_536,
  messageOctets: 65_536,
  controlOctets: 4_096,
  stallMs: 30_000,
  askMs: 10_000,
  deadMs: 20_000,
  goneMs: 600_000,
  keepMs: 300_000,
};
