import { expect, test } from "vitest";
import { ErrorCode, errorCode } from "./error-code.ts";

test("each code has its number in the registry", () => {
  expect(Object.values(ErrorCode)).toEqual(Array.from({ length: 14 }, (_, at) => at));
  for (const [name, number] of Object.entries(ErrorCode)) expect(errorCode(number)).toBe(name);
});

test("an unknown code is treated as INTERNAL_ERROR", () => {
  expect([errorCode(14), errorCode(0xffff_ffff)]).toEqual(["INTERNAL_ERROR", "INTERNAL_ERROR"]);
});
