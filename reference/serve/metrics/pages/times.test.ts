import { describe, expect, test } from "vitest";
import { openAtFirst } from "./group.ts";
import { columnsOf } from "./query/columns.ts";
import { readPanels, stepOf, writePanels } from "./query/panels.ts";
import { agoText, durationText, readDuration, readUtc, secondsText, utcText } from "./times.ts";

describe("durations", () => {
  test.each([
    ["1h30m", 5_400_000],
    ["500ms", 500],
    ["10d", 864_000_000],
    ["2w", 1_209_600_000],
    ["1d12h", 129_600_000],
    ["1y", 31_536_000_000],
  ])("%s: read, and written again", (text, ms) => {
    expect([readDuration(text), durationText(ms)]).toEqual([ms, text]);
  });

  test("a number is seconds", () => expect(readDuration(" 1.5 ")).toBe(1_500));
  test.each(["", "0", "0s", "h", "-5m", "5 m", "1e3", "5m5"])("%j: not a duration", (text) => expect(readDuration(text)).toBeUndefined());

  test.each([
    [0, "0 ms"],
    [0.000_123_4, "0.123 ms"],
    [2, "2.00 s"],
  ])("%d seconds of work: %s", (seconds, text) => expect(secondsText(seconds)).toBe(text));
});

test("groups that are open at first: the first one, and as many after it as fit", () => {
  expect(openAtFirst([900, 10, 10])).toEqual([true, false, false]);
  expect(openAtFirst([200, 200, 200, 1])).toEqual([true, true, false, false]);
});

describe("times", () => {
  const now = Date.UTC(2026, 0, 2, 3, 4, 5);
  test("UTC: written, and read again; seconds since 1970, too", () => {
    expect([utcText(now), readUtc("2026-01-02 03:04:05"), readUtc("1767323045"), readUtc("soon")]).toEqual([
      "2026-01-02 03:04:05",
      now,
      now,
      undefined,
    ]);
  });

  test.each([
    ["0001-01-01T00:00:00Z", "never"],
    ["2026-01-02T03:04:04.800Z", "now"],
    ["2026-01-02T03:04:02.500Z", "2s500ms ago"],
    ["2026-01-02T02:04:05.000Z", "1h ago"],
  ])("%s: %s", (date, text) => expect(agoText(date, now)).toBe(text));
});

describe("the address of the query page", () => {
  test("two panels: read, and written again", () => {
    const search =
      "?g0.expr=up&g0.tab=0&g0.range_input=2h&g0.end_input=2026-01-02+03%3A04%3A05&g0.step_input=30&g1.expr=1%2B1&g1.tab=2&g1.range_input=1h";
    const panels = readPanels(search);
    expect(panels).toMatchObject([
      { expr: "up", tab: "graph", rangeMs: 7_200_000, endMs: Date.UTC(2026, 0, 2, 3, 4, 5), stepMs: 30_000 },
      { expr: "1+1", tab: "explain", endMs: undefined, stepMs: undefined },
    ]);
    expect(decodeURIComponent(writePanels(panels))).toBe(decodeURIComponent(search));
  });

  test("nothing, and nonsense: one empty panel, and defaults", () => {
    expect(readPanels("")).toMatchObject([{ expr: "", tab: "table" }]);
    expect(readPanels("?g0.expr=up&g0.tab=9&g0.range_input=x&g0.end_input=y")).toMatchObject([
      { tab: "table", rangeMs: 3_600_000, endMs: undefined },
    ]);
    expect(readPanels(`?${Array.from({ length: 99 }, (_, at) => `g${at}.expr=up`).join("&")}`)).toHaveLength(20);
  });

  test.each([
    ["1m", 1_000],
    ["1h", 15_000],
    ["365d", 126_144_000],
  ])("a graph of %s: a step of %d ms", (range, step) => {
    const [panel] = readPanels(`?g0.expr=up&g0.range_input=${range}`);
    expect(stepOf(panel!)).toBe(step);
  });
});

test("columns of a graph: a value at each step that has one; histograms and infinite values are no points", () => {
  const steps = { startMs: 10_000, endMs: 13_000, stepMs: 1_000 };
  const rows = [
    {
      metric: {},
      values: [
        [10, "1"],
        [12, "+Inf"],
        [13, "2.5"],
        [99, "7"],
      ],
    },
    { metric: {}, histograms: [[10, { count: "1", sum: "1" }]] },
  ] as const;
  expect(columnsOf(rows, steps)).toEqual({
    times: [10, 11, 12, 13],
    lines: [
      [1, null, null, 2.5],
      [null, null, null, null],
    ],
    undrawn: 1,
    histograms: 1,
  });
});
