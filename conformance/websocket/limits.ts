/**
 * Limits that a server can be given for its cases, since every server lets its owner choose them. On the text message `LIMITS_REQUEST` it
 * names those that it was given, `touchstone: limits message, frames`, instead of sending the message back. A case then sends exactly so
 * much, and one more.
 */
export const LIMITS_REQUEST = "touchstone: limits";

/** On this text message a program may fail, as one with a mistake would. */
export const FAIL_REQUEST = "touchstone: fail";

/** The value of each limit. Sizes are octets, times milliseconds. */
export const LIMITS = {
  /** A message, after inflation. */
  message: 1_024,
  /** Frames of one message. */
  frames: 8,
  /** Pings and Pongs at once. */
  controls: 20,
  /** Pings and Pongs more each second, once those are used up. */
  renewed: 2,
  /** Without an octet from the client, before a Ping. */
  silence: 1_000,
  /** After that Ping, before the end of the connection. */
  answer: 1_000,
  /** The same without any octet from the client: not the Pong alone is an answer. */
  octets: 1_000,
  /** The only origin whose pages may connect. */
  origins: "https://touchstone.example:8443",
  /** The only path at which WebSockets are opened. */
  paths: "/",
} as const;
export type LimitName = keyof typeof LIMITS;
export const LIMIT_NAMES: readonly LimitName[] = Object.keys(LIMITS) as LimitName[];
/** The feature of a server that was given the limit. */
export const limitFeature = (name: LimitName): string => `limit ${name}`;

/** The answer of a program that was given these. */
export const limitsAnswer = (...names: readonly LimitName[]): string => `${LIMITS_REQUEST} ${names.join(", ")}`;
/** The answer of a server that was given all of them. */
export const LIMITS_ANSWER = limitsAnswer(...LIMIT_NAMES);
/** The limits that an answer names. */
export const limitsIn = (answer: string): readonly string[] =>
  answer.startsWith(`${LIMITS_REQUEST} `)
    ? answer
        .slice(LIMITS_REQUEST.length)
        .split(",")
        .map((name) => name.trim())
    : [];
