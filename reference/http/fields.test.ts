import { describe, expect, test } from "vitest";
import { Fields } from "./fields.ts";

const some = Fields.from([
  ["Accept", "text/html"],
  ["set-cookie", "a=1"],
  ["accept", "*/*"],
  ["Set-Cookie", "b=2"],
  ["cookie", "c=3"],
  ["cookie", "d=4"],
]);

describe("Fields", () => {
  test("names are case-insensitive, and become lower case", () => {
    expect([some.has("ACCEPT"), some.has("host"), some.list[0]!.name]).toEqual([true, false, "accept"]);
  });
  test("get(): joins several lines to a list, and several cookie lines to one cookie", () => {
    expect([some.get("accept"), some.get("Cookie"), some.get("host")]).toEqual(["text/html, */*", "c=3; d=4", undefined]);
  });
  test("all(): returns the value of every line", () => {
    expect([some.all("set-cookie"), some.all("host")]).toEqual([["a=1", "b=2"], []]);
  });
  test("iteration: yields pairs in their order, so that a copy is equal", () => {
    expect([...Fields.from(some)]).toEqual([...some]);
    expect([some.size, Fields.from([]).size]).toEqual([6, 0]);
  });
});
