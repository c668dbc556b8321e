import type { FuzzSuite } from "../lib/suite.ts";

export const suite: FuzzSuite = {
  targets: {
    "metrics/exposition/reader": {
      guidedBy: ["reference/metrics/exposition/"],
      load: () => import("./exposition/reader.fuzz.ts"),
    },
    "metrics/exposition/round-trip": {
      guidedBy: ["reference/metrics/exposition/"],
      load: () => import("./exposition/round-trip.fuzz.ts"),
    },
    "metrics/promql/round-trip": {
      guidedBy: ["reference/metrics/promql/"],
      load: () => import("./promql/round-trip.fuzz.ts"),
    },
    "metrics/exposition/protobuf": {
      guidedBy: ["reference/metrics/exposition/"],
      load: () => import("./exposition/protobuf.fuzz.ts"),
    },
    "metrics/tsdb/life": { guidedBy: ["reference/metrics/tsdb/"], load: () => import("./tsdb/life.fuzz.ts") },
    "metrics/tsdb/chunk": { guidedBy: ["reference/metrics/tsdb/"], load: () => import("./tsdb/chunk.fuzz.ts") },
    "metrics/tsdb/index": { guidedBy: ["reference/metrics/tsdb/"], load: () => import("./tsdb/index.fuzz.ts") },
    "metrics/tsdb/segment": {
      guidedBy: ["reference/metrics/tsdb/wal/", "reference/metrics/tsdb/codec/"],
      load: () => import("./tsdb/segment.fuzz.ts"),
    },
  },
  network: async (url, options) => (await import("./network/network.ts")).fuzzOverNetwork(url, options),
};
