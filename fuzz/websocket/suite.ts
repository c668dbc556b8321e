import type { FuzzSuite } from "../lib/suite.ts";

export const suite: FuzzSuite = {
  targets: {
    "websocket/server": { guidedBy: ["reference/websocket/"], load: () => import("./server.fuzz.ts") },
    "websocket/client": { guidedBy: ["reference/websocket/"], load: () => import("./client.fuzz.ts") },
    "websocket/channel": { guidedBy: ["reference/websocket/channel/"], load: () => import("./channel.fuzz.ts") },
  },
  network: async (url, options) => (await import("./network.ts")).fuzzOverNetwork(url, options),
};
