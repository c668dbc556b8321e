import { deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateSync, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { fromHex, join } from "../octets.ts";

/** Messages of RPC streams in their envelopes (rpc-http2#requests), legal or not. Written apart from `reference/`. */

const HEAD = 5;

/** An envelope as data. Members left out get the correct value. */
export type EnvelopeSpec = {
  /** The flags octet; 1 for a compressed message. */
  readonly flags?: number;
  /** The announced length. */
  readonly length?: number;
  /** Compresses the message. `raw deflate` has no head and no checksum. */
  readonly compress?: Encoding | "raw deflate";
  /** Octets of the envelope that are sent: the rest is left out. */
  readonly keep?: number;
  /** Octets behind the compressed message, inside the envelope, in hex. */
  readonly tail?: string;
};
export type Encoding = "gzip" | "deflate" | "zstd";

const COMPRESS: Readonly<Record<NonNullable<EnvelopeSpec["compress"]>, (octets: Uint8Array) => Uint8Array>> = {
  gzip: (octets) => gzipSync(octets),
  deflate: (octets) => deflateSync(octets),
  zstd: (octets) => zstdCompressSync(octets),
  "raw deflate": (octets) => deflateRawSync(octets),
};
const DECOMPRESS: Readonly<Record<Encoding, (octets: Uint8Array) => Uint8Array>> = {
  gzip: (octets) => gunzipSync(octets),
  deflate: (octets) => inflateSync(octets),
  zstd: (octets) => zstdDecompressSync(octets),
};

/** Octets in one of the encodings. */
export const compressed = (octets: Uint8Array, encoding: NonNullable<EnvelopeSpec["compress"]>): Uint8Array => COMPRESS[encoding](octets);

/** The octets of a message in its envelope. */
export function envelope(message: Uint8Array, { flags, length, compress, keep, tail = "" }: EnvelopeSpec = {}): Uint8Array {
  const content = join([compress === undefined ? message : COMPRESS[compress](message), fromHex(tail)]);
  const head = Buffer.alloc(HEAD);
  head[0] = flags ?? (compress === undefined ? 0 : 1);
  head.writeUInt32BE(length ?? content.length, 1);
  return join([head, content]).subarray(0, keep);
}

/** A message as it came. */
export type ReadEnvelope = { readonly flags: number; readonly octets: Uint8Array };

/** The whole messages at the beginning of a stream's octets, and how many octets are left. */
export function readEnvelopes(octets: Uint8Array): { readonly messages: readonly ReadEnvelope[]; readonly left: number } {
  const messages: ReadEnvelope[] = [];
  const view = Buffer.from(octets.buffer, octets.byteOffset, octets.length);
  let at = 0;
  while (octets.length - at >= HEAD) {
    const end = at + HEAD + view.readUInt32BE(at + 1);
    if (end > octets.length) break;
    messages.push({ flags: octets[at] ?? 0, octets: octets.subarray(at + HEAD, end) });
    at = end;
  }
  return { messages, left: octets.length - at };
}

/** The message without compression; undefined if its encoding is unknown, or its octets are damaged. */
export function inflated({ flags, octets }: ReadEnvelope, encoding: string | undefined): Uint8Array | undefined {
  if ((flags & 1) === 0) return octets;
  if (encoding === undefined || !Object.hasOwn(DECOMPRESS, encoding)) return undefined;
  try {
    return DECOMPRESS[encoding as Encoding](octets);
  } catch {
    return undefined;
  }
}
