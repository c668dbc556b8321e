import { expect, test } from "vitest";
import { ErrorCode, errorCode } from "./error-code.ts";

test("every code has the number of its place in the registry", () => {
  expect(Object.values(ErrorCode)).toEqual(Array.from({ length: 14 }, (_, at) => at));
  for (const [name, number] of Object.entries(ErrorCode)) expect(errorCode(number)).toBe(name);
});

test("a code that nobody has defined counts as INTERNAL_ERROR", () => {
  expect([errorCode(14), errorCode(0xffff_ffff)]).toEqual(["INTERNAL_ERROR", "INTERNAL_ERROR"]);
});
