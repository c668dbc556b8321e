/** One subject in one measurement. Numbers are in the unit of its group. */
export type BenchRow = {
  /** The name of the subject: `touchstone`, `node:http2`, `nghttpd 1.52`. */
  readonly subject: string;
  readonly median: number;
  /** The lowest and highest sample, or a narrower range described in the group's note. */
  readonly spread: readonly [low: number, high: number];
  /** The user part of a CPU time: it does not depend on the cost of system calls. */
  readonly userCpu?: number;
  /** All samples in the order of measurement. */
  readonly samples: readonly number[];
};

/** One measurement of several subjects, taken in turns in one run. */
export type BenchGroup = {
  /** A permanent id: `http2/server-cpu-per-request`. */
  readonly id: string;
  readonly title: string;
  /** Printed after a number: `µs`, `MB/s`, `requests/s`, `KB`. */
  readonly unit: string;
  readonly better: "lower" | "higher";
  readonly rows: readonly BenchRow[];
  /** For the reader: the load, the meaning of the spread, and what was not measured and why. */
  readonly note?: string;
};

/** The result of a run. Schema: reports/schema/bench.json. */
export type BenchResult = {
  readonly tool: { readonly name: "touchstone"; readonly version: string };
  /** ISO 8601. */
  readonly startedAt: string;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string };
  readonly groups: readonly BenchGroup[];
};
