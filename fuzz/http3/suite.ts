import type { FuzzSuite } from "../lib/suite.ts";

const GUIDED_BY = ["reference/http3/"];

export const suite: FuzzSuite = {
  targets: {
    "http3/frame": { guidedBy: ["reference/http3/frame/", "reference/http3/settings.ts"], load: () => import("./frame.fuzz.ts") },
    "http3/server": { guidedBy: GUIDED_BY, load: () => import("./server.fuzz.ts") },
    "http3/client": { guidedBy: GUIDED_BY, load: () => import("./client.fuzz.ts") },
  },
  network: async (url, options) => (await import("./network.ts")).fuzzOverNetwork(url, options),
};
