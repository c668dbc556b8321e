/** How much is measured: rounds, requests and transfers a round, connections held, series of metrics. */
export type Size = {
  readonly rounds: number;
  readonly requests: number;
  readonly transfers: number;
  readonly connections: number;
  readonly series: number;
};
/** What `npm run bench` does, and a short look. */
export const FULL: Size = { rounds: 6, requests: 100_000, transfers: 60, connections: 3_000, series: 100_000 };
export const QUICK: Size = { rounds: 2, requests: 20_000, transfers: 8, connections: 1_000, series: 10_000 };

/** Told what is going on, a line at a time. */
export type Say = (line: string) => void;
