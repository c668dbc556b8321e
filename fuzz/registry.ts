import type { Target } from "./lib/target.ts";

/** Every target by name. Imported only when it runs, so that its sources can be instrumented first. */
export const TARGETS: Readonly<
  Record<
    string,
    { readonly guidedBy: readonly string[]; readonly load: () => Promise<{ readonly target: Target }>; readonly mustFail?: true }
  >
> = {
  "hpack/decoder": { guidedBy: ["reference/hpack/", "reference/field-coding/"], load: () => import("./hpack/decoder.fuzz.ts") },
  "hpack/round-trip": { guidedBy: ["reference/hpack/", "reference/field-coding/"], load: () => import("./hpack/round-trip.fuzz.ts") },
  "http1/server": { guidedBy: ["reference/http1/", "reference/http/"], load: () => import("./http1/server.fuzz.ts") },
  "http1/client": { guidedBy: ["reference/http1/", "reference/http/"], load: () => import("./http1/client.fuzz.ts") },
  "http1/round-trip": { guidedBy: ["reference/http1/", "reference/http/"], load: () => import("./http1/round-trip.fuzz.ts") },
  "http2/frame": { guidedBy: ["reference/http2/frame/"], load: () => import("./http2/frame.fuzz.ts") },
  "http2/server": { guidedBy: ["reference/http2/"], load: () => import("./http2/server.fuzz.ts") },
  "http2/client": { guidedBy: ["reference/http2/"], load: () => import("./http2/client.fuzz.ts") },
  "websocket/server": { guidedBy: ["reference/websocket/"], load: () => import("./websocket/server.fuzz.ts") },
  "websocket/client": { guidedBy: ["reference/websocket/"], load: () => import("./websocket/client.fuzz.ts") },
  "websocket/channel": { guidedBy: ["reference/websocket/channel/"], load: () => import("./websocket/channel.fuzz.ts") },
  "metrics/exposition/reader": {
    guidedBy: ["reference/metrics/exposition/"],
    load: () => import("./metrics/exposition/reader.fuzz.ts"),
  },
  "metrics/exposition/round-trip": {
    guidedBy: ["reference/metrics/exposition/"],
    load: () => import("./metrics/exposition/round-trip.fuzz.ts"),
  },
  "metrics/promql/round-trip": {
    guidedBy: ["reference/metrics/promql/"],
    load: () => import("./metrics/promql/round-trip.fuzz.ts"),
  },
  "metrics/exposition/protobuf": {
    guidedBy: ["reference/metrics/exposition/"],
    load: () => import("./metrics/exposition/protobuf.fuzz.ts"),
  },
  "metrics/tsdb/life": { guidedBy: ["reference/metrics/tsdb/"], load: () => import("./metrics/tsdb/life.fuzz.ts") },
  "metrics/tsdb/chunk": { guidedBy: ["reference/metrics/tsdb/"], load: () => import("./metrics/tsdb/chunk.fuzz.ts") },
  "metrics/tsdb/index": { guidedBy: ["reference/metrics/tsdb/"], load: () => import("./metrics/tsdb/index.fuzz.ts") },
  "metrics/tsdb/segment": { guidedBy: ["reference/metrics/tsdb/wal/read."], load: () => import("./metrics/tsdb/segment.fuzz.ts") },
  "canary/ladder": { guidedBy: ["fuzz/canary/ladder."], load: () => import("./canary/ladder.fuzz.ts"), mustFail: true },
};
