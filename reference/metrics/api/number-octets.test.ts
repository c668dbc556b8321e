import fc from "fast-check";
import { expect, test } from "vitest";
import { formatTime, formatValue } from "./number.ts";
import { MOST_TIME_OCTETS, MOST_VALUE_OCTETS, putTime, putValue } from "./number-octets.ts";

/** The text written at an offset. Octets before it and after the requested space stay unchanged. */
function written(put: typeof putValue, number: number, most: number): string {
  const octets = new Uint8Array(most + 10).fill(0x2a);
  const end = put(octets, 1, number);
  expect(end).toBeLessThanOrEqual(1 + most);
  expect([octets[0], ...octets.subarray(1 + most)].every((octet) => octet === 0x2a)).toBe(true);
  return String.fromCharCode(...octets.subarray(1, end));
}
const value = (number: number): string => written(putValue, number, MOST_VALUE_OCTETS);
const time = (number: number): string => written(putTime, number, MOST_TIME_OCTETS);

const decimals = fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 12 })).map(([digits, places]) => Number(`${digits}e-${places}`));

test.each([
  0,
  -0,
  1,
  -1,
  9,
  10,
  0.1,
  0.5,
  -0.000001,
  0.0000005,
  0.3,
  0.1 + 0.2,
  1e9,
  999_999_999.999999,
  1_000_000_000.5,
  1e15,
  123_456_789_012_345,
  2 ** 53,
  2 ** 53 - 1,
  1e21,
  -1.7976931348623157e308,
  -2.2250738585072014e-308,
  5e-324,
  Number.NaN,
  Infinity,
  -Infinity,
  100_000_000.000001,
  4.35,
  999_999_999.9999999,
])("the value %d has the octets of its text", (number) => expect(value(number)).toBe(formatValue(number)));

test("putValue: writes the text of formatValue for any value", () => {
  fc.assert(
    fc.property(fc.oneof(fc.double(), decimals, fc.maxSafeInteger(), fc.float()), (number) => {
      expect(value(number)).toBe(formatValue(number));
    }),
  );
});

test("putValue: writes the text of formatValue for the neighbours of a short decimal", () => {
  const bits = new BigInt64Array(1);
  const double = new Float64Array(bits.buffer);
  fc.assert(
    fc.property(decimals, fc.bigInt(-3n, 3n), (number, away) => {
      double[0] = number;
      bits[0] = (bits[0] ?? 0n) + away;
      expect(value(double[0])).toBe(formatValue(double[0]));
    }),
  );
});

test.each([0, 1_435_781_451_781, 1_500, 1_005, -500, -1_500, 999, 1_000, 8.64e15, -9_007_199_254_740_991, 9_007_199_254_740_991])(
  "the time %d has the octets of its text",
  (number) => expect(time(number)).toBe(formatTime(number)),
);
test("putTime: writes the text of formatTime for any time", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (number) => {
      expect(time(number)).toBe(formatTime(number));
    }),
  );
});
