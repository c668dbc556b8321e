/**
 * What compression needs from its platform: raw DEFLATE, synchronous and bounded (rfc7692#7.2). One object serves one direction of one
 * connection; with context takeover, each message continues with the window of the one before.
 */
export interface Inflater {
  /**
   * Inflates the next octets of a message, as far as possible. `end` with the last ones: then it appends the four octets that the sender
   * leaves out. `large` means more than `limit` octets of output. After `corrupt` or `large` it must not be called again.
   */
  inflate(octets: Uint8Array, end: boolean, limit: number): Uint8Array | "corrupt" | "large";
  /** Releases the platform's resources. */
  close(): void;
}
/** The sending direction. Each call ends with a flush, so that the peer can inflate every frame at once (rfc7692#7.2.1). */
export interface Deflater {
  /** The payload of a frame with these octets; with `end`, without the four octets that end a flush. */
  deflate(octets: Uint8Array, end: boolean): Uint8Array;
  close(): void;
}
/** Creates them. `windowBits` is 8 to 15; `takeover`: a message may refer to those before it. */
export interface Engine {
  inflater(windowBits: number, takeover: boolean): Inflater;
  deflater(windowBits: number, takeover: boolean): Deflater;
}

/** What the opening handshake agreed on (rfc7692#7.1), for either side. */
export type Agreement = {
  readonly serverTakeover: boolean;
  readonly clientTakeover: boolean;
  readonly serverBits: number;
  readonly clientBits: number;
};

/** What a connection needs to compress: the outcome of its handshake, and the platform's DEFLATE. */
export type DeflateOptions = {
  readonly agreed: Agreement;
  readonly engine: Engine;
  /** Shorter messages, in octets, are not compressed: they gain little, and cost as much work as long ones. */
  readonly threshold?: number;
};
export const THRESHOLD = 1_024;
