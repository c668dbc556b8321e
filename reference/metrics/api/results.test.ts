import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Columns, Labels } from "../model/index.ts";
import { JsonWriter } from "./json.ts";
import { formatValue } from "./number.ts";
import { resultJson } from "./results.ts";
import type { QueryValue } from "../promql/index.ts";

/** What is written, and in how many steps. */
function read(value: QueryValue, limit = Infinity): { readonly json: unknown; readonly steps: number; readonly isCut: boolean } {
  const out = new JsonWriter();
  const { write, isCut } = resultJson(value, limit);
  let text = "";
  let steps = 0;
  for (const _ of write(out)) {
    steps += 1;
    text += new TextDecoder().decode(out.take());
  }
  return { json: JSON.parse(`{${text}}`), steps, isCut };
}

function columnsOf(points: readonly (readonly [number, number])[]): Columns {
  const columns = new Columns();
  for (const [time, value] of points) columns.push(time, value);
  return columns;
}
const matrix = (rows: readonly (readonly [Labels, Columns])[]): QueryValue => ({ is: "matrix", size: rows.length, series: () => rows });

describe("resultJson()", () => {
  test("labels are valid JSON, whatever they contain", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary", minLength: 1 }), fc.string({ unit: "binary", minLength: 1 })), (pairs) => {
        const elements = [{ labels: Labels.of(pairs), value: 1.5, histogram: undefined }];
        expect(read({ is: "vector", timeMs: 1_500, elements }).json).toEqual({
          resultType: "vector",
          result: [{ metric: pairs, value: [1.5, "1.5"] }],
        });
      }),
    );
  });

  test.each(['"', "\\", "\n", "\u0000", "\u001f", "\u007f", "é", "\u2028", "😀", "\ud800", "\udc00x"])(
    "the label value %j is JSON",
    (sign) => {
      for (const text of [sign, `a${sign}`, `${sign}a`]) {
        const elements = [{ labels: Labels.of({ [text]: text, z: "1" }), value: 0, histogram: undefined }];
        expect(read({ is: "vector", timeMs: 0, elements }).json).toMatchObject({ result: [{ metric: { [text]: text, z: "1" } }] });
      }
    },
  );

  test("each series has its own times, also after another series with other times", () => {
    const [a, b, c] = [
      [
        [1_000, 1],
        [2_000, -0],
      ],
      [
        [1_000, 0.25],
        [2_500, 1e-7],
        [3_000, Number.NaN],
      ],
      [[2_500, 7]],
    ] as const;
    const rows = [a, b, c].map((points, row) => [Labels.of({ row: String(row) }), columnsOf(points)] as const);
    expect(read(matrix(rows)).json).toEqual({
      resultType: "matrix",
      result: [
        {
          metric: { row: "0" },
          values: [
            [1, "1"],
            [2, "-0"],
          ],
        },
        {
          metric: { row: "1" },
          values: [
            [1, "0.25"],
            [2.5, "1e-07"],
            [3, "NaN"],
          ],
        },
        { metric: { row: "2" }, values: [[2.5, "7"]] },
      ],
    });
  });

  test("writes a long series completely, in several steps", () => {
    const points = Array.from({ length: 5_000 }, (_, at) => [at * 15_000, at / 7] as const);
    const { json, steps } = read(matrix([[Labels.NONE, columnsOf(points)]]));
    expect(json).toEqual({
      resultType: "matrix",
      result: [{ metric: {}, values: points.map(([time, value]) => [time / 1_000, formatValue(value)]) }],
    });
    expect(steps).toBeGreaterThan(5);
  });

  test.each([0, 1, 2, 3])("a limit of %d cuts three series", (limit) => {
    const rows = ["a", "b", "c"].map((n) => [Labels.of({ n }), columnsOf([[0, 1]])] as const);
    const elements = rows.map(([labels]) => ({ labels, value: 1, histogram: undefined }));
    for (const value of [matrix(rows), { is: "vector", timeMs: 0, elements } as const]) {
      const { json, isCut } = read(value, limit);
      expect((json as { result: unknown[] }).result).toHaveLength(limit);
      expect(isCut).toBe(limit < 3);
    }
  });
});
