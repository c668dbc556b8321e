import { describe, expect, test } from "vitest";
import { Json, success } from "./answer.ts";
import type { WriteJson } from "./json.ts";

function counting(count: number, size: number): { readonly write: WriteJson; readonly made: () => number } {
  let made = 0;
  return {
    *write(out) {
      out.ascii("[");
      for (let at = 0; at < count; at++) {
        made += 1;
        yield void out.ascii(at === 0 ? "" : ",").text("x".repeat(size));
      }
      yield void out.ascii("]");
    },
    made: () => made,
  };
}

const textOf = (octets: unknown): string => new TextDecoder().decode(octets as Uint8Array);

describe("success()", () => {
  test("success(): a short result is one piece", () => {
    const { body } = success({ data: new Json(counting(2, 1).write), warnings: ["w"], infos: ["i"] });
    expect(textOf(body)).toBe('{"status":"success","data":["x","x"],"warnings":["w"],"infos":["i"]}');
  });

  test("success(): a large result is serialized on demand, piece by piece, with the end of the envelope last", async () => {
    const { write, made } = counting(1_000, 1_000);
    const { body } = success({ data: new Json(write), warnings: ["cut"] });
    expect(made()).toBeLessThan(100);
    let text = "";
    let most = 0;
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      text += textOf(piece);
      most = Math.max(most, piece.length);
      expect(made()).toBeLessThan(text.length / 1_000 + 100);
    }
    expect(most).toBeLessThan(100_000);
    expect(JSON.parse(text)).toMatchObject({ status: "success", warnings: ["cut"], data: { length: 1_000 } });
  });

  test("success(): leaves out undefined data", () => expect(textOf(success({ data: undefined }).body)).toBe('{"status":"success"}'));
});
