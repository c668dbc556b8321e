import type { BenchRegistry } from "./lib/suite.ts";

/** What is measured, one line a suite. */
export const BENCHES: BenchRegistry = {
  http1: () => import("./http1/suite.ts"),
  http2: () => import("./http2/suite.ts"),
  hpack: () => import("./hpack/suite.ts"),
  websocket: () => import("./websocket/suite.ts"),
  metrics: () => import("./metrics/suite.ts"),
};
