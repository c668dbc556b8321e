import type { FuzzRegistry, FuzzSuite } from "../../../fuzz/lib/suite.ts";
import { exchange } from "./protocol.ts";

const suite: FuzzSuite = {
  targets: { "toy/line": { guidedBy: ["ci/checks/toy/protocol."], load: () => import("./line.fuzz.ts") } },
  network: async (url, { seed }) => ((await exchange(url, `ping ${seed}`)) === `pong ${seed}` ? 0 : 1),
};

export const FUZZERS: FuzzRegistry = { module: import.meta.url, suites: { toy: async () => ({ suite }) } };
