/** What one performance of a case left behind. */

/** A request at an end. */
export type Got = {
  readonly end: string;
  /** Milliseconds of the run, and since 1970. */
  readonly ms: number;
  readonly at: number;
  readonly method: string;
  /** Without what the harness put before it. */
  readonly path: string;
  readonly host: "own" | "elsewhere";
  readonly fields: Readonly<Record<string, string>>;
  /** The JSON of the content; undefined if it is not JSON. */
  readonly body: unknown;
  /** The alerts of the case in it. */
  readonly alerts: readonly unknown[];
};

/** An answer of the subject's API. */
export type Answered = { readonly status: number; readonly type: string; readonly json: unknown; readonly at: number; readonly ms: number };

export type Line = { readonly ms: number; readonly way: "->" | "<-" | "--"; readonly means: string };

export type Performance = {
  readonly name: string;
  readonly got: readonly Got[];
  readonly answers: Readonly<Record<string, Answered>>;
  readonly lines: readonly Line[];
  /** Why it did not come to its end; empty if it did. */
  readonly stopped: string;
  /** A wait ran out of time. */
  readonly isLate: boolean;
  /** Why nothing is judged. */
  readonly skipped: string;
  /** The subject ended before the case began. */
  readonly isRefused: boolean;
  /** What texts in sights stand for. */
  readonly values: Readonly<Record<string, string>>;
};
