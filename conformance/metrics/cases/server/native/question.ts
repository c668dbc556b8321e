import { NATIVE_AT } from "../../../data/native.ts";
import type { Gives, Ranged } from "./expected.ts";

/** The form of a query about native histograms, with its expected answer according to the specification. */

/** From, to, step: three times around `NATIVE_AT`. */
export const NATIVE_RANGE = [NATIVE_AT - 600, NATIVE_AT + 600, 600] as const;

export type NativeQuestion = {
  readonly expr: string;
  /** The time of an instant query in seconds after the start of the data set; `NATIVE_AT` by default. */
  readonly at?: number;
  /** The range query that is made as well, or instead. */
  readonly range?: readonly [from: number, to: number, step: number];
  readonly notes?: "infos" | "warnings";
  readonly needs?: readonly string[];
  /** The order of the rows matters in an instant query. */
  readonly ordered?: true;
} & (Computed | { readonly samples: (time: number) => readonly Ranged[] });
/** The expected rows of an expression at any time. */
export type Computed = { readonly gives: Gives };

/** Queries about one rule, by the words of their ids. */
export type NativeGroup = {
  /** An entry of `conformance/requirements/prometheus-promql.json`, or of another file with its name before it. */
  readonly rule: `${string}/${string}`;
  readonly needs?: readonly string[];
  /** Make instant queries only. */
  readonly once?: true;
  readonly ask: Readonly<Record<string, NativeQuestion>>;
};
