import type { FuzzSuite } from "../lib/suite.ts";

export const suite: FuzzSuite = {
  targets: {
    "rpc/envelope": { guidedBy: ["reference/rpc/"], load: () => import("./envelope.fuzz.ts") },
    "rpc/balance": { guidedBy: ["reference/rpc/"], load: () => import("./balance.fuzz.ts") },
    "rpc/hedging": { guidedBy: ["reference/rpc/"], load: () => import("./hedging.fuzz.ts") },
    "rpc/keepalive": { guidedBy: ["reference/http2/"], load: () => import("./keepalive.fuzz.ts") },
    "rpc/web": { guidedBy: ["reference/rpc/web/"], load: () => import("./web.fuzz.ts") },
    "rpc/contract": { guidedBy: ["reference/rpc/contract/"], load: () => import("./contract.fuzz.ts") },
    "rpc/values": { guidedBy: ["reference/rpc/"], load: () => import("./values.fuzz.ts") },
  },
  network: async (url, options) => (await import("./network.ts")).fuzzOverNetwork(url, options),
};
