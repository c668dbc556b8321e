import { check } from "../check.ts";
import { WrongUse } from "../harness/driver.ts";
import { suiteNamed } from "../harness/registry.ts";
import type { Registry } from "../harness/suite.ts";
import type { CrosscheckFlags } from "./command.ts";
import { compare, comparisonText } from "./compare.ts";

/** Runs both suites, and prints where their verdicts differ. Returns the exit status. */
export async function crosscheck(
  registry: Registry,
  { suite: name, url, tool: path, json, timeout }: CrosscheckFlags & { readonly suite: string; readonly url: string },
): Promise<number> {
  const suite = await suiteNamed(registry, name);
  if (suite.crosscheck === undefined)
    throw new WrongUse(`No other suite is known to cross-check ${name} with: "crosscheck" in conformance/${name}/suite.ts names one.`);
  const seconds = Number(timeout);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 60) throw new WrongUse("--timeout is a number of seconds from 1 to 60.");
  const other = await suite.crosscheck();
  const program = other.find(path);
  // Ours first: it reports a wrong address in one line.
  const ours = await check(registry, { suite: name, subject: url });
  const theirs = await other.run(program, url, seconds);
  const comparisons = compare(theirs, ours.cases, other);
  const version = await other.version(program);
  if (json === true) process.stdout.write(`${JSON.stringify({ subject: ours.subject, [other.tool]: version, comparisons }, null, 2)}\n`);
  else process.stdout.write(comparisonText(comparisons, { tool: other.tool, version, again: `touchstone check ${name} ${url}` }));
  return comparisons.some(({ is }) => is === "differ") ? 1 : 0;
}
