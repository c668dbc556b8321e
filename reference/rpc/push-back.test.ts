import { expect, test } from "vitest";
import { parsePushBack } from "./push-back.ts";

test.each([
  ["0", 0],
  ["250", 250],
  ["2147483647", 2_147_483_647],
  ["2147483648", "stop"],
  ["99999999999", "stop"],
  ["-1", "stop"],
  ["-0", "stop"],
  ["+1", "stop"],
  ["01", "stop"],
  ["1.5", "stop"],
  ["1 ", "stop"],
  ["", "stop"],
  ["soon", "stop"],
])("the push-back %j is %j", (value, expected) => {
  expect(parsePushBack(value)).toBe(expected);
});
