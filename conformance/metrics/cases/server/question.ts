/** The form of a query of the suite, with the rule of the language it is about. The expected answers are in `answers/`. */

/** Seconds after the start of the data set: just after a whole minute, where there is no sample. */
export const AT = 3_611;
/** From, to, step: three times around `AT`. */
export const RANGE = [3_011, 4_211, 600] as const;

/** One query. */
export type Question = {
  readonly expr: string;
  /** The time of an instant query in seconds after the start of the data set; `AT` by default. */
  readonly at?: number;
  /** A range query instead: from, to, step. */
  readonly range?: readonly [from: number, to: number, step: number];
  /** The order of the rows matters. */
  readonly ordered?: true;
  /** The answer must have annotations of this level. */
  readonly notes?: "infos" | "warnings";
  /** Features in addition to those of the group. */
  readonly needs?: readonly string[];
};

/** Queries about one rule, by the words of their ids. A string is an instant query at `AT`. */
export type Group = {
  /** An entry of `conformance/requirements/prometheus-promql.json`. */
  readonly rule: `${string}/${string}`;
  readonly needs?: readonly string[];
  /** Each instant query at `AT` is also made as a range query over `RANGE`. */
  readonly both?: true;
  readonly ask: Readonly<Record<string, string | Question>>;
};
