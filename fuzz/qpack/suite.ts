import type { FuzzSuite } from "../lib/suite.ts";

const GUIDED_BY = ["reference/qpack/", "reference/field-coding/"];

export const suite: FuzzSuite = {
  targets: {
    "qpack/decoder": { guidedBy: GUIDED_BY, load: () => import("./decoder.fuzz.ts") },
    "qpack/connection": { guidedBy: GUIDED_BY, load: () => import("./connection.fuzz.ts") },
  },
};
