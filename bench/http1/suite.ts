import { type BenchSuite, serverBench } from "../lib/suite.ts";

export const suite: BenchSuite = {
  ...serverBench(() => import("./servers.ts")),
  examples: [["http1 --only requests --quick", "compare Touchstone with node:http and nginx"]],
};
