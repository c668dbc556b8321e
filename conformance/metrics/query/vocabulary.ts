import type { Case as AnyCase, Outcome as AnyOutcome } from "../../harness/case.ts";

/** The words in which a case for metrics servers is written. All of it is data; `conformance/metrics/driver/server.ts` performs it. */

/** A parameter or a field of the request; names may come again. */
export type Pair = readonly [name: string, value: string];

/** One request below `/api/v1/`, with all that it says. Every step is one; a case has one, but for those of abuse. */
export type Step = {
  readonly do: "ask";
  /** Behind `/api/v1/`: `query`, `label/job/values`. */
  readonly path: string;
  readonly params?: readonly Pair[];
  /** GET by default. With `form`, the parameters are the content of a POST request. */
  readonly method?: string;
  readonly form?: true;
  readonly fields?: readonly Pair[];
};

/** All of a series' labels in an answer, `__name__` among them where it has one. */
export type Labels = Readonly<Record<string, string>>;
/** Seconds since 1970, and a value as it is written in answers: `NaN`, `+Inf`, `0.1`. */
export type Sample = readonly [time: number, value: string];

/** A native histogram as answers have it: its populated buckets from the lowest to the highest, each with the rules for its bounds that are allowed. */
export type HistogramSight = {
  readonly count: string;
  readonly sum: string;
  readonly buckets: readonly (readonly [rules: readonly number[], lower: string, upper: string, count: string])[];
};
/** A sample of either kind. */
export type AnySample = readonly [time: number, value: string | HistogramSight];

/** A value within JSON: as it stands; or `{"is": "string"}` (number, array, object, boolean) for any such; or `{"like": "^v"}` for a text. In objects more may stand. */
export type Template = null | boolean | number | string | readonly Template[] | { readonly [name: string]: Template };

/** What is looked at: the answers of all steps, or, where there is one, that answer. */
export type Sight =
  /** Of each step's answer, in order. */
  { readonly see: "all"; readonly of: readonly OneSight[] } | OneSight;

/** What one answer is seen to be. */
export type OneSight =
  /** One of these. */
  | { readonly see: "any"; readonly of: readonly OneSight[] }
  | { readonly see: "scalar" | "string"; readonly sample: Sample; readonly notes?: "infos" | "warnings" }
  /** Rows in any order unless `ordered`; numbers within the tolerance. */
  | {
      readonly see: "vector";
      readonly rows: readonly (readonly [Labels, AnySample])[];
      readonly ordered?: true;
      readonly notes?: "infos" | "warnings";
    }
  | {
      readonly see: "matrix";
      readonly rows: readonly (readonly [Labels, readonly AnySample[]])[];
      readonly ordered?: true;
      readonly notes?: "infos" | "warnings";
    }
  /** The JSON envelope of a success, with data like this. */
  | {
      readonly see: "data";
      readonly data: Template;
      /** Items of the list that `data` is come in any order, and these are all of them. */
      readonly unordered?: true;
      /** So many items at most. */
      readonly most?: number;
      readonly notes?: "infos" | "warnings";
      readonly fields?: readonly { readonly name: string; readonly pattern: string }[];
      /** The exact octets of a value, where its spelling is what is asked: must stand in the content. */
      readonly text?: string;
    }
  /** The JSON envelope of an error with one of these types; or, where `bare`, the status alone. */
  | { readonly see: "refused"; readonly status: readonly number[]; readonly type?: readonly string[]; readonly bare?: true };

/** A sight that a case allows; all but the first cite what permits them. */
export type Outcome = AnyOutcome<Sight>;
/** A case for metrics servers. The control must be answered with success, and with something. */
export type ServerCase = AnyCase<Step, Sight>;
