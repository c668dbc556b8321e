import { globSync } from "node:fs";
import { describeProblem, loadRuleTests, type RuleDefaults } from "../../metrics/config/index.ts";
import { finish } from "../../metrics/promql/index.ts";
import { type RuleGroup, runRuleTest } from "../../metrics/rules/index.ts";
import { readRules, textOf } from "./config-files.ts";

const MINUTE = 60_000;
const DEFAULTS: RuleDefaults = { evaluationIntervalMs: MINUTE, queryOffsetMs: 0, scheme: "utf8" };

/** Checks rule files and prints every problem with its place. Ends with status 1 if there is any. */
export function checkRules(files: readonly string[]): void {
  for (const file of files) {
    const { groups, problems } = readRules(file, DEFAULTS);
    for (const problem of problems) console.error(describeProblem(problem));
    if (problems.length > 0) process.exitCode = 1;
    const rules = groups.reduce((sum, group) => sum + group.rules.length, 0);
    console.log(`${file}: ${problems.length > 0 ? counted(problems.length, "problem") : `valid, ${counted(rules, "rule")}`}`);
  }
}

/** Runs files of unit tests of rules. Ends with status 1 if any fails or is invalid. */
export function testRules(files: readonly string[]): void {
  for (const file of files) {
    const problems = failures(file);
    for (const problem of problems) console.error(`    ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
    console.log(`${file}: ${problems.length > 0 ? `FAILED, ${counted(problems.length, "problem")}` : "SUCCESS"}`);
  }
}

function failures(file: string): string[] {
  const text = textOf(file);
  if (typeof text !== "string") return [text.message];
  const { found, problems } = loadRuleTests(text, file);
  if (found === undefined) return problems.map(describeProblem);
  const groups: RuleGroup[] = [];
  const wrong: string[] = [];
  for (const { pattern, line } of found.ruleFiles) {
    const paths = /[*?[]/.test(pattern) ? globSync(pattern).sort() : [pattern];
    if (paths.length === 0) wrong.push(`${file}:${line}: rule_files: nothing matches ${pattern}`);
    for (const path of paths) {
      const read = readRules(path, { ...DEFAULTS, evaluationIntervalMs: found.evaluationIntervalMs });
      groups.push(...read.groups);
      wrong.push(...read.problems.map(describeProblem));
    }
  }
  if (wrong.length > 0) return wrong;
  return found.tests.flatMap((test, at) =>
    finish(runRuleTest(test, { ...found, groups })).map((problem) => `${test.name === "" ? `test ${at + 1}` : test.name}: ${problem}`),
  );
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
