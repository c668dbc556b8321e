import { casesOf, check, type CheckOptions, roleOf } from "./check.ts";
import { isRed } from "./harness/baseline.ts";
import { renderText } from "./harness/transcript.ts";
import type { Role } from "./harness/case.ts";
import type { CaseResult, Result } from "./harness/result.ts";
import type { Subject } from "./harness/subject/subject.ts";
import type { Registry } from "./harness/suite.ts";
import { type SuiteName, SUITES } from "./suites.ts";

const { afterAll, beforeAll, describe, expect, test } = await import("vitest").catch((error: NodeJS.ErrnoException) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  throw new Error(
    "@touchstone-suite/touchstone/vitest registers cases as tests of vitest, which is not installed: npm install --save-dev vitest",
  );
});

/** A subject, or a function that starts it when the tests run. */
export type LateSubject = Subject | string | (() => Subject | string | Promise<Subject | string>);

export type ConformanceOptions = Omit<CheckOptions, "subject" | "signal" | "onStart" | "onResult"> & {
  readonly subject: LateSubject;
  /** Which cases are registered where `subject` is a function; `server` by default. */
  readonly role?: Role;
  /** Warnings fail their tests. */
  readonly strict?: boolean;
  /** For the whole run, in milliseconds; two minutes by default. */
  readonly runTimeout?: number;
};

const RUN_TIMEOUT = 120_000;

/**
 * Registers the cases of a suite as vitest tests, one each, in a `describe` of its own. All run together before the first test; each test
 * then reports one verdict: a fail throws with the expected and observed behaviour and the transcript, a skip gives its reason.
 * Call it with `await` at the top level of a test file, since the cases are loaded for their names.
 */
export const conformance = (options: ConformanceOptions & { readonly suite: SuiteName }): Promise<void> => conformanceIn(SUITES, options);

/** The same for the suites of another registry. */
export async function conformanceIn(registry: Registry, options: ConformanceOptions): Promise<void> {
  const { subject, role: given, strict = false, runTimeout = RUN_TIMEOUT, ...rest } = options;
  const role = given ?? (typeof subject === "function" ? "server" : roleOf(typeof subject === "string" ? { url: subject } : subject));
  const cases = await casesOf(registry, { ...options, role });
  describe(`${options.suite} ${role}${options.name === undefined ? "" : `: ${options.name}`}`, () => {
    const verdicts = new Map<string, CaseResult>();
    let result: Result | undefined;
    beforeAll(async () => {
      result = await check(registry, { ...rest, subject: typeof subject === "function" ? await subject() : subject });
      for (const one of result.cases) verdicts.set(one.id, one);
    }, runTimeout);
    afterAll(() => verdicts.clear());
    for (const { id, title } of cases) {
      test(`${id}: ${title}`, ({ skip }) => {
        const one = verdicts.get(id);
        if (one === undefined) throw new Error("The case was not performed.");
        if (one.verdict === "skip") skip(one.reason);
        if (isFailed(one, strict)) throw new Error(explain(one));
        if (one.verdict === "unproved") skip(`Unproved: ${one.reason}`);
        expect(["pass", "warn", "fail"]).toContain(one.verdict);
      });
    }
    if (options.baseline !== undefined) {
      test("the baseline has no entry that matches nothing", () => {
        expect(result?.stale ?? []).toEqual([]);
      });
    }
  });
}

/** A test that could not be judged is red, too. */
const isFailed = (one: CaseResult, strict: boolean): boolean => one.verdict === "error" || isRed(one, strict);

const explain = (one: CaseResult): string =>
  [
    `${one.verdict}: ${one.reason}`,
    `requirement: ${one.spec} (${one.level})`,
    `expected: ${one.expected.join("\n      or: ")}`,
    `observed: ${one.observed}`,
    renderText(one.transcript, { hex: false }),
  ].join("\n");
