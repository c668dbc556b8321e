import type { Packing, RequestSeries, Shape } from "../../../wire/remotewrite/build.ts";
import { NATIVE } from "../../driver/server.ts";
import type { Case, Sight } from "../../vocabulary.ts";
import { both, made, plain, PROTOCOLS, refusal, series, shows, success, write, written } from "./phrases.ts";

/** Requests that can never be written, and those of which a part cannot. */

const BLOCKS: readonly (readonly [packing: Packing, what: string])[] = [
  ["framed", "Snappy in its framing format"],
  ["raw", "a message that is not compressed"],
  ["gzip", "a message in gzip that is called snappy"],
  ["torn", "a block that is cut off"],
  ["claims-more", "a block that claims more octets than it has"],
  ["claims-less", "a block that claims fewer octets than it has"],
  ["claims-huge", "a block that claims four gibibytes"],
  ["bad-copy", "a block with a copy from before its beginning"],
  ["trailing", "a block with octets after its end"],
  ["nothing", "content without octets, where even an empty block has one"],
];
const MESSAGES: readonly (readonly [shape: Shape, what: string])[] = [
  ["torn", "a message that is cut off"],
  ["wrong-wire-type", "a series of the wrong wire type"],
  ["field-zero", "a field with the number 0"],
  ["long-length", "a series longer than the message"],
];
const broken = PROTOCOLS.flatMap((protocol) => {
  const covers = protocol === 1 ? "1.retries-backoff/invalid" : "2.invalid-samples/final";
  const one = (id: string, what: string, more: { readonly packing?: Packing; readonly shape?: Shape }): Case =>
    made(protocol, {
      id: `refuses-${id}`,
      covers: [covers],
      level: "MUST",
      title: `The receiver answers 4xx to ${what}`,
      steps: [write(protocol, [series([[1, 0]], ["a", "1"])], more)],
      control: [write(protocol, [series([[1, 0]], ["a", "1"])])],
      allowed: [{ see: { see: "refused" } }],
    });
  return [
    ...BLOCKS.map(([packing, what]) => one(`block-${packing}`, what, { packing })),
    ...MESSAGES.map(([shape, what]) => one(`message-${shape}`, what, { shape })),
  ];
});

/** Mistakes in labels: the text binds the sender, and leaves to the receiver what is invalid. */
const LABELS: readonly (readonly [id: string, what: string, labels: RequestSeries["labels"]])[] = [
  [
    "repeated",
    "a label name that is repeated",
    [
      ["__name__", "@"],
      ["a", "1"],
      ["a", "2"],
    ],
  ],
  [
    "repeated-alike",
    "a label that is repeated with its value",
    [
      ["__name__", "@"],
      ["a", "1"],
      ["a", "1"],
    ],
  ],
  [
    "unsorted",
    "labels that are not sorted",
    [
      ["__name__", "@"],
      ["b", "1"],
      ["a", "2"],
    ],
  ],
  [
    "name-last",
    "a metric name after the other labels",
    [
      ["a", "1"],
      ["__name__", "@"],
    ],
  ],
  [
    "empty-name",
    "a label without a name",
    [
      ["", "1"],
      ["__name__", "@"],
    ],
  ],
  [
    "empty-value",
    "a label without a value",
    [
      ["__name__", "@"],
      ["a", ""],
    ],
  ],
  ["none", "a series without labels", []],
];
const labels = PROTOCOLS.flatMap((protocol) =>
  LABELS.map(([id, what, own]) =>
    made(protocol, {
      id: `refuses-labels-${id}`,
      covers: [protocol === 1 ? "1.labels/receiver-refuses" : "2.series-labels/receiver-refuses"],
      level: "SHOULD",
      title: `The receiver answers 400 to ${what}`,
      steps: [write(protocol, [{ labels: own, samples: [[1, 0]] }])],
      control: [write(protocol, [series([[1, 0]], ["a", "1"], ["b", "2"])])],
      allowed: [{ see: refusal(protocol, 400) }],
    }),
  ),
);
const utf8 = PROTOCOLS.map((protocol) =>
  made(protocol, {
    id: "refuses-value-not-utf8",
    covers: [protocol === 1 ? "1.labels/receiver-refuses" : "2.series-labels/receiver-refuses"],
    level: "SHOULD",
    title: "The receiver answers 4xx to a label value that is not UTF-8",
    steps: [
      protocol === 1
        ? write(1, [series([[1, 0]], ["a", "x"])], { shape: "not-utf8" })
        : write(2, [series([[1, 0]], ["a", "x"])], { symbols: ["not empty"] }),
    ],
    control: [write(protocol, [series([[1, 0]], ["a", "x"])])],
    allowed: [{ see: { see: "refused" } }],
  }),
).filter(({ id }) => id.endsWith("one"));

/** References of protocol 2 that lead nowhere. */
const REFS: readonly (readonly [id: string, what: string, refs: readonly number[]])[] = [
  ["beyond", "a label value that refers beyond the table of symbols", [1, 2, 3, 99]],
  ["name-beyond", "a label name that refers beyond the table of symbols", [1, 2, 99, 3]],
  ["just-beyond", "a reference to one symbol more than there are", [1, 2, 3, 5]],
  ["far-beyond", "a reference of 32 bits", [1, 2, 3, 4_294_967_295]],
  ["odd", "a label name without a value", [1, 2, 3]],
];
const refs = REFS.map(([id, what, numbers]) =>
  made(2, {
    id: `refuses-reference-${id}`,
    covers: ["2.invalid-samples/final", "2.symbols/in-range"],
    level: "MUST",
    title: `The receiver answers 4xx to ${what}`,
    steps: [write(2, [{ labels: [], refs: numbers, samples: [[1, 0]] }], { symbols: ["", "__name__", "@", "a", "1"] })],
    control: [write(2, [{ labels: [], refs: [1, 2, 3, 4], samples: [[1, 0]] }], { symbols: ["", "__name__", "@", "a", "1"] })],
    allowed: [{ see: { see: "refused" } }],
  }),
);
const second: readonly Case[] = [
  made(2, {
    id: "refuses-first-symbol",
    covers: ["2.symbols/receiver-refuses"],
    level: "SHOULD",
    title: "The receiver answers 4xx to a table whose first symbol is not empty",
    steps: [write(2, [series()], { symbols: ["x"] })],
    control: [plain(2)],
    allowed: [{ see: { see: "refused" } }],
  }),
  made(2, {
    id: "refuses-floats-and-histograms-of-one-series",
    covers: ["2.message/receiver-refuses"],
    level: "SHOULD",
    title: "The receiver answers 4xx to one series with floats and histograms",
    needs: ["histograms"],
    steps: [write(2, [{ ...series(), histograms: [[NATIVE, 1_000]] }])],
    control: [plain(2)],
    allowed: [{ see: { see: "refused" } }],
  }),
];

/** Samples that a store of increasing times cannot write. Some can: then they must be there. */
const ORDER: readonly (readonly [
  id: string,
  what: string,
  late: readonly RequestSeries[],
  kept: readonly string[],
  more: readonly string[],
])[] = [
  ["older", "a sample older than the one before", [series([[2, 0]])], ["1"], ["2", "1"]],
  ["other-value", "another value for a time that has one", [series([[2, 60_000]])], ["1"], ["2"]],
];
const order = PROTOCOLS.flatMap((protocol) =>
  ORDER.map(([id, what, late, kept, all]) =>
    made(protocol, {
      id: `does-not-lose-${id}`,
      covers: [protocol === 1 ? "1.retries-backoff/success" : "2.response/no-success-if-lost"],
      level: protocol === 1 ? "MUST" : "MUST NOT",
      title: `The receiver that answers 2xx has written ${what}; otherwise it answers 400`,
      needs: ["query"],
      steps: [write(protocol, [series([[1, 60_000]])]), write(protocol, late)],
      control: [write(protocol, [series([[1, 60_000]])]), write(protocol, [series([[2, 61_000]])])],
      allowed: [
        { see: both(refusal(protocol, 400, written(0)), shows(kept)) },
        { see: both(success(protocol, 1), shows(all)), by: "prometheus-remotewrite#2.invalid-samples" },
      ],
    }),
  ),
);

const partial = PROTOCOLS.flatMap((protocol) => {
  const covers =
    protocol === 1 ? ["1.labels/invalid-400"] : ["2.partial-write/not-2xx", "2.invalid-samples/status-400", "2.written-headers/counts"];
  const bad: RequestSeries = {
    labels: [
      ["__name__", "@"],
      ["a", "1"],
      ["a", "2"],
    ],
    samples: [[9, 0]],
  };
  const [some, none] = [shows(["1"], ["2"]), shows()];
  const mixedSeries = [series([[1, 0]], ["i", "1"]), bad, series([[2, 0]], ["i", "2"])];
  const mixedControl = [series([[1, 0]], ["i", "1"]), series([[9, 0]], ["i", "9"]), series([[2, 0]], ["i", "2"])];
  const counted = (samples: number, stored: Sight): Sight => both(refusal(protocol, 400, written(samples)), stored);
  return [
    made(protocol, {
      id: "partial-write",
      covers: covers as [string],
      level: "MUST",
      title: "The receiver answers 400 to a request of which one series has a label twice, and writes all others or none",
      needs: ["query"],
      steps: [write(protocol, mixedSeries)],
      control: [write(protocol, mixedControl)],
      allowed: [{ see: counted(2, some) }, { see: counted(0, none), by: "prometheus-remotewrite#2.partial-write" }],
    }),
    made(protocol, {
      id: "partial-write-says-why",
      covers: [protocol === 1 ? "1.labels/message" : "2.response/message"],
      level: protocol === 1 ? "SHOULD" : "MUST",
      title: "The receiver that refuses a part of a request says why in the content of its response",
      steps: [write(protocol, mixedSeries)],
      control: [write(protocol, mixedControl)],
      allowed: [{ see: { see: "refused", says: true } }],
    }),
    made(protocol, {
      id: "partial-write-late-sample",
      covers: [protocol === 1 ? "1.labels/invalid-400" : "2.written-headers/counts"],
      level: "MUST",
      title: "The receiver that cannot write one old sample among new ones answers 400, and writes all others or none",
      needs: ["query"],
      steps: [write(protocol, [series([[1, 60_000]])]), write(protocol, [series([[2, 0]]), series([[3, 61_000]], ["i", "3"])])],
      control: [write(protocol, [series([[1, 60_000]])]), write(protocol, [series([[2, 61_000]]), series([[3, 61_000]], ["i", "3"])])],
      allowed: [
        { see: both(refusal(protocol, 400, written(1)), shows(["1"], ["3"])) },
        { see: both(refusal(protocol, 400, written(0)), shows(["1"])), by: "prometheus-remotewrite#2.partial-write" },
        { see: both(success(protocol, 2), shows(["2", "1"], ["3"])), by: "prometheus-remotewrite#2.invalid-samples" },
      ],
    }),
    made(protocol, {
      id: "same-request-twice",
      covers: [protocol === 1 ? "1.retries-backoff/repeated" : "2.retries-on-partial-writes/idempotent"],
      level: "SHOULD",
      title: "The receiver accepts the same request again, and each sample is there once",
      needs: ["query"],
      steps: [write(protocol, [series([[1, 0]])]), write(protocol, [series([[1, 0]])])],
      control: [plain(protocol)],
      allowed: [{ see: both({ see: "written" }, shows(["1"])) }],
    }),
  ];
});

const HISTOGRAMS = [
  ["count", "counts of buckets that exceed the whole", { ...NATIVE, count: 2 }],
  ["negative-bucket", "a bucket with a negative count", { ...NATIVE, positive: { 1: 6, 2: -1 }, count: 6 }],
  ["unknown-schema", "a schema that does not exist", { ...NATIVE, schema: 77 }],
] as const;
const histograms = PROTOCOLS.flatMap((protocol) =>
  HISTOGRAMS.map(([id, what, value]) =>
    made(protocol, {
      id: `refuses-histogram-${id}`,
      covers: [protocol === 1 ? "1.labels/receiver-refuses" : "2.samples/receiver-refuses"],
      level: "SHOULD",
      title: `The receiver answers 400 to a histogram with ${what}`,
      needs: ["histograms"],
      steps: [write(protocol, [{ labels: [["__name__", "@"]], histograms: [[value, 0]] }])],
      control: [write(protocol, [{ labels: [["__name__", "@"]], histograms: [[NATIVE, 0]] }])],
      allowed: [{ see: refusal(protocol, 400) }],
    }),
  ),
);

export const cases: readonly Case[] = [...broken, ...labels, ...utf8, ...refs, ...second, ...order, ...partial, ...histograms];
