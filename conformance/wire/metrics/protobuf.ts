/** The parts of protobuf messages, for requests to metrics servers. */

/** The two halves of the NaN that marks the end of a series (Prometheus specs, prw/remote_write_spec.md, stale markers). */
export const STALE = [0x0000_0002, 0x7ff0_0000] as const;

/** A length-delimited field: text, a message, packed numbers. */
export const lengthDelimited = (number: number, content: Uint8Array): Uint8Array =>
  joined([varint((number << 3) | 2), varint(content.length), content]);

/** A varint of a number that is not negative. */
export function varint(value: number): Uint8Array {
  const octets: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) octets.push((rest % 128) | 128);
  return Uint8Array.from([...octets, rest]);
}

export const joined = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);
