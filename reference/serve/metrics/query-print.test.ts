import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { printed } from "./query-print.ts";

const metric = { __name__: "http_request_duration_seconds_bucket", instance: "10.0.0.1:9090", path: "/a/".repeat(40) };
const samples: [number, string][] = Array.from({ length: 200 }, (_, at) => [at, String(at * 1.000123)]);
const lines = (text: string): string[] => stripVTControlCharacters(text).split("\n");

describe("printed()", () => {
  test.each([80, 100, 140])("a table fits %i columns: names are cut, values are not", (columns) => {
    const vector = printed(
      { status: "success", data: { resultType: "vector", result: [{ metric, value: [1, "12345.678901234567"] }] } },
      columns,
    );
    const result = [{ metric, values: samples }];
    const matrix = printed({ status: "success", data: { resultType: "matrix", result } }, columns);
    for (const line of [...lines(vector), ...lines(matrix)]) expect(line.length).toBeLessThanOrEqual(columns);
    expect(vector).toMatch(/http_request.*….*12345\.678901234567/);
    expect(matrix).toMatch(/http_request.*….*199\.024/);
  });

  test("nothing is cut where there is no terminal", () => {
    const data = { resultType: "vector", result: [{ metric, value: [1, "1"] }] } as const;
    expect(printed({ status: "success", data }, Number.POSITIVE_INFINITY)).toContain(`path="${metric.path}"`);
  });

  test("what would steer a terminal is shown, wherever it stands", () => {
    const steer = "\u001b[2J\u009b31m\r";
    const label = { resultType: "vector", result: [{ metric: { a: steer }, value: [1, "1"] }] } as const;
    const text = { resultType: "string", result: [1, steer] } as const;
    for (const data of [label, text]) {
      const shown = stripVTControlCharacters(printed({ status: "success", data, warnings: [steer], infos: [steer] }, 80));
      // oxlint-disable-next-line no-control-regex -- these are what it is about
      expect(shown).not.toMatch(/[\u001b\u009b\r]/);
      expect(shown).toContain("\\x1b[2J\\x9b31m");
    }
  });

  test("an empty answer, a number and histograms are said in words", () => {
    expect(printed({ status: "success", data: { resultType: "vector", result: [] } }, 80)).toContain("no series");
    expect(printed({ status: "success", data: { resultType: "scalar", result: [1, "NaN"] } }, 80)).toBe("NaN");
    const result = [{ metric: {}, histogram: [1, { count: "3", sum: "4.5" }] as const }];
    expect(printed({ status: "success", data: { resultType: "vector", result } }, 80)).toContain("histogram: count 3, sum 4.5");
  });
});
