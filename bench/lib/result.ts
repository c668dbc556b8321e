/** One subject in one measurement. Numbers are in the unit of its group. */
export type BenchRow = {
  /** Who was measured, as the reader knows it: `touchstone`, `node:http2`, `nghttpd 1.52`. */
  readonly subject: string;
  readonly median: number;
  /** The lowest and the highest sample, or a narrower range that the note of the group names. */
  readonly spread: readonly [low: number, high: number];
  /** The user part of the CPU time, where the unit is one of CPU time: it does not move with the price of system calls. */
  readonly userCpu?: number;
  /** Every sample, in the order in which it was taken. */
  readonly samples: readonly number[];
};

/** One question, answered by several subjects that took turns in the same run. */
export type BenchGroup = {
  /** Permanent words: `http2/server-cpu-per-request`. */
  readonly id: string;
  readonly title: string;
  /** As printed after a number: `µs`, `MB/s`, `requests/s`, `KB`. */
  readonly unit: string;
  readonly better: "lower" | "higher";
  readonly rows: readonly BenchRow[];
  /** What a reader has to know: the load, what the spread is, what was not measured and why. */
  readonly note?: string;
};

/** What a run of the benchmarks leaves behind. Schema: reports/schema/bench.json. */
export type BenchResult = {
  readonly tool: { readonly name: "touchstone"; readonly version: string };
  /** ISO 8601. */
  readonly startedAt: string;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string };
  readonly groups: readonly BenchGroup[];
};
