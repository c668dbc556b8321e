import { expect, test } from "vitest";
import { closeCodeName, isCloseCode } from "./close-code.ts";

test("isCloseCode(): the codes that a Close may carry, of all 16-bit numbers (rfc6455#7.4)", () => {
  const ranges: string[] = [];
  let begun = -1;
  for (let code = 0; code <= 65_536; code++) {
    const may = isCloseCode(code);
    if (may && begun < 0) begun = code;
    if (!may && begun >= 0) {
      ranges.push(`${begun}-${code - 1}`);
      begun = -1;
    }
  }
  expect(ranges).toEqual(["1000-1003", "1007-1014", "3000-4999"]);
});

test("isCloseCode(): integers only", () => {
  expect([3_000.5, Number.NaN, -1, Number.POSITIVE_INFINITY].map(isCloseCode)).toEqual([false, false, false, false]);
});

test("closeCodeName(): names every code", () => {
  expect([1000, 1004, 1006, 1013, 2999, 3000, 4999, 5000].map(closeCodeName)).toEqual([
    "normal",
    "reserved",
    "abnormal",
    "tryAgainLater",
    "reserved",
    "registered",
    "private",
    "reserved",
  ]);
});
