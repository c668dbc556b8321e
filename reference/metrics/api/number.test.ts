import fc from "fast-check";
import { expect, test } from "vitest";
import { formatTime, formatValue } from "./number.ts";

test.each([
  [0, "0"],
  [-0, "-0"],
  [1, "1"],
  [0.1, "0.1"],
  [1e-6, "0.000001"],
  [1e-7, "1e-07"],
  [1.5e-10, "1.5e-10"],
  [1e20, "100000000000000000000"],
  [1e21, "1e+21"],
  [5e-324, "5e-324"],
  [Number.NaN, "NaN"],
  [Number.POSITIVE_INFINITY, "+Inf"],
  [Number.NEGATIVE_INFINITY, "-Inf"],
])("the value %d is written as %s", (value, text) => {
  expect(formatValue(value)).toBe(text);
});

test("formatValue: the text parses to the same number", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (value) => {
      expect(Number(formatValue(value).replace("Inf", "Infinity"))).toBe(value);
    }),
  );
});

test.each([
  [0, "0"],
  [1_435_781_451_781, "1435781451.781"],
  [1_500, "1.500"],
  [1_005, "1.005"],
  [-500, "-0.500"],
  [-1_500, "-1.500"],
])("the time %d is written as %s", (time, text) => {
  expect(formatTime(time)).toBe(text);
});
