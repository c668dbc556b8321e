import { globSync } from "node:fs";
import { describeProblem, loadRuleTests, type RuleDefaults } from "../../metrics/config/index.ts";
import { finish, readDuration } from "../../metrics/promql/index.ts";
import { lintRules, type RuleGroup, runRuleTest } from "../../metrics/rules/index.ts";
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

/** Prints what the rules of some files do that is rarely meant. Ends with status 1 if a file is invalid or, with `strict`, if there is a finding. */
export function lintRuleFiles(
  files: readonly string[],
  { scrapeInterval, strict }: { readonly scrapeInterval: string; readonly strict?: true },
): void {
  const scrapeIntervalMs = readDuration(scrapeInterval);
  if (typeof scrapeIntervalMs !== "number") {
    console.error(`touchstone metrics lint-rules: --scrape-interval ${JSON.stringify(scrapeInterval)} is not a duration: write 15s or 1m`);
    process.exitCode = 2;
    return;
  }
  const read = files.map((file) => readRules(file, DEFAULTS));
  const problems = read.flatMap((one) => one.problems);
  for (const problem of problems) console.error(describeProblem(problem));
  const groups = read.flatMap((one) => one.groups);
  let count = 0;
  for (const { group, rule, check, message } of lintRules(groups, { scrapeIntervalMs })) {
    console.log(`${group.file}: group ${group.name}, ${rule.name}: ${check}: ${message}`);
    count += 1;
  }
  const rules = groups.reduce((sum, group) => sum + group.rules.length, 0);
  console.log(`${counted(rules, "rule")}, ${counted(count, "finding")}`);
  if (problems.length > 0 || (strict === true && count > 0)) process.exitCode = 1;
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
