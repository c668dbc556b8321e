/** Conformance suites from any program or test runner: `run` checks a subject, `list` returns the cases. `@touchstone-suite/touchstone/vitest` registers them as tests. */
import { check, type CheckOptions } from "./check.ts";
import type { CaseInfo } from "./harness/case.ts";
import type { Result } from "./harness/result.ts";
import { list as listIn, type ListOptions } from "./list.ts";
import { type SuiteName, SUITES } from "./suites.ts";

export type RunOptions = CheckOptions & { readonly suite: SuiteName };

/** Runs a suite on a subject. Throws `WrongUse` for a wrong call, `Unreachable` if the subject does not answer. */
export const run = (options: RunOptions): Promise<Result> => check(SUITES, options);

/** The selected cases of the suites; those of the group abuse are included by default. */
export const list = (options: ListOptions = {}): Promise<CaseInfo[]> => listIn(SUITES, options);

export { exitStatus, type Known } from "./harness/baseline.ts";
export type { Case, CaseInfo, Outcome, Role } from "./harness/case.ts";
export { Unreachable, WrongUse } from "./harness/driver.ts";
export { stepsOf } from "./http2/driver/replay.ts";
export type { CaseResult, CoverageEntry, Result, Summary, TranscriptLine, Verdict } from "./harness/result.ts";
export type { Subject } from "./harness/subject/subject.ts";
export { parseJsonLines, renderJsonLines, renderText } from "./harness/transcript.ts";
export { suiteNames, type SuiteName } from "./suites.ts";
