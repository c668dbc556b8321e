import type { FuzzRegistry } from "./lib/suite.ts";

/** What is fuzzed, one line a suite. */
export const FUZZERS: FuzzRegistry = {
  module: import.meta.url,
  suites: {
    hpack: () => import("./hpack/suite.ts"),
    http1: () => import("./http1/suite.ts"),
    http2: () => import("./http2/suite.ts"),
    websocket: () => import("./websocket/suite.ts"),
    metrics: () => import("./metrics/suite.ts"),
    canary: () => import("./canary/suite.ts"),
  },
};
