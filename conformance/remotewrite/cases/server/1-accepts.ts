import type { Shape } from "../../../wire/remotewrite/build.ts";
import { NATIVE } from "../../driver/server.ts";
import type { Case, Step } from "../../vocabulary.ts";
import { both, type Draft, made, plain, PROTOCOLS, series, shows, success, write } from "./phrases.ts";

/** What every receiver must write: requests of the protocol in all their forms. */

type Accepted = {
  readonly id: string;
  readonly what: string;
  readonly make: (protocol: 1 | 2) => Pick<Step, "series"> & Partial<Step>;
  readonly samples: number;
  readonly histograms?: number;
  readonly values?: readonly (readonly string[])[];
  readonly only?: 1 | 2;
  readonly covers?: string;
};
const LABELS = [
  ["a", "1"],
  ["b", "2"],
] as const;

const ACCEPTED: readonly Accepted[] = [
  { id: "one-sample", what: "one sample", make: () => ({ series: [series([[1.5, 0]])] }), samples: 1, values: [["1.5"]] },
  {
    id: "several-series",
    what: "three series of one metric",
    make: () => ({ series: [1, 2, 3].map((value) => series([[value, 0]], ["i", String(value)])) }),
    samples: 3,
    values: [["1"], ["2"], ["3"]],
  },
  {
    id: "several-samples",
    what: "five samples of one series in order",
    make: () => ({ series: [series([1, 2, 3, 4, 5].map((value) => [value, value * 1_000] as const))] }),
    samples: 5,
    values: [["1", "2", "3", "4", "5"]],
  },
  {
    id: "special-values",
    what: "NaN and the infinities",
    make: () => ({
      series: [
        series([
          ["NaN", 0],
          ["+Inf", 1_000],
          ["-Inf", 2_000],
        ]),
      ],
    }),
    samples: 3,
    values: [["NaN", "+Inf", "-Inf"]],
  },
  {
    id: "extreme-values",
    what: "the smallest and the largest numbers of 64 bits",
    make: () => ({
      series: [
        series([
          [5e-324, 0],
          [1.7976931348623157e308, 1_000],
          ["-0", 2_000],
        ]),
      ],
    }),
    samples: 3,
  },
  {
    id: "stale-marker",
    what: "a stale marker after a sample",
    make: () => ({
      series: [
        series([
          [1, 0],
          ["stale", 1_000],
        ]),
      ],
    }),
    samples: 2,
    values: [["1"]],
    covers: "1.stale-markers/marker",
  },
  { id: "no-series", what: "a request without series", make: () => ({ series: [] }), samples: 0 },
  {
    id: "utf8-value",
    what: "a label value of several scripts",
    make: () => ({ series: [series([[1, 0]], ["a", "zürich 東京 🚆"])] }),
    samples: 1,
    values: [["1"]],
  },
  {
    id: "value-with-controls",
    what: "a label value with quotes, a backslash and a line feed",
    make: () => ({ series: [series([[1, 0]], ["a", 'x"\\\n\ty'])] }),
    samples: 1,
    values: [["1"]],
  },
  {
    id: "many-series",
    what: "two thousand series in one request",
    make: () => ({ series: Array.from({ length: 2_000 }, (_, at) => series([[at, 0]], ["i", String(at)])) }),
    samples: 2_000,
  },
  {
    id: "ten-labels",
    what: "a series of ten labels",
    make: () => ({ series: [series([[1, 0]], ..."abcdefghij".split("").map((name) => [name, "v"] as const))] }),
    samples: 1,
    values: [["1"]],
  },
  {
    id: "literals-alone",
    what: "a Snappy block without copies",
    make: () => ({ series: [series([[1, 0]], ...LABELS)], packing: "literals" }),
    samples: 1,
    values: [["1"]],
  },
  {
    id: "copies",
    what: "a Snappy block that is mostly copies",
    make: () => ({ series: [1, 2, 3, 4].map((value) => series([[value, 0]], ["i", String(value)], ["z", "repeated ".repeat(50)])) }),
    samples: 4,
    values: [["1"], ["2"], ["3"], ["4"]],
  },
];

const SHAPES: readonly { readonly shape: Shape; readonly what: string; readonly only?: 2 }[] = [
  { shape: "unknown-field", what: "a request with fields of a later version" },
  { shape: "unknown-in-series", what: "a series with fields of a later version" },
  { shape: "unknown-in-sample", what: "a sample with a field of a later version" },
  { shape: "labels-last", what: "a series whose samples come before its labels" },
  { shape: "unpacked-refs", what: "label references that are not packed", only: 2 },
  { shape: "symbols-last", what: "a table of symbols after the series", only: 2 },
  { shape: "start-time", what: "a start time of 0, which means that there is none", only: 2 },
];

const accepted = PROTOCOLS.flatMap((protocol) =>
  [
    ...ACCEPTED,
    ...SHAPES.map(({ shape, what, only }): Accepted => ({
      id: shape,
      what,
      make: () => ({ series: [series()], shape }),
      samples: 1,
      values: [["1"]],
      ...(only && { only }),
    })),
  ]
    .filter(({ only }) => only === undefined || only === protocol)
    .flatMap(({ id, what, make, samples, values, covers }): Case[] => {
      const { series: all, ...more } = make(protocol);
      const steps = [write(protocol, all, more)];
      const read =
        protocol === 1
          ? "1.backward-and-forward-compatibility/reads"
          : id === "start-time"
            ? "2.samples/start-zero"
            : "2.compatibility/reads";
      const draft: Draft = {
        id: `accepts-${id}`,
        covers: [read, protocol === 1 ? "1.retries-backoff/success" : "2.response/success", ...(covers === undefined ? [] : [covers])],
        level: "MUST",
        title: `The receiver accepts ${what}`,
        steps,
        allowed: [{ see: success(protocol, samples) }],
      };
      const cases = [made(protocol, draft)];
      if (
        values !== undefined &&
        [
          "one-sample",
          "several-series",
          "several-samples",
          "special-values",
          "stale-marker",
          "copies",
          "unpacked-refs",
          "symbols-last",
        ].includes(id)
      )
        cases.push(
          made(protocol, {
            ...draft,
            id: `stores-${id}`,
            title: `A query returns what was sent: ${what}`,
            needs: ["query"],
            allowed: [{ see: both(success(protocol, samples), shows(...values)) }],
          }),
        );
      return cases;
    }),
);

const HISTOGRAMS = [
  ["integer", "an integer histogram", NATIVE],
  ["float", "a histogram of floats", { ...NATIVE, isInteger: false, count: 6.5, positive: { 1: 2.5, 2: 3 } }],
  ["gauge", "a histogram that is a gauge", { ...NATIVE, isGauge: true }],
  [
    "negative",
    "a histogram with negative observations and a finer schema",
    { ...NATIVE, schema: 3, negative: { [-2]: 1, 7: 1 }, count: 8 },
  ],
] as const;
const histograms = PROTOCOLS.flatMap((protocol) => [
  ...HISTOGRAMS.map(([id, what, value]) =>
    made(protocol, {
      id: `accepts-${id}-histogram`,
      covers: protocol === 1 ? ["1.retries-backoff/success"] : ["2.response/success", "2.written-headers/counts"],
      level: "MUST",
      title: `The receiver accepts ${what}`,
      needs: ["histograms"],
      steps: [write(protocol, [{ labels: [["__name__", "@"]], histograms: [[value, 0]] }])],
      allowed: [{ see: success(protocol, 0, 1) }],
    }),
  ),
  made(protocol, {
    id: "accepts-floats-beside-histograms",
    covers: protocol === 1 ? ["1.retries-backoff/success"] : ["2.response/success", "2.written-headers/counts"],
    level: "MUST",
    title: "The receiver accepts floats and histograms of different series in one request",
    needs: ["histograms"],
    steps: [
      write(protocol, [
        series([[1, 0]], ["i", "1"]),
        {
          labels: [
            ["__name__", "@"],
            ["i", "2"],
          ],
          histograms: [[NATIVE, 0]],
        },
      ]),
    ],
    allowed: [{ see: success(protocol, 1, 1) }],
  }),
]);

const two: readonly Case[] = [
  made(2, {
    id: "accepts-metadata",
    covers: ["2.compatibility/reads"],
    level: "MUST",
    title: "The receiver accepts a series with type, help text and unit",
    steps: [write(2, [{ ...series(), metadata: [1, "How much there was.", "bytes"] }])],
    allowed: [{ see: success(2, 1) }],
  }),
  made(2, {
    id: "accepts-exemplars",
    covers: ["2.compatibility/reads"],
    level: "MUST",
    title: "The receiver accepts a sample whose series has an exemplar, or says that the exemplar was not written",
    steps: [write(2, [{ ...series(), exemplars: [[1, 0]] }])],
    control: [plain(2)],
    allowed: [
      { see: { see: "written", counts: { samples: 1, histograms: 0, exemplars: 1 } } },
      { see: { see: "written", counts: { samples: 1, histograms: 0, exemplars: 0 } }, by: "prometheus-remotewrite#2.written-headers" },
      { see: { see: "refused", status: 400, says: true }, by: "prometheus-remotewrite#2.invalid-samples" },
    ],
  }),
  made(2, {
    id: "accepts-unused-symbols",
    covers: ["2.compatibility/reads"],
    level: "MUST",
    title: "The receiver accepts a table with symbols that no series uses, in any order",
    steps: [write(2, [series()], { symbols: ["", "zz", "@", "aa", "__name__"] })],
    allowed: [{ see: success(2, 1) }],
  }),
  made(2, {
    id: "accepts-same-series-twice",
    covers: ["2.message/same-series-again"],
    level: "MUST",
    title: "The receiver accepts two series with the same labels in one request",
    steps: [write(2, [series([[1, 0]]), series([[2, 1_000]])])],
    allowed: [{ see: success(2, 2) }],
  }),
];

const response = PROTOCOLS.flatMap((protocol) => [
  made(protocol, {
    id: "empty-content",
    covers: [protocol === 1 ? "1.protocol/empty-answer" : "2.response/empty"],
    level: "SHOULD",
    title: "The response to a request that was written has no content",
    steps: [plain(protocol)],
    allowed: [{ see: { see: "written", isEmpty: true } }],
  }),
]);

export const cases: readonly Case[] = [
  ...accepted,
  ...histograms,
  ...two,
  ...response,
  made(2, {
    id: "status-204",
    covers: ["2.response/status-204"],
    level: "SHOULD",
    title: "The response to a request that was written has the status 204",
    steps: [plain(2)],
    allowed: [{ see: { see: "written", status: 204 } }],
  }),
];
