import { expect, test } from "vitest";
import { parseTimeout, writeTimeout } from "./timeout.ts";

test.each([
  ["1n", 1],
  ["1u", 1_000],
  ["1m", 1_000_000],
  ["1S", 1_000_000_000],
  ["1M", 60_000_000_000],
  ["1H", 3_600_000_000_000],
  ["99999999n", 99_999_999],
  ["99999999H", 99_999_999 * 3_600e9],
  ["00000001S", 1_000_000_000],
  ["0S", 0],
  ["", undefined],
  ["1", undefined],
  ["S", undefined],
  ["100000000n", undefined],
  ["1s", undefined],
  ["1h", undefined],
  ["1 S", undefined],
  [" 1S", undefined],
  ["1S ", undefined],
  ["+1S", undefined],
  ["-1S", undefined],
  ["1.5S", undefined],
  ["1SS", undefined],
  ["0x1S", undefined],
  ["１S", undefined],
])("the timeout %j is read as %j ns", (value, nanoseconds) => {
  expect(parseTimeout(value)).toBe(nanoseconds);
});

test.each([
  [1, "1n"],
  [99_999_999, "99999999n"],
  [100_000_000, "100000u"],
  [100_000_001, "100001u"],
  [1e9, "1000000u"],
  [99_999_999_000, "99999999u"],
  [99_999_999_001, "100000m"],
  [99_999_999e6 + 1, "100000S"],
  [99_999_999e9 + 1024, "1666667M"],
  [99_999_999 * 60e9 + 2 ** 11, "1666667H"],
  [99_999_999 * 3_600e9, "99999999H"],
  [1e24, "99999999H"],
  [Number.POSITIVE_INFINITY, "99999999H"],
  [0.25, "1n"],
  [0, "1n"],
  [-5, "1n"],
])("%d ns are written as %s", (nanoseconds, value) => {
  expect(writeTimeout(nanoseconds)).toBe(value);
});
