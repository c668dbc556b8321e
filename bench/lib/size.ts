/** The size of a run: rounds, requests and transfers per round, idle connections, series of metrics. */
export type Size = {
  readonly rounds: number;
  readonly requests: number;
  readonly transfers: number;
  readonly connections: number;
  readonly series: number;
};
/** The default size, and the size of `--quick`. */
export const FULL: Size = { rounds: 6, requests: 100_000, transfers: 60, connections: 3_000, series: 100_000 };
export const QUICK: Size = { rounds: 2, requests: 20_000, transfers: 8, connections: 1_000, series: 10_000 };

/** Reports progress, one line per call. */
export type Say = (line: string) => void;
