import { METRIC_NAME } from "../model/index.ts";
import { childrenOf, type Expr, formatDuration } from "../promql/index.ts";
import { type Rule, type RuleGroup, writtenLabels } from "./rule.ts";

/** What rules do that is allowed, and rarely meant (Prometheus docs, configuration/recording_rules.md). */

type LintFinding = { readonly group: RuleGroup; readonly rule: Rule; readonly check: LintCheck; readonly message: string };
type LintCheck =
  /** Recorded names have the form level:metric:operations. */
  | "name"
  /** `rate` and its relatives are for counters, `delta` and its relatives for gauges. */
  | "counter"
  /** A window holds at least two scrapes. */
  | "window"
  /** An alert can fire. */
  | "never"
  /** No rule is repeated. */
  | "duplicate"
  /** What looks recorded is recorded by a rule. */
  | "vanished"
  /** The time of an alert is not shorter than the interval of its group. */
  | "for";

type LintOptions = {
  /** The time between two scrapes, in milliseconds. */
  readonly scrapeIntervalMs: number;
};

/** The findings of groups that are loaded together. */
export function* lintRules(groups: readonly RuleGroup[], { scrapeIntervalMs }: LintOptions): Generator<LintFinding> {
  const recorded = new Set(groups.flatMap(({ rules }) => rules.flatMap((rule) => (rule.is === "recording" ? [rule.name] : []))));
  const seen = new Set<string>();
  for (const group of groups)
    for (const rule of group.rules) {
      const found = (check: LintCheck, message: string): LintFinding => ({ group, rule, check, message });
      const key = JSON.stringify([rule.name, Object.entries(writtenLabels(rule)).sort(), rule.is === "alerting" ? rule.query : ""]);
      if (seen.has(key)) yield found("duplicate", "another rule has the same name and labels");
      seen.add(key);
      if (rule.is === "recording" && !/^[^:]*:[^:]+:[^:]+$/.test(rule.name))
        yield found("name", `${rule.name} is not level:metric:operations, such as job:requests:rate5m`);
      if (rule.is === "alerting" && rule.forMs > 0 && rule.forMs < group.intervalMs)
        yield found(
          "for",
          `for: ${formatDuration(rule.forMs)} is shorter than the interval of the group, ${formatDuration(group.intervalMs)}`,
        );
      for (const message of expressionFindings(rule.expr, scrapeIntervalMs)) yield found(...message);
      if (rule.is === "alerting" && isNever(rule.expr)) yield found("never", "its expression never has an element, so it cannot fire");
      for (const name of namesRead(rule.expr))
        if (/^[^:]*:[^:]+:[^:]+$/.test(name) && !recorded.has(name))
          yield found("vanished", `it reads ${name}, which no rule of these files records`);
    }
}

const OF_COUNTERS: ReadonlySet<string> = new Set(["rate", "irate", "increase", "resets"]);
const OF_GAUGES: ReadonlySet<string> = new Set(["delta", "idelta", "deriv", "predict_linear"]);
/** Functions that need two samples in their window. */
const OF_TWO: ReadonlySet<string> = new Set([...OF_COUNTERS, ...OF_GAUGES]);
/** Names of counters end so by convention; those of histograms have counters within. */
const COUNTER = /(?:_total|_count|_sum|_bucket)$/;
/** Names that counters never have. */
const GAUGE = /(?:_bytes|_seconds|_ratio|_info|_celsius|_current|_usage|_percent)$|^up$/;

function* expressionFindings(expr: Expr, scrapeIntervalMs: number): Generator<readonly [LintCheck, string]> {
  if (expr.is === "call") {
    const [arg] = expr.args;
    const { name } = expr;
    if (arg?.is === "matrixSelector") {
      const metric = arg.selector.matchers.find((one) => one.name === METRIC_NAME && one.operator === "=")?.value ?? "";
      if (OF_COUNTERS.has(name) && GAUGE.test(metric)) yield ["counter", `${name}() is for counters, and ${metric} is named as a gauge`];
      if (OF_GAUGES.has(name) && COUNTER.test(metric)) yield ["counter", `${name}() is for gauges, and ${metric} is named as a counter`];
      if (OF_TWO.has(name) && arg.range.is === "fixed" && arg.range.ms < 2 * scrapeIntervalMs)
        yield [
          "window",
          `${name}() over ${formatDuration(arg.range.ms)} may see one scrape only: they are ${formatDuration(scrapeIntervalMs)} apart`,
        ];
    }
  }
  for (const child of childrenOf(expr)) yield* expressionFindings(child, scrapeIntervalMs);
}

/** The metric names that an expression selects. */
function* namesRead(expr: Expr): Generator<string> {
  if (expr.is === "vectorSelector")
    for (const { name, operator, value } of expr.matchers) if (name === METRIC_NAME && operator === "=") yield value;
  for (const child of childrenOf(expr)) yield* namesRead(child);
}

const strip = (expr: Expr): Expr => (expr.is === "paren" ? strip(expr.expr) : expr);
/** The bounds of the values of an expression, as far as they are known without data. */
function boundsOf(expr: Expr): readonly [least: number, most: number] {
  const one = strip(expr);
  if (one.is === "number") return [one.value, one.value];
  if (one.is === "call" && (one.name === "absent" || one.name === "absent_over_time")) return [1, 1];
  if (one.is === "call" && (one.name === "rate" || one.name === "increase" || one.name === "changes" || one.name === "resets"))
    return [0, Infinity];
  if (one.is === "aggregate" && one.op === "count") return [1, Infinity];
  if (one.is === "vectorSelector" && one.name === "up") return [0, 1];
  return [-Infinity, Infinity];
}

/** Whether an expression is known to have no elements: a comparison that no value meets, or conditions of the same series that exclude each other. */
function isNever(expr: Expr): boolean {
  const one = strip(expr);
  if (one.is !== "binary") return false;
  if (one.op === "and") return isNever(one.left) || isNever(one.right);
  if (one.op === "or") return isNever(one.left) && isNever(one.right);
  if (one.bool) return false;
  const [left, right] = [boundsOf(one.left), boundsOf(one.right)];
  switch (one.op) {
    case ">":
      return left[1] <= right[0];
    case "<":
      return left[0] >= right[1];
    case ">=":
      return left[1] < right[0];
    case "<=":
      return left[0] > right[1];
    case "==":
      return left[1] < right[0] || left[0] > right[1];
    default:
      return false;
  }
}
