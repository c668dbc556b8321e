import type { BenchRegistry } from "./lib/suite.ts";

/** The suites with benches, one line each. */
export const BENCHES: BenchRegistry = {
  http1: () => import("./http1/suite.ts"),
  http2: () => import("./http2/suite.ts"),
  http3: () => import("./http3/suite.ts"),
  hpack: () => import("./hpack/suite.ts"),
  websocket: () => import("./websocket/suite.ts"),
  rpc: () => import("./rpc/suite.ts"),
  metrics: () => import("./metrics/suite.ts"),
};
