/**
 * Limits that a server can be given for its cases, since every server lets its operator choose them. It lists those that it was given in
 * a field of its answers, by name: `Touchstone-Limits: fields, head-time`. A case then sends exactly so much, and one more.
 */
export const LIMITS_FIELD = "touchstone-limits";

/** The value of each limit. Sizes are octets, times milliseconds. */
export const LIMITS = {
  /** A request target. */
  target: 512,
  /** A header section, its line ends and the empty line included. */
  section: 2_048,
  /** Field lines of a section. */
  fields: 24,
  /** A trailer section, its line ends and the empty line included. */
  trailers: 256,
  /** Content. */
  content: 4_096,
  /** Content that is still read after its response. */
  unread: 1_024,
  /** Chunk extensions of one message, each with its semicolon. */
  extensions: 64,
  /** Chunks of fewer than 16 octets in one message. */
  "tiny-chunks": 32,
  /** Empty lines before a request. */
  "empty-lines": 2,
  /** Requests on one connection, the last of which is answered with `close`. */
  requests: 8,
  /** From the first octet of a head to its last. */
  "head-time": 1_000,
  /** Without a request. */
  "idle-time": 1_000,
  /** Without an octet of content. */
  "content-time": 1_000,
  /** Octets of content a second on average, once `content-time` has passed. */
  "content-rate": 240,
} as const;
export type LimitName = keyof typeof LIMITS;
export const LIMIT_NAMES: readonly LimitName[] = Object.keys(LIMITS) as LimitName[];
/** The feature of a server that was given the limit. */
export const limitFeature = (name: LimitName): string => `limit ${name}`;
