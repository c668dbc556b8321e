/** The words in which queries are written down: what is asked, and which rule of the language it is about. What is to come back is in `vectors/`. */

/** Seconds after the beginning of the data set: behind a whole minute, where no sample is. */
export const AT = 3_611;
/** From, to, step: three moments around `AT`. */
export const RANGE = [3_011, 4_211, 600] as const;

/** One query, asked once. */
export type Question = {
  readonly expr: string;
  /** An instant query at this time; `AT` by default. Seconds after the beginning of the data set. */
  readonly at?: number;
  /** A range query instead: from, to, step. */
  readonly range?: readonly [from: number, to: number, step: number];
  /** Rows come in the order of the answer. */
  readonly ordered?: true;
  /** The answer says something about the query beside its result. */
  readonly notes?: "infos" | "warnings";
  /** More than what the group needs. */
  readonly needs?: readonly string[];
};

/** Queries about one rule, by the words that their ids are made of. A text is an instant query at `AT`. */
export type Group = {
  /** An entry of `conformance/requirements/prometheus-promql.json`. */
  readonly rule: `${string}/${string}`;
  readonly needs?: readonly string[];
  /** Each instant query at `AT` is asked over `RANGE` too. */
  readonly both?: true;
  readonly ask: Readonly<Record<string, string | Question>>;
};
