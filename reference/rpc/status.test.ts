import { expect, test } from "vitest";
import { parseStatusCode, Status, statusName, statusOfHttp, statusOfReset } from "./status.ts";

test("seventeen codes, each with its name", () => {
  const names = Object.keys(Status);
  expect(names).toHaveLength(17);
  expect(Object.values(Status)).toEqual(names.map((_, code) => code));
  expect(Object.values(Status).map(statusName)).toEqual(names);
});

test.each([
  ["0", 0],
  ["16", 16],
  ["17", 2],
  ["99999999999999999999", 2],
  ["", undefined],
  ["05", undefined],
  ["00", undefined],
  ["+5", undefined],
  ["-1", undefined],
  ["5 ", undefined],
  ["5.0", undefined],
  ["NOT_FOUND", undefined],
])("status field %j: code %j", (value, code) => {
  expect(parseStatusCode(value)).toBe(code);
});

test.each([
  [400, "INTERNAL"],
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "UNIMPLEMENTED"],
  [429, "UNAVAILABLE"],
  [431, "INTERNAL"],
  [502, "UNAVAILABLE"],
  [503, "UNAVAILABLE"],
  [504, "UNAVAILABLE"],
  ...[200, 204, 301, 405, 408, 413, 415, 430, 500, 501, 505].map((status) => [status, "UNKNOWN"] as const),
] as const)("HTTP status %i without a status field: %s", (http, name) => {
  expect(statusName(statusOfHttp(http))).toBe(name);
});

test.each([
  [7, "UNAVAILABLE"],
  [8, "CANCELLED"],
  [11, "RESOURCE_EXHAUSTED"],
  [12, "PERMISSION_DENIED"],
  ...[0, 1, 2, 3, 4, 5, 6, 9, 10, 13, 99].map((code) => [code, "INTERNAL"] as const),
] as const)("RST_STREAM with code %i: %s", (code, name) => {
  expect(statusName(statusOfReset(code))).toBe(name);
});
