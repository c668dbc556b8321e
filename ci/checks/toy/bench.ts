import type { BenchGroup } from "../../../bench/lib/result.ts";
import type { BenchRegistry, BenchSuite } from "../../../bench/lib/suite.ts";
import { answerTo } from "./protocol.ts";

const group = (subject: string): BenchGroup => ({
  id: "toy/lines",
  title: "Toy, lines answered",
  unit: "lines",
  better: "higher",
  rows: [{ subject, median: answerTo("ping 1").length, spread: [1, 1], samples: [1] }],
});

const suite: BenchSuite = {
  parts: ["lines"],
  measure: async () => [group("toy")],
  foreign: async (subjects) => subjects.map(({ name }) => group(name)),
};

export const BENCHES: BenchRegistry = { toy: async () => ({ suite }) };
