/** The greatest packet number; a connection ends before it would send more (rfc9000#12.3). */
const MAX_PACKET_NUMBER = Number.MAX_SAFE_INTEGER;
export type NumberLength = 1 | 2 | 3 | 4;

/** The octets that a packet number needs, so that the receiver finds it among all that may be outstanding (rfc9000#17.1). */
export function numberLength(full: number, largestAcknowledged: number | undefined): NumberLength {
  const outstanding = full - (largestAcknowledged ?? -1);
  if (outstanding < 0x80) return 1;
  if (outstanding < 0x8000) return 2;
  return outstanding < 0x80_0000 ? 3 : 4;
}

/** The number closest to the one after `largest` whose lowest octets are `truncated` (rfc9000#A.3). */
export function fullNumber(truncated: number, length: NumberLength, largest: number | undefined): number {
  const expected = (largest ?? -1) + 1;
  const window = 2 ** (8 * length);
  const candidate = expected - (expected % window) + truncated;
  if (candidate <= expected - window / 2 && candidate + window <= MAX_PACKET_NUMBER) return candidate + window;
  if (candidate > expected + window / 2 && candidate >= window) return candidate - window;
  return candidate;
}
