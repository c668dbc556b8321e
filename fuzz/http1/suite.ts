import type { FuzzSuite } from "../lib/suite.ts";

export const suite: FuzzSuite = {
  targets: {
    "http1/server": { guidedBy: ["reference/http1/", "reference/http/"], load: () => import("./server.fuzz.ts") },
    "http1/client": { guidedBy: ["reference/http1/", "reference/http/"], load: () => import("./client.fuzz.ts") },
    "http1/round-trip": { guidedBy: ["reference/http1/", "reference/http/"], load: () => import("./round-trip.fuzz.ts") },
  },
  network: async (url, options) => (await import("./network.ts")).fuzzOverNetwork(url, options),
};
