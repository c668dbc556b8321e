import { childrenOf, type Expr } from "../promql/index.ts";
import { METRIC_NAME, type Matcher } from "../model/index.ts";
import type { Rule } from "./rule.ts";

/** Which rules of a group may run at the same time: those of which none reads what another writes. */

const ALERT_SERIES: readonly string[] = ["ALERTS", "ALERTS_FOR_STATE"];
const written = (rule: Rule): readonly string[] => (rule.is === "recording" ? [rule.name] : ALERT_SERIES);

/** The matchers of the metric name of every selector in an expression. */
function* selectorsOf(expr: Expr): Generator<readonly Matcher[]> {
  if (expr.is === "vectorSelector") yield expr.matchers.filter(({ name }) => name === METRIC_NAME);
  for (const child of childrenOf(expr)) yield* selectorsOf(child);
}
const reads = (rule: Rule, names: readonly string[]): boolean =>
  [...selectorsOf(rule.expr)].some((matchers) => names.some((name) => matchers.every((matcher) => matcher.matches(name))));

/** Beyond this many rules in a group, finding what is independent costs more than it saves. */
const MOST_COMPARED = 1_000;

/**
 * The numbers of the rules in batches: rules of one batch are independent of each other, and of two that are not, the first in the file comes first.
 * A template may read anything by `query`, so a rule whose templates do is alone.
 */
export function batchesOf(rules: readonly Rule[]): readonly (readonly number[])[] {
  if (rules.length > MOST_COMPARED) return rules.map((_, at) => [at]);
  const levels: number[] = [];
  let floor = 0;
  for (const [at, rule] of rules.entries()) {
    let level = floor;
    if (queries(rule)) {
      level = Math.max(floor, ...levels.map((one) => one + 1), 0);
      floor = level + 1;
    } else
      for (const [before, other] of rules.slice(0, at).entries())
        if (reads(rule, written(other)) || reads(other, written(rule)) || overlaps(rule, other))
          level = Math.max(level, levels[before]! + 1);
    levels.push(level);
  }
  const batches: number[][] = [];
  for (const [at, level] of levels.entries()) (batches[level] ??= []).push(at);
  return batches.filter((batch) => batch !== undefined);
}

/** Rules that record the same name may write the same series. */
const overlaps = (a: Rule, b: Rule): boolean => a.is === "recording" && b.is === "recording" && a.name === b.name;

const queries = (rule: Rule): boolean =>
  rule.is === "alerting" && [...rule.labels, ...rule.annotations].some(({ text }) => /\bquery\b/.test(text));
