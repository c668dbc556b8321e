import { readVarint, varint } from "../http3/varint.ts";
import { join } from "../octets.ts";

/** Transport parameters as octets, legal or not (rfc9000#18). */

/** A parameter by its number, with its value. */
type Parameter = readonly [id: number, value: Uint8Array];

/** The parameters of an extension, in order; whatever follows a truncated one is left out. */
function readParameters(octets: Uint8Array): Parameter[] {
  const found: Parameter[] = [];
  for (let at = 0; at < octets.length;) {
    const id = readVarint(octets.subarray(at));
    const length = id && readVarint(octets.subarray(at + id.size));
    if (id === undefined || length === undefined) break;
    const from = at + id.size + length.size;
    found.push([id.value, octets.subarray(from, from + length.value)]);
    at = from + length.value;
  }
  return found;
}

const writeParameters = (parameters: readonly Parameter[]): Uint8Array =>
  join(parameters.flatMap(([id, value]) => [varint(id), varint(value.length), value]));

const INITIAL_MAX_STREAM_DATA_BIDI_LOCAL = 0x05;
/** The same parameters of a client that gives no credit for the content of responses. */
export const withoutCredit = (octets: Uint8Array): Uint8Array =>
  writeParameters(readParameters(octets).filter(([id]) => id !== INITIAL_MAX_STREAM_DATA_BIDI_LOCAL));
