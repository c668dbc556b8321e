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
  test("names are found whatever their case, and become lower case", () => {
    expect([some.has("ACCEPT"), some.has("host"), some.list[0]!.name]).toEqual([true, false, "accept"]);
  });
  test("get(): several lines are one list; crumbs of a cookie are one cookie", () => {
    expect([some.get("accept"), some.get("Cookie"), some.get("host")]).toEqual(["text/html, */*", "c=3; d=4", undefined]);
  });
  test("all(): every line has its own value", () => {
    expect([some.all("set-cookie"), some.all("host")]).toEqual([["a=1", "b=2"], []]);
  });
  test("iterates as pairs in the order they came, so that a copy is the same", () => {
    expect([...Fields.from(some)]).toEqual([...some]);
    expect([some.size, Fields.from([]).size]).toEqual([6, 0]);
  });
});
