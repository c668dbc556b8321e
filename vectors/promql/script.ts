import type { Histogram, Labels } from "../../reference/metrics/model/index.ts";

/** What a series has at one moment; undefined where it has nothing. */
export type Sample =
  | { readonly is: "float"; readonly value: number }
  | { readonly is: "histogram"; readonly value: Histogram }
  | { readonly is: "stale" };

/** A series and its samples, one each step of time. */
export type Row = { readonly labels: Labels; readonly samples: readonly (Sample | undefined)[]; readonly line: number };

/** `load 5m`: sample number n of each row is at n times the gap, from 0. What was loaded before stays. */
export type Load = { readonly is: "load"; readonly gapMs: number; readonly rows: readonly Row[]; readonly line: number };
/** `clear`: nothing is stored any more. */
export type Clear = { readonly is: "clear"; readonly line: number };

/** When an expression is evaluated: milliseconds since 1970. */
export type When =
  | { readonly is: "instant"; readonly atMs: number }
  | { readonly is: "range"; readonly startMs: number; readonly endMs: number; readonly stepMs: number };

/** A demand on a message: any, one that is written so, or one that an expression matches somewhere. */
export type Wording = { readonly is: "any" } | { readonly is: "text"; readonly text: string } | { readonly is: "pattern"; readonly pattern: string };

/** What is demanded besides the result. Annotations of which nothing is said may come or not. */
export type Demands = {
  /** The query fails, and this is said. */
  readonly fail: Wording | undefined;
  /** Each is found among the annotations of its level; `none`: there are none of that level. */
  readonly warn: readonly Wording[] | "none";
  readonly info: readonly Wording[] | "none";
  /** The rows come in the order written. */
  readonly ordered: boolean;
};

/** What an evaluation gives; `series` of a range query have a sample each step, those of an instant query one. */
export type Outcome =
  | { readonly is: "series"; readonly rows: readonly Row[] }
  | { readonly is: "scalar"; readonly value: number }
  | { readonly is: "string"; readonly value: string }
  /** An instant query whose result has ranges: samples at `startMs`, every `stepMs`. */
  | { readonly is: "matrix"; readonly startMs: number; readonly stepMs: number; readonly rows: readonly Row[] };

/** `eval …`: one case. */
export type Evaluation = {
  readonly is: "eval";
  /** Permanent, in words; unique in its file. */
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
/** A file of cases, to be gone through from the top. */
export type Script = { readonly steps: readonly Step[] };
