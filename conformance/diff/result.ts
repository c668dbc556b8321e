import type { Row } from "./row.ts";

/** What `touchstone diff --json` prints: how each implementation understood the same messages. */
export type DiffResult = {
  readonly tool: { readonly name: "touchstone"; readonly version: string };
  /** ISO 8601. */
  readonly startedAt: string;
  /** The suite whose messages they were sent. */
  readonly protocol: string;
  readonly subjects: readonly {
    readonly name: string;
    readonly target: string;
    /** What it sends back tells how much content it has seen. */
    readonly echoes: boolean;
  }[];
  /** The largest disagreement first; entries on which all agree are last, with one group. */
  readonly rows: readonly Row[];
};
