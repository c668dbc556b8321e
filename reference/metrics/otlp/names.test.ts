import { describe, expect, test } from "vitest";
import { labelName, metricName, type Named, STRATEGIES } from "./names.ts";

/** Settled beside Prometheus 3.16.0, which was given 1,800 series under each strategy. */
const gauge = (name: string, unit = ""): Named => ({ name, unit, type: "gauge" });
const counter = (name: string, unit = ""): Named => ({ name, unit, type: "counter" });

describe("the name of a metric", () => {
  test.each([
    [gauge("cpu.load", "1"), ["cpu_load_ratio", "cpu_load", "cpu.load_ratio", "cpu.load"]],
    [
      gauge("http.server.duration", "ms"),
      ["http_server_duration_milliseconds", "http_server_duration", "http.server.duration_milliseconds", "http.server.duration"],
    ],
    [counter("requests", "{request}"), ["requests_total", "requests", "requests_total", "requests"]],
    [counter("a_total"), ["a_total", "a_total", "a_total", "a_total"]],
    [
      counter("disk.io.total.seconds", "s"),
      ["disk_io_seconds_total", "disk_io_total_seconds", "disk.io.total.seconds_total", "disk.io.total.seconds"],
    ],
    [gauge("a.seconds", "s"), ["a_seconds", "a_seconds", "a.seconds", "a.seconds"]],
    [gauge("io", "By/s"), ["io_bytes_per_second", "io", "io_bytes_per_second", "io"]],
    [
      counter("bytes_per_second", "By/s"),
      ["bytes_per_second_per_second_total", "bytes_per_second", "bytes_per_second_total", "bytes_per_second"],
    ],
    [gauge("x", "f-o-o"), ["x_f_o_o", "x", "x_f-o-o", "x"]],
    [gauge("9lives"), ["_9lives", "_9lives", "9lives", "9lives"]],
    [gauge("__x"), ["x", "__x", "__x", "__x"]],
    [gauge("a:b"), ["a:b", "a:b", "a:b", "a:b"]],
    [gauge("..."), ["", "", "...", "..."]],
  ] as const)("%o", (metric, names) => {
    expect(STRATEGIES.map((strategy) => metricName(metric, strategy))).toEqual(names);
  });
});

describe("the name of a label", () => {
  const name = (attribute: string, about: { prefixes?: boolean; keeps?: boolean } = {}): string =>
    labelName(attribute, {
      strategy: "UnderscoreEscapingWithSuffixes",
      prefixesUnderscores: about.prefixes ?? true,
      keepsUnderscores: about.keeps ?? true,
    });

  test("has underscores for what a label cannot have, and no digit in front", () => {
    expect(["http.route", "9x", "a..b", "ü"].map((one) => name(one))).toEqual(["http_route", "key_9x", "a__b", "key_"]);
  });

  test("begins with key if one underscore would, unless that is off; reserved names stay", () => {
    expect(["_u", "__r", "__name__"].map((one) => name(one))).toEqual(["key_u", "__r", "__name__"]);
    expect(name("_u", { prefixes: false })).toBe("_u");
  });

  test("has single underscores only, if that is asked for", () => {
    expect(["a..b", "a__b", "__name__"].map((one) => name(one, { keeps: false }))).toEqual(["a_b", "a_b", "__name__"]);
  });

  test("stays as it is where names are not escaped", () => {
    expect(labelName("http.route", { strategy: "NoTranslation", prefixesUnderscores: true, keepsUnderscores: true })).toBe("http.route");
  });
});
