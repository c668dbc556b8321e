/** Everything that agents and clients of the channel could otherwise ask for without end. */
export type ChannelLimits = {
  /** Sessions of a hub. */
  readonly sessions: number;
  /** Clients that are attached to one session at a time. */
  readonly clients: number;
  /** Clients of one session whose count of typed octets is remembered; the ones that left longest ago are forgotten first. */
  readonly writers: number;
  /** Octets of output that are kept for those who come late, or come again. */
  readonly replayOctets: number;
  /** Octets that an agent may send ahead of what the fastest client has shown. */
  readonly windowOctets: number;
  /** Octets that a client may be behind: more than the replay and the window, so that one alone is held back and not dropped. */
  readonly lagOctets: number;
  /** Octets that a client may have typed and the agent not yet taken. */
  readonly typedOctets: number;
  /** Octets of one binary message, and of one text message. */
  readonly messageOctets: number;
  readonly controlOctets: number;
  /** Milliseconds that a client has to acknowledge anything while it is behind. */
  readonly stallMs: number;
  /** Milliseconds that a session waits for an agent that is gone, and that an ended one can still be looked at. */
  readonly goneMs: number;
  readonly keepMs: number;
};

/** What holds where the hub's owner sets nothing else: room for shells that people type into and read. */
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
  goneMs: 600_000,
  keepMs: 300_000,
};
