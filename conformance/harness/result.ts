import type { Level, SpecRef } from "../../reference/core/index.ts";
import type { Budget, Role } from "./case.ts";

/**
 * `unproved`: the subject did not show what a verdict needs (it refused the control), so nothing is proved either way. `skip`: it does not
 * offer the feature. `error`: the harness could not do its work; never a pass, never the subject's fault.
 */
export type Verdict = "pass" | "warn" | "fail" | "unproved" | "skip" | "error";

/** One line of what crossed the wire: `->` from the harness, `<-` from the subject, `--` a remark of the harness. */
export type TranscriptLine = {
  /** Milliseconds since the connection was opened. */
  readonly at: number;
  readonly way: "->" | "<-" | "--";
  /** In words: `HEADERS stream 1 END_STREAM END_HEADERS :method GET …`. */
  readonly means: string;
  /** The octets, hexadecimal; long ones are cut, and `octets` gives their number. */
  readonly hex?: string;
  readonly octets?: number;
};

/** What the subject spent on a case: resident memory in octets, processor time in milliseconds. */
export type Cost = {
  readonly memoryBefore: number;
  readonly memoryPeak: number;
  readonly memoryAfter: number;
  readonly cpuMs: number;
};

export type CaseResult = {
  readonly id: string;
  readonly spec: SpecRef;
  readonly level: Level;
  readonly role: Role;
  readonly title: string;
  readonly verdict: Verdict;
  /** One sentence: the reason for the verdict, or how a skip was detected. */
  readonly reason: string;
  /** Equal for cases that did not pass for one reason: one mistake of the subject may explain them. */
  readonly cause?: string;
  /** In words, the strict outcome first. */
  readonly expected: readonly string[];
  /** The index in `expected` of the allowed outcome that was seen. */
  readonly outcome?: number;
  /** A wait ran out of time. */
  readonly timedOut?: true;
  /** It failed, but the machine was too busy to confirm that: `unproved`. */
  readonly tooBusy?: true;
  /** What was observed, in words. */
  readonly observed: string;
  /** What else was observed, in words: `--same-as` compares it, no verdict depends on it. */
  readonly details?: string;
  readonly covers: readonly string[];
  readonly ms: number;
  readonly transcript: readonly TranscriptLine[];
  /** Of the control twin; absent when it was not run. */
  readonly control?: readonly TranscriptLine[];
  /** What it cost the subject, if its process is known (group abuse), and the budget, if the case has one. */
  readonly cost?: Cost & { readonly budget?: Budget };
  /** Set if a baseline, an earlier result, or the list of flaky cases covers this case. `moved`: it shows something else than in the earlier result. */
  readonly baseline?: "expected" | "unexpected-pass" | "unexpected" | "moved" | "unsteady" | "flaky";
  /** The verdicts of all runs, if they are not the same (--repeat): `unsteady`, or `flaky` if the list of flaky cases has it. */
  readonly runs?: readonly Verdict[];
  /** What the earlier result shows of a case that moved. */
  readonly before?: { readonly verdict: Verdict; readonly observed: string };
};

/** A requirement that cases of the run are about, and what they say of this subject. */
export type CoverageEntry = {
  readonly requirement: string;
  readonly level: Level;
  readonly text: string;
  /** `fail` if a case failed; otherwise the best that its cases show: `skip` if all were skipped. */
  readonly state: Exclude<Verdict, "error">;
  readonly cases: readonly string[];
};

export type Summary = Readonly<Record<Verdict, number>>;

/** One of several parts that together are the whole: each machine takes one. `index` counts from 1. */
export type Shard = { readonly index: number; readonly of: number };

/** How much of a run there is. */
export type Partial = { readonly ran: number; readonly of: number; readonly why: "interrupted" | "fail-fast" | "missing-shards" };

/** The result of a run: `check --json` prints it, and every report is written from it. Schema: reports/schema/result.json. */
export type Result = {
  readonly subject: { readonly name: string; readonly role: Role; readonly target: string; readonly version?: string };
  readonly suite: string;
  /** The flags of the suite that were given, by their names without the hyphens. */
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly tool: { readonly name: "touchstone"; readonly version: string };
  /** ISO 8601. */
  readonly startedAt: string;
  readonly ms: number;
  readonly summary: Summary;
  readonly coverage: readonly CoverageEntry[];
  /** Titles of documents and sections, for readers: `rfc9113` is "HTTP/2", `rfc9113#6.9` is "WINDOW_UPDATE". */
  readonly titles?: Readonly<Record<string, string>>;
  /** Set if this is one shard of a run, whose shards select so many cases together. */
  readonly shard?: Shard & { readonly selected: number };
  /** Set if not all selected cases ran: the run was interrupted, --fail-fast ended it, or shards are missing. */
  readonly partial?: Partial;
  /** Entries of the baseline, or of the list of flaky cases, that match no case. */
  readonly stale?: readonly string[];
  readonly cases: readonly CaseResult[];
};
