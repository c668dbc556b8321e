import type { Labels } from "../../reference/metrics/model/index.ts";
import type { Sample } from "../../reference/metrics/promql/index.ts";

/** A series with its samples, one per step; undefined where there is none. */
export type Row = { readonly labels: Labels; readonly samples: readonly (Sample | undefined)[]; readonly line: number };

/** `load 5m`: the nth sample of each row, from 0, is at n times the gap. Earlier loads stay. */
export type Load = { readonly is: "load"; readonly gapMs: number; readonly rows: readonly Row[]; readonly line: number };
/** `clear`: empties the storage. */
export type Clear = { readonly is: "clear"; readonly line: number };

/** The time or times of an evaluation, in milliseconds since 1970. */
export type When =
  | { readonly is: "instant"; readonly atMs: number }
  | { readonly is: "range"; readonly startMs: number; readonly endMs: number; readonly stepMs: number };

/** A condition on a message: any message, this text, or a match of this pattern. */
export type Wording =
  | { readonly is: "any" }
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "pattern"; readonly pattern: string };

/** Conditions besides the result. Annotations without a condition are optional. */
export type Demands = {
  /** The query fails with such a message. */
  readonly fail: Wording | undefined;
  /** The annotations of the level include such messages; `none`: there are no annotations of the level. */
  readonly warn: readonly Wording[] | "none";
  readonly info: readonly Wording[] | "none";
  /** The rows are in this order. */
  readonly ordered: boolean;
};

/** The expected result. Each of `series` has one sample per step of a range query, or one sample for an instant query. */
export type Outcome =
  | { readonly is: "series"; readonly rows: readonly Row[] }
  | { readonly is: "scalar"; readonly value: number }
  | { readonly is: "string"; readonly value: string }
  /** An instant query whose result has ranges: samples at `startMs`, every `stepMs`. */
  | { readonly is: "matrix"; readonly startMs: number; readonly stepMs: number; readonly rows: readonly Row[] };

/** `eval …`: one case. */
export type Evaluation = {
  readonly is: "eval";
  /** A permanent name, unique in its file. */
  readonly id: string;
  /** `prometheus-promql#operators.aggregation-operators` */
  readonly spec: string;
  readonly when: When;
  readonly expr: string;
  readonly demands: Demands;
  readonly outcome: Outcome;
  readonly line: number;
};

export type Step = Load | Clear | Evaluation;
/** A file of cases, to run from the top. */
export type Script = { readonly steps: readonly Step[] };
