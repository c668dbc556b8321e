/** How much is measured: rounds, requests and transfers a round, connections held. */
export type Size = { readonly rounds: number; readonly requests: number; readonly transfers: number; readonly connections: number };
/**
 * What `npm run bench` does, and a short look. So many transfers take a quarter of a second of processor time at least: the system tells
 * the user's part of it in hundredths.
 */
export const FULL: Size = { rounds: 6, requests: 100_000, transfers: 120, connections: 3_000 };
export const QUICK: Size = { rounds: 2, requests: 20_000, transfers: 8, connections: 1_000 };

/** Told what is going on, a line at a time. */
export type Say = (line: string) => void;
