import { describe, expect, test } from "vitest";
import { Json, success } from "./answer.ts";

function counting(count: number, size: number): { readonly pieces: Iterable<string>; readonly made: () => number } {
  let made = 0;
  const pieces = (function* list() {
    yield "[";
    for (let at = 0; at < count; at++) {
      made += 1;
      yield `${at === 0 ? "" : ","}"${"x".repeat(size)}"`;
    }
    yield "]";
  })();
  return { pieces, made: () => made };
}

describe("success()", () => {
  test("what is short is there at once", () => {
    const { body } = success({ data: new Json(counting(2, 1).pieces), warnings: ["w"], infos: ["i"] });
    expect(body).toBe('{"status":"success","data":["x","x"],"warnings":["w"],"infos":["i"]}');
  });

  test("a large result is written as it is asked for, piece by piece, and its end comes last", async () => {
    const { pieces, made } = counting(1_000, 1_000);
    const { body } = success({ data: new Json(pieces), warnings: ["cut"] });
    expect(made()).toBeLessThan(100);
    let text = "";
    let most = 0;
    for await (const piece of body as AsyncIterable<string>) {
      text += piece;
      most = Math.max(most, piece.length);
      expect(made()).toBeLessThan(text.length / 1_000 + 100);
    }
    expect(most).toBeLessThan(100_000);
    expect(JSON.parse(text)).toMatchObject({ status: "success", warnings: ["cut"], data: { length: 1_000 } });
  });

  test("no data is none", () => expect(success({ data: undefined }).body).toBe('{"status":"success"}'));
});
