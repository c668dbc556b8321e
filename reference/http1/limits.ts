/** Everything that a peer could otherwise ask for without end. Each has a default that honest peers do not meet. */
export type Limits = {
  /** Milliseconds for a head, from its first octet: a head that comes in drops holds a connection for nothing (Slowloris). */
  readonly headMs: number;
  /** Server: milliseconds of content without an octet, and the grace that `contentRate` allows. */
  readonly contentMs: number;
  /** Server: octets of content a second, on average and after the grace, below which an upload is a hold rather than a transfer. */
  readonly contentRate: number;
  /** Server: milliseconds between requests, and before the first: then the connection is closed without a word. */
  readonly idleMs: number;

  /** Empty lines before a start line, which old clients send after a POST (rfc9112#2.2). */
  readonly emptyLines: number;
  /** Octets of a method: the longest one registered has 18. */
  readonly methodOctets: number;
  /** Octets of a request target: 8,000 for a whole request line are recommended (rfc9112#3). Also those of a client's status line. */
  readonly targetOctets: number;
  /** Octets of a header section, line ends included: they are kept in memory, and read before anybody is asked. */
  readonly fieldOctets: number;
  /** Field lines of a header section: each costs an object, however short it is. */
  readonly fields: number;
  /** Octets of a trailer section, as those of a header section. */
  readonly trailerOctets: number;

  /** Octets of content: the memory is bounded by `unreadOctets`, so that this is a last resort against content without end. */
  readonly contentOctets: number;
  /** Octets of chunk extensions in one message: nobody reads them, everybody parses them (CVE-2023-39326, CVE-2024-22019). */
  readonly chunkExtensionOctets: number;
  /** Chunks of fewer than 16 octets in one message: each costs a hundred times its octets. */
  readonly tinyChunks: number;
  /** Server: octets of a request's content read on after its answer is complete; beyond, the connection closes (rfc9112#9.3). */
  readonly discardOctets: number;
  /** Octets of content told and not yet `consumed`, beyond which no more is wanted. */
  readonly unreadOctets: number;
  /** Octets kept unread while a request awaits its answer: what follows CONNECT, or a request with Upgrade, or too many requests. */
  readonly heldOctets: number;

  /** Server: requests on one connection, after which it closes: what one connection has gathered is let go at times. */
  readonly requests: number;
  /** Server: requests under way at once on one connection; more of them wait in the transport (rfc9112#9.3.2). */
  readonly pipelined: number;
  /** Client: interim responses to one request, of which a server may send any number (rfc9110#15.2). */
  readonly interims: number;

  /** Octets of ours that wait for the transport above which `data` asks its caller to wait. */
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
