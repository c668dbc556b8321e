/**
 * Conformance suites from any program or test runner: `run` performs one on a subject, `list` tells the cases. `touchstone/vitest`
 * registers them as tests.
 */
export { check as run, type CheckOptions as RunOptions, type Subject } from "./check.ts";
export { list } from "./listing.ts";
export { exitStatus, type Known } from "./harness/baseline.ts";
export type { Case, CaseInfo, Outcome, Role } from "./harness/case.ts";
export { Unreachable, WrongUse } from "./harness/driver.ts";
export type { CaseResult, CoverageEntry, Result, Summary, TranscriptLine, Verdict } from "./harness/result.ts";
export { parseJsonLines, renderJsonLines, renderText } from "./harness/transcript.ts";
export { stepsOf } from "./harness/replay.ts";
export { SUITES, suiteNames, type SuiteName } from "./suites.ts";
export type { Case as Http2Case } from "./http2/index.ts";
export type { Case as HpackCase } from "./hpack/index.ts";
