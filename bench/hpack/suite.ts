import type { BenchSuite } from "../lib/suite.ts";

export const suite: BenchSuite = {
  parts: ["hpack"],
  measure: async (_part, { rounds }, say) => (await import("./libraries.ts")).hpackGroups(rounds, say),
};
