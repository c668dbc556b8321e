import type { Series } from "../../scrape/driver/record.ts";

/** What one case of a run left behind. */

export type Labels = Readonly<Record<string, string>>;
export type ApiAlert = {
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly state: string;
  readonly activeAt: string;
  readonly value: string;
};
export type ApiRule = {
  readonly name: string;
  readonly type: string;
  readonly query: string;
  readonly health: string;
  readonly state?: string;
  readonly duration?: number;
  readonly labels?: Labels;
  readonly annotations?: Labels;
  readonly alerts?: readonly ApiAlert[] | null;
  readonly lastError?: string;
  readonly lastEvaluation?: string;
};
export type ApiGroup = {
  readonly name: string;
  readonly file: string;
  readonly interval: number;
  readonly limit?: number;
  readonly rules: readonly ApiRule[];
};
/** An answer to a request of the case. */
export type ApiAnswer = { readonly path: string; readonly status: number; readonly body: unknown };

/** What the API showed of the case's files, and of its alerts. */
export type Shown = { readonly groups: readonly ApiGroup[]; readonly alerts: readonly ApiAlert[] };

export type CaseRecord = {
  readonly files: readonly [file: string, more: string];
  /** At the end of every stage. */
  readonly shown: readonly Shown[];
  /** All that was stored with the label of the case. */
  readonly series: readonly Series[];
  /** The series that a query shows in the end. */
  readonly alive: readonly Labels[];
  readonly answers: readonly ApiAnswer[];
  /** Stages that are over. */
  readonly passed: number;
  /** Why the next one did not end; empty if all are over. */
  readonly stopped: string;
  /** The server ended before it evaluated anything. */
  readonly isRefused: boolean;
  /** Seconds since 1970: when the run began, and when the server was started again. */
  readonly began: number;
  readonly restarted: number;
};
