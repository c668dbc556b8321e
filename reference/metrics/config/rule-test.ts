import { Labels } from "../model/index.ts";
import { describeFault, parse, readHistogram, readSequence, readSeries } from "../promql/index.ts";
import type { RuleTest } from "../rules/index.ts";
import { duration, flag, list, map, real, scalar, text, type Kind, type ValueOf } from "./kinds.ts";
import { type Place, type Problem, Source } from "./source.ts";
import { optional, preset, required, struct } from "./struct.ts";

/** Files of unit tests of rules: Prometheus docs, configuration/unit_testing_rules.md. */

/** A kind from a reader that returns a message for an invalid text. */
const read = <T extends object>(reader: (written: string) => T | string): Kind<T> =>
  scalar((written) => {
    const found = reader(written);
    return typeof found === "string" ? new Error(found) : found;
  });

/** Milliseconds since 1970, from seconds or a date. */
const start = scalar((written) => {
  const ms = /^-?\d+(\.\d+)?$/.test(written) ? Number(written) * 1_000 : Date.parse(written);
  return Number.isNaN(ms)
    ? new Error(`${JSON.stringify(written)} is neither seconds since 1970 nor a date such as 2021-01-01T00:00:00Z`)
    : ms;
});

const expression = read((written) => {
  const expr = parse(written);
  return expr.is === "fault" ? `could not parse expression: ${describeFault(written, expr)}` : { written, expr };
});
const histogram = read(readHistogram);

const ALERT = struct({ exp_labels: preset(map(text), {}), exp_annotations: preset(map(text), {}) });
const SAMPLE = struct({ labels: preset(read(readSeries), Labels.NONE), value: preset(real, 0), histogram: optional(histogram) });
const TEST = struct({
  name: preset(text, ""),
  interval: preset(duration, 0),
  start_timestamp: preset(start, 0),
  input_series: preset(list(struct({ series: required(read(readSeries)), values: required(read(readSequence)) })), []),
  alert_rule_test: preset(
    list(struct({ eval_time: preset(duration, 0), alertname: required(text), exp_alerts: preset(list(ALERT), []) })),
    [],
  ),
  promql_expr_test: preset(
    list(struct({ expr: required(expression), eval_time: preset(duration, 0), exp_samples: preset(list(SAMPLE), []) })),
    [],
  ),
  external_labels: preset(map(text), {}),
  external_url: preset(text, ""),
});
const FILE = struct({
  rule_files: preset(list(text), []),
  evaluation_interval: preset(duration, 60_000),
  fuzzy_compare: preset(flag, false),
  group_eval_order: preset(list(text), []),
  tests: preset(list(TEST, "test"), []),
});

/** A file of unit tests. Times in milliseconds. */
export type RuleTestFile = {
  /** Patterns of rule files, relative to the directory of this file, with the place that names each. */
  readonly ruleFiles: readonly { readonly pattern: string; readonly line: number }[];
  readonly evaluationIntervalMs: number;
  readonly isFuzzy: boolean;
  readonly order: readonly string[];
  readonly tests: readonly RuleTest[];
};

/** Reads and checks a file of unit tests. */
export function loadRuleTests(
  written: string,
  file: string,
): { readonly found: RuleTestFile | undefined; readonly problems: readonly Problem[] } {
  const source = new Source(file);
  const root = source.parse(written);
  const value = root === undefined ? undefined : FILE.read(root);
  if (value === undefined) return { found: undefined, problems: source.problems };
  const { evaluation_interval: interval } = value;
  const seen = new Set<string>();
  for (const name of value.group_eval_order) {
    if (seen.has(name)) source.placeOf(value, "group_eval_order").fail(`${JSON.stringify(name)} is listed twice`);
    seen.add(name);
  }
  const line = (at: Place): number => at.line;
  const found: RuleTestFile = {
    ruleFiles: value.rule_files.map((pattern) => ({
      pattern: pattern.startsWith("/") ? pattern : `${source.directory}${pattern}`,
      line: line(source.placeOf(value, "rule_files")),
    })),
    evaluationIntervalMs: interval || 60_000,
    isFuzzy: value.fuzzy_compare,
    order: value.group_eval_order,
    tests: value.tests.map((test) => testOf(test, interval || 60_000)),
  };
  const { problems } = source;
  return { found: problems.length === 0 ? found : undefined, problems: [...problems].sort((a, b) => a.line - b.line) };
}

const testOf = (test: ValueOf<typeof TEST>, intervalMs: number): RuleTest => ({
  name: test.name,
  intervalMs: test.interval || intervalMs,
  startMs: test.start_timestamp,
  series: test.input_series.map(({ series, values }) => ({ labels: series, samples: values })),
  alerts: test.alert_rule_test.map(({ eval_time, alertname, exp_alerts }) => ({
    evalMs: eval_time,
    alertname,
    expected: exp_alerts.map(({ exp_labels, exp_annotations }) => ({
      labels: Labels.of({ ...exp_labels, alertname }),
      annotations: Labels.of(exp_annotations),
    })),
  })),
  expressions: test.promql_expr_test.map(({ expr, eval_time, exp_samples }) => ({
    evalMs: eval_time,
    text: expr.written,
    expr: expr.expr,
    expected: exp_samples.map(({ labels, value, histogram: one }) => ({ labels, value: one ?? value })),
  })),
  externalLabels: Labels.of(test.external_labels),
  externalUrl: test.external_url,
});
