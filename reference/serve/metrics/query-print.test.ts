import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { renderAnswer } from "./query-print.ts";

const metric = { __name__: "http_request_duration_seconds_bucket", instance: "10.0.0.1:9090", path: "/a/".repeat(40) };
const samples: [number, string][] = Array.from({ length: 200 }, (_, at) => [at, String(at * 1.000123)]);
const lines = (text: string): string[] => stripVTControlCharacters(text).split("\n");

describe("renderAnswer()", () => {
  test.each([80, 100, 140])("a table in %i columns: names are truncated, values are not", (columns) => {
    const vector = renderAnswer(
      { status: "success", data: { resultType: "vector", result: [{ metric, value: [1, "12345.678901234567"] }] } },
      columns,
    );
    const result = [{ metric, values: samples }];
    const matrix = renderAnswer({ status: "success", data: { resultType: "matrix", result } }, columns);
    for (const line of [...lines(vector), ...lines(matrix)]) expect(line.length).toBeLessThanOrEqual(columns);
    expect(vector).toMatch(/http_request.*….*12345\.678901234567/);
    expect(matrix).toMatch(/http_request.*….*199\.024/);
  });

  test("without a terminal: nothing is truncated", () => {
    const data = { resultType: "vector", result: [{ metric, value: [1, "1"] }] } as const;
    expect(renderAnswer({ status: "success", data }, Number.POSITIVE_INFINITY)).toContain(`path="${metric.path}"`);
  });

  test("control characters are escaped in labels, values and notes", () => {
    const controls = "\u001b[2J\u009b31m\r";
    const label = { resultType: "vector", result: [{ metric: { a: controls }, value: [1, "1"] }] } as const;
    const text = { resultType: "string", result: [1, controls] } as const;
    for (const data of [label, text]) {
      const shown = stripVTControlCharacters(renderAnswer({ status: "success", data, warnings: [controls], infos: [controls] }, 80));
      // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
      expect(shown).not.toMatch(/[\u001b\u009b\r]/);
      expect(shown).toContain("\\x1b[2J\\x9b31m");
    }
  });

  test("no series, a scalar and a histogram are printed as text", () => {
    expect(renderAnswer({ status: "success", data: { resultType: "vector", result: [] } }, 80)).toContain("no series");
    expect(renderAnswer({ status: "success", data: { resultType: "scalar", result: [1, "NaN"] } }, 80)).toBe("NaN");
    const result = [{ metric: {}, histogram: [1, { count: "3", sum: "4.5" }] as const }];
    expect(renderAnswer({ status: "success", data: { resultType: "vector", result } }, 80)).toContain("histogram: count 3, sum 4.5");
  });
});
