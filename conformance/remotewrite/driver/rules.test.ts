import { describe, expect, test } from "vitest";
import type { Point, Protocol, RequestSeries, WrittenValue } from "../../wire/remotewrite/build.ts";
import { type Change, type Labels, labels, life } from "./life-testing.ts";
import { ESCAPED, UTF8 } from "./page.ts";
import type { Arrived, Record } from "./record.ts";
import { RULES } from "./rules.ts";

/** Each rule holds for a good life, and fails for one with the mistake that it is about. */

const relabel = (change: (own: Labels) => Labels): Change => ({ series: (one) => ({ ...one, labels: change(one.labels) }) });
const resample = (change: (own: readonly Point<WrittenValue>[]) => readonly Point<WrittenValue>[]): Change => ({
  series: (one) => ({ ...one, samples: change(one.samples ?? []) }),
});
const fields = (change: (own: Arrived["headers"]) => Arrived["headers"]): Change => ({
  request: ({ headers }) => ({ headers: change(headers) }),
});
const without = (name: string): Change => fields((own) => own.filter(([one]) => one !== name));
const only = (name: string, change: (one: RequestSeries) => RequestSeries): Change => ({
  series: (one) => (one.labels.some(([label, value]) => label === "__name__" && value === name) ? change(one) : one),
});

const MISTAKES: readonly (readonly [rule: string, mistake: string, change: Change, protocols?: readonly Protocol[]])[] = [
  ["post", "PUT", { request: () => ({ method: "PUT" }) }],
  ["path", "without its query", { request: () => ({ path: "/receive" }) }],
  ["coding", "none", without("content-encoding")],
  ["coding", "gzip", fields((own) => own.map(([name, value]) => [name, name === "content-encoding" ? "gzip" : value] as const))],
  ["type", "none", without("content-type")],
  ["version", "none", without("x-prometheus-remote-write-version")],
  ["agent", "none", without("user-agent")],
  ["agent-version", "no version", fields((own) => own.map(([name, value]) => [name, name === "user-agent" ? "a" : value] as const))],
  ["once", "two", fields((own) => [...own, ["content-type", "text/plain"]])],
  ["block", "framed", { packing: "framed" }],
  ["block", "not compressed", { packing: "raw" }],
  ["message", "cut off", { shape: "torn" }],
  ["schema", "another field", { shape: "unknown-field" }],
  ["schema", "another field of a series", { shape: "unknown-in-series" }],
  ["first-symbol", "not empty", { symbols: ["x"] }, [2]],
  ["symbols-once", "two", { symbols: ["", "a", "a"] }, [2]],
  ["references", "beyond", { series: (one) => ({ ...one, refs: [1, 2, 3, 9_999] }) }, [2]],
  ["references", "odd", { series: (one) => ({ ...one, refs: [1] }) }, [2]],
  ["several-series", "one each", { all: (all) => all.slice(0, 1) }],
  ["sorted", "reversed", relabel((own) => own.toReversed())],
  ["unique", "twice", relabel((own) => [...own, own.at(-1)!])],
  ["not-reserved", "of the target", relabel((own) => [["__address__", "x"], ...own])],
  ["names-not-empty", "empty", relabel((own) => [["", "x"], ...own])],
  ["values-not-empty", "empty", relabel((own) => [...own, ["zz", ""]])],
  ["metric-name", "none", relabel((own) => own.filter(([name]) => name !== "__name__"))],
  ["metric-letters", "a dot", relabel((own) => own.map(([name, value]) => [name, name === "__name__" ? `${value}.x` : value] as const))],
  ["label-letters", "a dot", relabel((own) => [...own, ["z.z", "1"]])],
  ["complete", "without job", relabel((own) => own.filter(([name]) => name !== "job"))],
  ["own-label", "replaced", only("conflict", (one) => ({ ...one, labels: labels("conflict") }))],
  ["texts", "escaped", only("texts", (one) => ({ ...one, labels: labels("texts", ["a", UTF8], ["b", JSON.stringify(ESCAPED)]) }))],
  ["samples-or-histograms", "neither", resample(() => [])],
  ["metadata-type", "none", { series: ({ labels: own, samples = [] }) => ({ labels: own, samples }) }, [2]],
  ["metadata-help", "another", { series: (one) => ({ ...one, ...(one.metadata && { metadata: [1, "x", ""] as const }) }) }, [2]],
  ["milliseconds", "seconds", resample((own) => own.map(([value, time]) => [value, Math.round(time / 1_000)] as const))],
  [
    "values",
    "rounded",
    resample((own) => own.map(([value, time]) => [typeof value === "number" ? Math.fround(value) : value, time] as const)),
  ],
  ["values", "a stale marker for NaN", resample((own) => own.map(([value, time]) => [value === "NaN" ? "stale" : value, time] as const))],
  [
    "order-within",
    "reversed",
    resample((own) =>
      own.flatMap(
        ([value, time]) =>
          [
            [value, time],
            [value, time - 100],
          ] as const,
      ),
    ),
  ],
  [
    "order",
    "an older request later",
    {
      order: [
        [1, 204],
        [3, 204],
        [2, 204],
      ],
    },
  ],
  [
    "sent-once",
    "twice",
    {
      order: [
        [1, 204],
        [1, 204],
        [2, 204],
      ],
    },
  ],
  ["marks-series", "no marker", only("vanishing", (one) => ({ ...one, samples: [[1, one.samples?.[0]?.[1] ?? 0]] }))],
  ["marks-target", "no marker", only("ticks_total", (one) => ({ ...one, samples: [[1, one.samples?.[0]?.[1] ?? 0]] }))],
  [
    "marks-nothing-else",
    "a marker for NaN",
    resample((own) => own.map(([value, time]) => [value === "NaN" ? "stale" : value, time] as const)),
  ],
  [
    "native-values",
    "another sum",
    only("native", (one) => ({ ...one, histograms: (one.histograms ?? []).map(([value, time]) => [{ ...value, sum: 9 }, time] as const) })),
    [2],
  ],
  [
    "native-order",
    "an older request later",
    {
      order: [
        [1, 204],
        [3, 204],
        [2, 204],
      ],
    },
    [2],
  ],
  [
    "marks-native",
    "no marker",
    only("native", (one) => ({ ...one, samples: (one.samples ?? []).map(([, time]) => [1, time] as const) })),
    [2],
  ],
  [
    "loses-nothing",
    "a gap",
    {
      order: [
        [1, 204],
        [3, 204],
        [4, 204],
      ],
    },
  ],
];

describe.each([1, 2] as const)("the rules for protocol %i", (protocol) => {
  const applicable = MISTAKES.filter(([, , , protocols = [1, 2]]) => protocols.includes(protocol)).map(([rule, mistake, change]) => ({
    rule,
    mistake,
    change,
  }));
  test.each([...new Set(applicable.map(({ rule }) => rule))])("%s holds for a good life, and proves nothing without requests", (rule) => {
    expect(RULES[rule]!(life(protocol), undefined)).toBeUndefined();
    expect(RULES[rule]!(life(protocol, { order: [] }), undefined)).toBeDefined();
  });
  test.each(applicable)("$rule fails: $mistake", ({ rule, change }) => {
    expect(RULES[rule]!(life(protocol, change), undefined)).toBeDefined();
  });
});

/** The scrape of each request with its status and time, the rule, the status that it is about, and whether it holds. */
const LATER: readonly (readonly [
  rule: string,
  status: number | undefined,
  holds: boolean,
  order: NonNullable<Change["order"]>,
  record?: Partial<Record>,
])[] = [
  [
    "sends-again",
    503,
    true,
    [
      [1, 503],
      [1, 204],
    ],
  ],
  [
    "sends-again",
    503,
    false,
    [
      [1, 503],
      [2, 204],
    ],
  ],
  [
    "sends-again",
    503,
    false,
    [
      [1, 204],
      [2, 204],
    ],
  ],
  [
    "gives-up",
    400,
    true,
    [
      [1, 400],
      [2, 204],
    ],
  ],
  [
    "gives-up",
    400,
    false,
    [
      [1, 400],
      [1, 204],
    ],
  ],
  ["gives-up", 400, false, [[1, 204]]],
  [
    "goes-on",
    400,
    true,
    [
      [1, 400],
      [2, 204],
    ],
  ],
  ["goes-on", 400, false, [[1, 400]]],
  [
    "backs-off",
    undefined,
    true,
    [
      [1, 503, 0],
      [1, 503, 31],
      [1, 503, 95],
      [1, 503, 220],
      [1, 204, 470],
    ],
  ],
  [
    "backs-off",
    undefined,
    false,
    [
      [1, 503, 0],
      [1, 503, 31],
      [1, 503, 62],
      [1, 503, 93],
      [1, 204, 124],
    ],
  ],
  [
    "backs-off",
    undefined,
    false,
    [
      [1, 503, 0],
      [1, 503, 31],
      [1, 204, 95],
    ],
  ],
  [
    "waits-as-told",
    503,
    true,
    [
      [1, 503, 0],
      [1, 204, 1_010],
    ],
  ],
  [
    "waits-as-told",
    503,
    false,
    [
      [1, 503, 0],
      [1, 204, 500],
    ],
  ],
  [
    "keeps-over-restart",
    undefined,
    true,
    [
      [1, 503, 0],
      [1, 204, 500],
    ],
    { restartedAt: 300 },
  ],
  [
    "keeps-over-restart",
    undefined,
    false,
    [
      [1, 503, 0],
      [2, 204, 500],
    ],
    { restartedAt: 300 },
  ],
  [
    "keeps-over-restart",
    undefined,
    false,
    [
      [1, 503, 0],
      [1, 204, 500],
    ],
  ],
  [
    "keeps-while-away",
    undefined,
    true,
    [
      [1, 204],
      [2, 204],
    ],
    { scrapesAway: 2 },
  ],
  [
    "keeps-while-away",
    undefined,
    false,
    [
      [3, 204],
      [4, 204],
    ],
    { scrapesAway: 2 },
  ],
];
test.each(LATER.map(([rule, status, holds, order, record = {}]) => ({ rule, status, holds, order, record })))(
  "$rule ($status): $holds",
  ({ rule, status, holds, order, record }) => {
    expect(RULES[rule]!(life(1, { order, record }), status) === undefined).toBe(holds);
  },
);

test("each rule is here", () => {
  expect(new Set([...MISTAKES, ...LATER].map(([rule]) => rule))).toEqual(new Set(Object.keys(RULES)));
});
