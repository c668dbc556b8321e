/** Bounds for what a peer can make us spend. Each has a default that honest peers do not reach. */
export type Limits = {
  /** Milliseconds for a head, from its first octet: a trickled head would occupy a connection for nothing (Slowloris). */
  readonly headMs: number;
  /** Server: milliseconds without an octet of content, and the time before `contentRate` applies. */
  readonly contentMs: number;
  /** Server: the lowest average rate of an upload, in octets a second; a slower one only occupies the connection. */
  readonly contentRate: number;
  /** Server: milliseconds without a request before the connection is closed. */
  readonly idleMs: number;

  /** Empty lines before a start line, which old clients send after a POST (rfc9112#2.2). */
  readonly emptyLines: number;
  /** Octets of a method: the longest registered one has 18. */
  readonly methodOctets: number;
  /** Octets of a request target, and of a status line: at least 8,000 for a request line are recommended (rfc9112#3). */
  readonly targetOctets: number;
  /** Octets of a header section, line ends included: it is kept in memory before any handler decides. */
  readonly fieldOctets: number;
  /** Field lines of a header section: each costs an object, however short. */
  readonly fields: number;
  /** Octets of a trailer section, line ends included. */
  readonly trailerOctets: number;

  /** Octets of content: a last resort against endless content, since `unreadOctets` bounds the memory. */
  readonly contentOctets: number;
  /** Octets of chunk extensions in one message: they are parsed and never used (CVE-2023-39326, CVE-2024-22019). */
  readonly chunkExtensionOctets: number;
  /** Chunks of fewer than 16 octets in one message: each costs a hundred times its size. */
  readonly tinyChunks: number;
  /** Server: octets of content still read after the response is complete; beyond them the connection closes (rfc9112#9.3). */
  readonly discardOctets: number;
  /** Octets of content reported and not yet `consumed`, beyond which `wants` is false. */
  readonly unreadOctets: number;
  /** Octets kept unparsed while a response is due: after CONNECT, a request with Upgrade, or too many requests. */
  readonly heldOctets: number;

  /** Server: requests on one connection before it closes, so that its memory is released from time to time. */
  readonly requests: number;
  /** Server: open requests on one connection; further ones wait in the transport (rfc9112#9.3.2). */
  readonly pipelined: number;
  /** Client: interim responses to one request, of which a server may send any number (rfc9110#15.2). */
  readonly interims: number;

  /** Queued octets above which `data` asks its caller to wait. */
  readonly highWater: number;
};

export const DEFAULT_LIMITS: Limits = {
  headMs: 20_000,
  contentMs: 30_000,
  contentRate: 240,
  idleMs: 60_000,
  emptyLines: 8,
  methodOctets: 32,
  targetOctets: 8_192,
  fieldOctets: 16_384,
  fields: 128,
  trailerOctets: 8_192,
  contentOctets: 2 ** 40,
  chunkExtensionOctets: 16_384,
  tinyChunks: 16_384,
  discardOctets: 262_144,
  unreadOctets: 262_144,
  heldOctets: 65_536,
  requests: 1_000_000,
  pipelined: 64,
  interims: 64,
  highWater: 65_536,
};
