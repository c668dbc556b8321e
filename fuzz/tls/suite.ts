import type { FuzzSuite } from "../lib/suite.ts";

export const suite: FuzzSuite = {
  targets: {
    "tls/messages": {
      guidedBy: ["reference/tls/messages.ts", "reference/tls/extensions.ts", "reference/tls/codec.ts"],
      load: () => import("./messages.fuzz.ts"),
    },
    "tls/handshake": { guidedBy: ["reference/tls/"], load: () => import("./handshake.fuzz.ts") },
  },
};
