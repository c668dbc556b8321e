/** Units of timeouts by their letter, in nanoseconds, from the smallest (rpc-http2#requests). */
const UNITS: readonly (readonly [letter: string, nanoseconds: number])[] = [
  ["n", 1],
  ["u", 1e3],
  ["m", 1e6],
  ["S", 1e9],
  ["M", 60e9],
  ["H", 3_600e9],
];
const LARGEST = 99_999_999;

/**
 * Reads a timeout in nanoseconds: at most eight digits and a unit (rpc-http2#requests). Undefined for anything else. Exact to 104 days, and to
 * sixteen digits beyond. A timeout of 0 is read, although it has to be positive: it has elapsed.
 */
export function parseTimeout(value: string): number | undefined {
  const [, digits, letter] = /^([0-9]{1,8})([numSMH])$/.exec(value) ?? [];
  const unit = UNITS.find(([one]) => one === letter);
  return unit === undefined ? undefined : Number(digits) * unit[1];
}

/**
 * Writes a timeout in nanoseconds, in the smallest unit in which it has at most eight digits (rpc-http2#requests). It rounds up, so that the
 * server does not give up before the client. A timeout above 99999999 hours becomes that; one of 0 or less, which the client should not
 * send, becomes the smallest.
 */
export function writeTimeout(nanoseconds: number): string {
  for (const [letter, unit] of UNITS) {
    const count = Math.ceil(nanoseconds / unit);
    if (count <= LARGEST) return `${Math.max(count, 1)}${letter}`;
  }
  return `${LARGEST}H`;
}
