import type { FuzzRegistry } from "./lib/suite.ts";

/** The suites with fuzz targets, one line each. */
export const FUZZERS: FuzzRegistry = {
  module: import.meta.url,
  suites: {
    hpack: () => import("./hpack/suite.ts"),
    qpack: () => import("./qpack/suite.ts"),
    http1: () => import("./http1/suite.ts"),
    http2: () => import("./http2/suite.ts"),
    http3: () => import("./http3/suite.ts"),
    quic: () => import("./quic/suite.ts"),
    tls: () => import("./tls/suite.ts"),
    websocket: () => import("./websocket/suite.ts"),
    rpc: () => import("./rpc/suite.ts"),
    metrics: () => import("./metrics/suite.ts"),
    canary: () => import("./canary/suite.ts"),
  },
};
