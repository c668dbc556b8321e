/** One encoding of messages, such as gzip; `reference/io` has those of Node. A message depends on no other (rpc-http2#requests). */
export type Compressor = {
  compress(octets: Uint8Array): Uint8Array;
  /** `large`: the result would exceed `limit` octets. It never makes more. */
  decompress(octets: Uint8Array, limit: number): Uint8Array | "corrupt" | "large";
};
/** The known encodings by name, without identity. */
export type Compressors = ReadonlyMap<string, Compressor>;

/** The encoding that changes nothing. */
export const IDENTITY = "identity";

/** The value of the field that lists the accepted encodings (rpc-http2#requests). */
export const writeEncodings = (known: Compressors): string => [IDENTITY, ...known.keys()].join(",");

/** The encodings in that field of a peer, in their order. White space and empty members are left out. */
export const parseEncodings = (value: string): string[] =>
  value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/**
 * The encoding for messages to a peer: the wanted one if the peer accepts it, otherwise identity (rpc-compression#asymmetry). A peer without
 * the field may accept no other, either.
 */
export const chooseEncoding = (wanted: string, accepted: string | undefined): string =>
  accepted !== undefined && parseEncodings(accepted).includes(wanted) ? wanted : IDENTITY;
