import type { Case as AnyCase } from "../harness/case.ts";

/** What a case about rules can do and observe. */

/** A rule as in a rule file. The driver adds the label `case` to it. In texts `{case}` is its value, `{inputs}` the matchers of the inputs. */
export type Rule = {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly keep_firing_for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};
/** A group as in a rule file; its interval is that of the run by default. */
export type Group = {
  readonly name: string;
  readonly interval?: string;
  readonly limit?: number;
  readonly query_offset?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly rules: readonly Rule[];
};

/** What ends a stage. */
export type Until =
  | { readonly alert: string; readonly is: "pending" | "firing" | "inactive" }
  /** A query shows the series, with this value. */
  | { readonly stored: string; readonly value?: number }
  /** A query that showed the series does not any more. */
  | { readonly gone: string }
  | { readonly rule: string; readonly health: "ok" | "err" }
  /** The first group was evaluated so often since the stage began. */
  | { readonly evaluated: number };

/** A time in the life of the inputs: `input{name="a"}` has the value of `a`; `null` ends it. Inputs of the stages before stay. */
export type Stage = { readonly inputs?: Readonly<Record<string, number | null>>; readonly until: Until };

/** The groups of one rule file, and what happens to them. */
export type Step = {
  readonly do: "evaluate";
  readonly groups: readonly Group[];
  /** Groups of a second file. */
  readonly more?: readonly Group[];
  readonly stages: readonly Stage[];
  /** Stages after the server has been ended and started again. */
  readonly restarted?: readonly Stage[];
  /** Requests after the last stage: paths below /api/v1, where `{file}` and `{more}` are the names of the files. */
  readonly asks?: readonly string[];
};

/** What must be true in the end, by the name of a rule of the driver. */
export type Sight = { readonly see: "holds"; readonly rule: string; readonly words?: readonly string[] };

export type Case = AnyCase<Step, Sight>;
