import type { Row } from "./row.ts";

/** What `touchstone diff --json` prints: how each implementation understood the same messages. */
export type DiffResult = {
  readonly tool: { readonly name: "touchstone"; readonly version: string };
  /** ISO 8601. */
  readonly startedAt: string;
  /** The suite of the messages. */
  readonly protocol: string;
  readonly subjects: readonly {
    readonly name: string;
    readonly target: string;
    /** It echoes content, which shows how much it has read. */
    readonly echoes: boolean;
  }[];
  /** The largest disagreement first; entries on which all agree are last, with one group. */
  readonly rows: readonly Row[];
};
