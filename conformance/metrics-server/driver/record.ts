/** What came of one case. */

export type Answer = {
  readonly path: string;
  /** 0 without an answer. */
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
};
/** The answers to a step and to its control. */
export type CaseRecord = {
  readonly answers: readonly Answer[];
  readonly twin: readonly Answer[];
  /** The address of the scraped target. */
  readonly target: string;
  /** The configuration that was shown before any change. */
  readonly config: string;
  /** Why there are no answers. */
  readonly stopped: string;
};
