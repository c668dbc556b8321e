import { gunzipSync, gzipSync } from "node:zlib";

/** No saved result comes near it; a larger one would fill the memory. */
const MOST_OCTETS = 512 * 1_048_576;
/** The octet of the header that names the operating system, and the value for "unknown". */
const SYSTEM = 9;
const UNKNOWN = 255;

/** Text as gzip. Equal texts give equal octets: without a time, a file name and the name of the system (RFC 1952 §2.3.1). */
export function gzip(text: string): Buffer {
  const packed = gzipSync(text, { level: 9 });
  packed[SYSTEM] = UNKNOWN;
  return packed;
}

/** The text of a file, which may be in gzip. */
export const plainText = (octets: Buffer, most = MOST_OCTETS): string =>
  (isGzip(octets) ? gunzipSync(octets, { maxOutputLength: most }) : octets).toString("utf8");

const isGzip = (octets: Buffer): boolean => octets[0] === 0x1f && octets[1] === 0x8b;
