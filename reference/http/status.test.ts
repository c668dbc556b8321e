import { expect, test } from "vitest";
import { forbidsContent, isInterim, isSuccess, parseStatus, reasonPhrase } from "./status.ts";

test.each([
  ["100", 100],
  ["200", 200],
  ["999", 999],
  ["099", undefined],
  ["20", undefined],
  ["2000", undefined],
  ["2x0", undefined],
  ["+20", undefined],
  [" 20", undefined],
  ["20:", undefined],
])("parseStatus(%j) is %s", (text, status) => {
  expect(parseStatus(text)).toBe(status);
});

test("forbidsContent(): HEAD, 1xx, 204 and 304 have no content; others may", () => {
  expect([forbidsContent("HEAD", 200), forbidsContent("GET", 103), forbidsContent("GET", 204), forbidsContent("GET", 304)]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([forbidsContent("GET", 200), forbidsContent("GET", 404), forbidsContent("POST", 205)]).toEqual([false, false, false]);
});

test("isInterim() and isSuccess(): by the first digit", () => {
  expect([isInterim(99), isInterim(100), isInterim(199), isInterim(200)]).toEqual([false, true, true, false]);
  expect([isSuccess(199), isSuccess(200), isSuccess(299), isSuccess(300)]).toEqual([false, true, true, false]);
  expect([reasonPhrase(431), reasonPhrase(599)]).toEqual(["Request Header Fields Too Large", ""]);
});
