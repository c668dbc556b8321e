/**
 * Limits that a server can be given for its cases, since every server lets its operator choose them. It lists those that it was given in
 * the field `Touchstone-Limits` of its responses, by name: `pings, settings, renewed`. A case then sends exactly so much, and one more.
 */

/** The value of each limit. Sizes are octets, times milliseconds. */
export const LIMITS = {
  /** PING frames at once, acknowledgements included. */
  pings: 20,
  /** SETTINGS frames at once, after the first. */
  settings: 8,
  /** PRIORITY frames at once. */
  priorities: 20,
  /** DATA frames without content or END_STREAM at once. */
  "empty-frames": 8,
  /** WINDOW_UPDATE frames at once, while the server sends no content. */
  "window-updates": 20,
  /** Frames of unknown types at once. */
  "unknown-frames": 10,
  /** Streams at once that the client opens and resets. */
  resets: 8,
  /** Stream errors of the client at once. */
  errors: 8,
  /** Of each of these so many more each second, once they are used up. */
  renewed: 2,
  /** CONTINUATION frames of a field block. */
  continuations: 4,
  /** A field block. */
  block: 4_096,
  /** A field section, as SETTINGS_MAX_HEADER_LIST_SIZE counts it. */
  section: 5_000,
  /** Until the client's first SETTINGS. */
  "preface-time": 1_000,
  /** Until the acknowledgement of SETTINGS. */
  "settings-time": 1_000,
  /** Until the end of a field block. */
  "block-time": 1_000,
  /** Content waits for credit; less than `stall-octets` of credit do not end the wait. */
  "stall-time": 1_000,
  "stall-octets": 64,
  /** Without a stream, until the connection ends gracefully. */
  "idle-time": 1_000,
  /** Until it ends gracefully whatever its streams, a tenth more or less. */
  age: 3_000,
  /** Until the streams that are open then end with it. */
  "age-grace": 1_000,
  /** The client is silent, with streams or without, until a PING asks whether it is alive. */
  "alive-time": 1_000,
  /** The same, if PING asks only while streams are open. */
  "alive-time-of-streams": 1_000,
  /** Until the client must have shown that it is, and the connection is dead. */
  "alive-answer": 500,
  /** Between two PING frames of a client to which nothing is sent. */
  "ping-interval": 300,
  /** PING frames before their time that are forgiven until something is sent. */
  "early-pings": 2,
  /** PING frames while no stream is open, however much time is between them. */
  "idle-pings": 3,
} as const;
export type LimitName = keyof typeof LIMITS;
export const LIMIT_NAMES: readonly LimitName[] = Object.keys(LIMITS) as LimitName[];
/** The feature of a server that was given the limit. */
export const limitFeature = (name: LimitName): string => `limit ${name}`;
