/**
 * What compression asks of its platform: raw DEFLATE, at once and in bounds (rfc7692#7.2). One object serves one direction of one
 * connection; what one message has left in the window is there for the next one, where the parameters say so.
 */
export interface Inflater {
  /**
   * Inflates the next octets of a message, all that can be told of them. `end` with the last ones: the four octets that the sender has left
   * out are put behind them here. Nothing is to be asked any more after `corrupt`, or after `large`, which says that more than `limit` octets come out.
   */
  inflate(octets: Uint8Array, end: boolean, limit: number): Uint8Array | "corrupt" | "large";
  /** Lets go of what the platform keeps. */
  close(): void;
}
/** The way out: each call ends in a flush, so that the peer can inflate what it has without waiting for the next frame (rfc7692#7.2.1). */
export interface Deflater {
  /** The octets of a frame that holds these; with `end` without the four octets that end a flush. */
  deflate(octets: Uint8Array, end: boolean): Uint8Array;
  close(): void;
}
/** Makes them; `windowBits` is 8 to 15, `takeover` whether one message may refer to those before it. */
export interface Engine {
  inflater(windowBits: number, takeover: boolean): Inflater;
  deflater(windowBits: number, takeover: boolean): Deflater;
}

/** What was agreed on in the opening handshake (rfc7692#7.1), for either side. */
export type Agreement = {
  readonly serverTakeover: boolean;
  readonly clientTakeover: boolean;
  readonly serverBits: number;
  readonly clientBits: number;
};

/** What a connection needs in order to compress: the outcome of its handshake, and the platform's DEFLATE. */
export type DeflateOptions = {
  readonly agreed: Agreement;
  readonly engine: Engine;
  /** Messages below so many octets are sent as they are: they gain little, and cost as much work as long ones. */
  readonly threshold?: number;
};
export const THRESHOLD = 1_024;
