import fc from "fast-check";
import { expect, test } from "vitest";
import { EARLIEST, readTime } from "./time.ts";

test.each([
  ["0", 0],
  ["1435781451.781", 1_435_781_451_781],
  ["1.4357e9", 1_435_700_000_000],
  ["-1.5", -1_500],
  ["2015-07-01T20:10:51.781Z", 1_435_781_451_781],
  ["2015-07-01T22:10:51.781999+02:00", 1_435_781_451_781],
  ["2015-07-01t20:10:51z", 1_435_781_451_000],
  ["0001-01-01T00:00:00Z", -62_135_596_800_000],
  ["-292273086-05-16T16:47:06Z", EARLIEST],
])("%s is a time", (text, time) => {
  expect(readTime(text)).toBe(time);
});

test.each([
  "",
  "now",
  "NaN",
  "Inf",
  "1e400",
  "0x10",
  "1 ",
  "2015-07-01",
  "2015-06-31T00:00:00Z",
  "2015-07-01T24:00:00Z",
  "2015-07-01T20:10:51",
])("%j is none", (text) => {
  expect(readTime(text)).toBeUndefined();
});

test("readTime: accepts every time that toISOString() writes", () => {
  const times = fc.date({ min: new Date("0000-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true });
  fc.assert(
    fc.property(times, (time) => {
      expect(readTime(time.toISOString())).toBe(time.getTime());
    }),
  );
});
