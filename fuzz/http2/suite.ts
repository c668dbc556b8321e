import type { FuzzSuite } from "../lib/suite.ts";

export const suite: FuzzSuite = {
  targets: {
    "http2/frame": { guidedBy: ["reference/http2/frame/"], load: () => import("./frame.fuzz.ts") },
    "http2/server": { guidedBy: ["reference/http2/"], load: () => import("./server.fuzz.ts") },
    "http2/client": { guidedBy: ["reference/http2/"], load: () => import("./client.fuzz.ts") },
  },
  network: async (url, options) => (await import("./network.ts")).fuzzOverNetwork(url, options),
};
