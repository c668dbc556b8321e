import type { Registry } from "./harness/suite.ts";

/** Every suite, by its name on the command line. Nothing else lists them: a suite is its folder and its line here. */
export const SUITES = {
  http1: () => import("./http1/suite.ts"),
  http2: () => import("./http2/suite.ts"),
  hpack: () => import("./hpack/suite.ts"),
  qpack: () => import("./qpack/suite.ts"),
  quic: () => import("./quic/suite.ts"),
  http3: () => import("./http3/suite.ts"),
  websocket: () => import("./websocket/suite.ts"),
  rpc: () => import("./rpc/suite.ts"),
  tls: () => import("./tls/suite.ts"),
  metrics: () => import("./metrics/suite.ts"),
  remotewrite: () => import("./remotewrite/suite.ts"),
  "metrics-target": () => import("./metrics-target/suite.ts"),
  scrape: () => import("./scrape/suite.ts"),
  "metrics-server": () => import("./metrics-server/suite.ts"),
  rules: () => import("./rules/suite.ts"),
  alerts: () => import("./alerts/suite.ts"),
  channel: () => import("./channel/suite.ts"),
} as const satisfies Registry;

export type SuiteName = keyof typeof SUITES;

const isSuite = (name: string): name is SuiteName => Object.hasOwn(SUITES, name);
export const suiteNames: readonly SuiteName[] = Object.keys(SUITES).filter(isSuite);
