import { NATIVE_AT } from "./data.ts";
import type { Gives, Ranged } from "./expected.ts";

/** The words in which queries about native histograms are written down: what is asked, and what the texts say that it gives. */

/** From, to, step: three moments around `NATIVE_AT`. */
export const NATIVE_RANGE = [NATIVE_AT - 600, NATIVE_AT + 600, 600] as const;

export type NativeQuestion = {
  readonly expr: string;
  /** An instant query at this time; `NATIVE_AT` by default. Seconds behind the beginning of the data set. */
  readonly at?: number;
  /** Over a range as well, or of these times alone. */
  readonly range?: readonly [from: number, to: number, step: number];
  readonly notes?: "infos" | "warnings";
  readonly needs?: readonly string[];
  /** Rows come in the order of the answer, where it is about one time. */
  readonly ordered?: true;
} & (Computed | { readonly samples: (time: number) => readonly Ranged[] });
/** What an expression gives at any time; the samples of a range are asked for at one time only. */
export type Computed = { readonly gives: Gives };

/** Queries about one rule, by the words that their ids are made of. */
export type NativeGroup = {
  /** An entry of `conformance/requirements/prometheus-promql.json`, or with its file in front of another. */
  readonly rule: `${string}/${string}`;
  readonly needs?: readonly string[];
  /** Each at one time only. */
  readonly once?: true;
  readonly ask: Readonly<Record<string, NativeQuestion>>;
};
