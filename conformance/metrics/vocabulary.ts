import type { Case as AnyCase } from "../harness/case.ts";

/** The vocabulary of cases for metrics servers. All of it is data; `conformance/metrics/driver/server.ts` performs it. */

/** A parameter or a field of the request; names may repeat. */
export type Pair = readonly [name: string, value: string];

/** One request below `/api/v1/`. A case has one step, except abuse cases. */
export type Step = {
  readonly do: "ask";
  /** The path after `/api/v1/`: `query`, `label/job/values`. */
  readonly path: string;
  readonly params?: readonly Pair[];
  /** GET by default. With `form`, the parameters are the content of a POST request. */
  readonly method?: string;
  readonly form?: true;
  readonly fields?: readonly Pair[];
};

/** All labels of a series in an answer, including `__name__` if it has one. */
export type Labels = Readonly<Record<string, string>>;
/** Seconds since 1970, and a value as answers write it: `NaN`, `+Inf`, `0.1`. */
export type Sample = readonly [time: number, value: string];

/** A native histogram in an answer: its populated buckets in ascending order, each with the allowed boundary rules. */
export type HistogramSight = {
  readonly count: string;
  readonly sum: string;
  readonly buckets: readonly (readonly [rules: readonly number[], lower: string, upper: string, count: string])[];
};
/** A float or histogram sample. */
export type AnySample = readonly [time: number, value: string | HistogramSight];

/** A template for JSON: a literal value; `{"is": "string"}` (number, array, object, boolean) for any value of that type; or `{"like": "^v"}` for a string that matches. Objects may have more members. */
export type Template = null | boolean | number | string | readonly Template[] | { readonly [name: string]: Template };

/** A sight of all answers, or of the only answer. */
export type Sight =
  /** One sight for the answer of each step, in order. */
  { readonly see: "all"; readonly of: readonly OneSight[] } | OneSight;

/** A sight of one answer. */
export type OneSight =
  /** One of these. */
  | { readonly see: "any"; readonly of: readonly OneSight[] }
  | { readonly see: "scalar" | "string"; readonly sample: Sample; readonly notes?: "infos" | "warnings" }
  /** Rows in any order unless `ordered`; numbers within a tolerance. */
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
  /** The JSON envelope of a success, with data that matches the template. */
  | {
      readonly see: "data";
      readonly data: Template;
      /** `data` is a list of exactly these items, in any order. */
      readonly unordered?: true;
      /** The list has at most this many items. */
      readonly most?: number;
      readonly notes?: "infos" | "warnings";
      readonly fields?: readonly { readonly name: string; readonly pattern: string }[];
      /** Exact text that the content must contain, for cases about the spelling of a value. */
      readonly text?: string;
    }
  /** The JSON envelope of an error with one of these types; with `bare`, only the status. */
  | { readonly see: "refused"; readonly status: readonly number[]; readonly type?: readonly string[]; readonly bare?: true };

/** Sights of a subject that refuses. */
export const REFUSALS = ["refused"] as const satisfies readonly Sight["see"][];

/** A case for metrics servers. The control must be answered with success and a non-empty result. */
export type ServerCase = AnyCase<Step, Sight> & { readonly control: readonly [Step] };
