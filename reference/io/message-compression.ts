import { constants, deflateSync, gunzipSync, gzipSync, inflateSync, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Compressor, Compressors } from "../rpc/index.ts";

/** The largest window of a zstd message that is accepted, 8 MiB: a decoder allocates it before it reads any content. */
const ZSTD_WINDOW_LOG = 23;
/** A message is sent once: speed matters more than the last octets. */
const LEVEL = 3;

/** The encodings of RPC messages that Node has (rpc-http2#requests). `deflate` has the zlib head and checksum, as in HTTP. */
export const messageCompressors = (): Compressors =>
  new Map<string, Compressor>([
    [
      "gzip",
      {
        compress: (octets) => gzipSync(octets, { level: LEVEL }),
        decompress: bounded((octets, maxOutputLength) => gunzipSync(octets, { maxOutputLength })),
      },
    ],
    [
      "deflate",
      {
        compress: (octets) => deflateSync(octets, { level: LEVEL }),
        decompress: bounded((octets, maxOutputLength) => inflateSync(octets, { maxOutputLength })),
      },
    ],
    [
      "zstd",
      {
        compress: (octets) => zstdCompressSync(octets),
        decompress: bounded((octets, maxOutputLength) =>
          zstdDecompressSync(octets, { maxOutputLength, params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }),
        ),
      },
    ],
  ]);

/** Node stops as soon as the output exceeds the limit, which it wants to be at least 1. */
const bounded =
  (decompress: (octets: Uint8Array, maxOutputLength: number) => Uint8Array): Compressor["decompress"] =>
  (octets, limit) => {
    try {
      const result = decompress(octets, Math.max(limit, 1));
      return result.length > limit ? "large" : result;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "large" : "corrupt";
    }
  };
