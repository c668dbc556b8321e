import type { FuzzSuite } from "../lib/suite.ts";

export const suite: FuzzSuite = {
  targets: {
    "hpack/decoder": { guidedBy: ["reference/hpack/", "reference/field-coding/"], load: () => import("./decoder.fuzz.ts") },
    "hpack/round-trip": { guidedBy: ["reference/hpack/", "reference/field-coding/"], load: () => import("./round-trip.fuzz.ts") },
  },
};
