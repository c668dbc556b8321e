import type { FuzzSuite } from "../lib/suite.ts";

export const suite: FuzzSuite = {
  targets: {
    "canary/ladder": { guidedBy: ["fuzz/canary/ladder."], load: () => import("./ladder.fuzz.ts"), mustFail: true },
  },
};
