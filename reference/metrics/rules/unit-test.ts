import { compareLabels, type Histogram, histogramText, Labels } from "../model/index.ts";
import { evaluateInstant, type Expr, formatNumber, QueryFailure, type QueryOptions, type Sample, type Work } from "../promql/index.ts";
import { MemoryStorage } from "../storage/index.ts";
import { GroupRun } from "./group.ts";
import type { RuleGroup } from "./rule.ts";

/** Unit tests of rules on virtual time (Prometheus docs, configuration/unit_testing_rules.md). Times are milliseconds. */

export type InputSeries = { readonly labels: Labels; readonly samples: readonly (Sample | undefined)[] };

/** The alerts of a name that fire at a time; labels with `alertname`. */
export type AlertTest = {
  readonly evalMs: number;
  readonly alertname: string;
  readonly expected: readonly { readonly labels: Labels; readonly annotations: Labels }[];
};
export type ExpressionTest = {
  readonly evalMs: number;
  readonly text: string;
  readonly expr: Expr;
  readonly expected: readonly { readonly labels: Labels; readonly value: number | Histogram }[];
};
export type RuleTest = {
  readonly name: string;
  /** Between two samples of a series. */
  readonly intervalMs: number;
  readonly startMs: number;
  readonly series: readonly InputSeries[];
  readonly alerts: readonly AlertTest[];
  readonly expressions: readonly ExpressionTest[];
  readonly externalLabels: Labels;
  readonly externalUrl: string;
};

export type TestSettings = {
  readonly groups: readonly RuleGroup[];
  readonly evaluationIntervalMs: number;
  /** Groups of these names are evaluated first, in this order. */
  readonly order: readonly string[];
  /** Ignore the last bits of values. */
  readonly isFuzzy: boolean;
};

/** The most evaluations of one test. */
const MOST_EVALUATIONS = 10_000_000;

/** What a test finds wrong, one text each. */
export function* runRuleTest(test: RuleTest, settings: TestSettings): Work<string[]> {
  const { startMs, alerts, expressions } = test;
  const { evaluationIntervalMs: step } = settings;
  const problems: string[] = [];
  const storage = new MemoryStorage();
  const feed = new Feed(storage, test);
  const engine: QueryOptions = { subqueryStepMs: step };
  const context = { storage, engine, limit: 0, externalLabels: test.externalLabels, externalUrl: test.externalUrl };
  const runs = ordered(settings).map((group) => new GroupRun(group, { isRestored: true }));
  const last = Math.max(0, ...alerts.map(({ evalMs }) => evalMs), ...expressions.map(({ evalMs }) => evalMs));
  if (last / step > MOST_EVALUATIONS) return [`a test takes more than ${MOST_EVALUATIONS} evaluations: use a longer evaluation_interval`];
  for (let since = 0; since <= last; since += step) {
    feed.until(startMs + since);
    for (const run of runs) {
      for (const at of run.group.rules.keys()) {
        const { rule, health, lastError } = yield* run.evaluate(at, { ...context, atMs: startMs + since });
        if (health === "err") problems.push(`rule: ${rule.name}, time: ${since / 1_000}s, err: ${lastError}`);
      }
    }
    if (problems.length > 0) return problems;
    for (const one of alerts) if (one.evalMs >= since && one.evalMs < since + step) problems.push(...judgeAlerts(one, runs));
  }
  for (const one of expressions) problems.push(...(yield* judgeExpression(one, test, { storage, engine, isFuzzy: settings.isFuzzy })));
  return problems;
}

const ordered = ({ groups, order }: TestSettings): RuleGroup[] => {
  const placeOf = (group: RuleGroup): number => (order.includes(group.name) ? order.indexOf(group.name) : order.length);
  return [...groups].sort((a, b) => placeOf(a) - placeOf(b));
};

/** The samples of a test on their way into its storage. */
class Feed {
  readonly #storage: MemoryStorage;
  readonly #test: RuleTest;
  #step = 0;

  constructor(storage: MemoryStorage, test: RuleTest) {
    this.#storage = storage;
    this.#test = test;
  }

  /** Stores the samples up to a time. */
  until(now: number): void {
    const { series, intervalMs, startMs } = this.#test;
    const appender = this.#storage.appender();
    for (; startMs + this.#step * intervalMs <= now; this.#step++) {
      const time = startMs + this.#step * intervalMs;
      for (const { labels, samples } of series) {
        const sample = samples[this.#step];
        if (sample === undefined) continue;
        const id = appender.series(labels);
        if (sample.is === "float") appender.append(id, time, sample.value);
        else if (sample.is === "stale") appender.appendStale(id, time);
        else appender.appendHistogram(id, time, sample.value);
      }
    }
    appender.commit();
  }
}

function* judgeAlerts({ evalMs, alertname, expected }: AlertTest, runs: readonly GroupRun[]): Generator<string> {
  const found = runs
    .flatMap(({ states }) => states)
    .filter(({ rule }) => rule.is === "alerting" && rule.name === alertname)
    .flatMap(({ alerts }) => [...alerts.values()])
    .filter(({ state }) => state === "firing");
  const shown = (all: readonly { readonly labels: Labels; readonly annotations: Labels }[]): string[] =>
    all.map(({ labels, annotations }) => `Labels:${labels} Annotations:${annotations}`).sort();
  const [want, got] = [shown(expected), shown(found)];
  if (JSON.stringify(want) === JSON.stringify(got)) return;
  yield `alertname: ${alertname}, time: ${evalMs / 1_000}s,\n        exp:${listed(want)}\n        got:${listed(got)}`;
}

const listed = (lines: readonly string[]): string =>
  lines.length === 0 ? " nothing" : lines.map((line) => `\n            ${line}`).join("");

type Place = { readonly storage: MemoryStorage; readonly engine: QueryOptions; readonly isFuzzy: boolean };
type Found = { readonly labels: Labels; readonly value: number | Histogram };

function* judgeExpression(
  { evalMs, text, expr, expected }: ExpressionTest,
  { startMs }: RuleTest,
  { storage, engine, isFuzzy }: Place,
): Work<string[]> {
  const where = `expr: ${JSON.stringify(text)}, time: ${evalMs / 1_000}s,`;
  try {
    const { value } = yield* evaluateInstant(storage, expr, startMs + evalMs, engine);
    if (value.is !== "vector" && value.is !== "scalar") return [`${where} err: the result is not a vector or scalar`];
    const found: Found[] =
      value.is === "scalar"
        ? [{ labels: Labels.NONE, value: value.value }]
        : value.elements.map(({ labels, value: number, histogram }) => ({ labels, value: histogram ?? number }));
    const [want, got] = [inOrder(expected), inOrder(found)];
    const isGood = want.length === got.length && want.every((one, at) => isSame(one, got[at]!, isFuzzy));
    return isGood ? [] : [`${where}\n        exp:${listed(want.map(words))}\n        got:${listed(got.map(words))}`];
  } catch (error) {
    if (!(error instanceof QueryFailure)) throw error;
    return [`${where} err: ${error.message}`];
  }
}

const inOrder = (all: readonly Found[]): Found[] => [...all].sort((a, b) => compareLabels(a.labels, b.labels));
const words = ({ labels, value }: Found): string => `${labels} ${typeof value === "number" ? formatNumber(value) : histogramText(value)}`;

/** The last bits of a mantissa that a fuzzy comparison ignores. */
const FUZZ = 2 ** -50;
function isSame(a: Found, b: Found, isFuzzy: boolean): boolean {
  if (!a.labels.equals(b.labels)) return false;
  if (typeof a.value !== "number" || typeof b.value !== "number")
    return typeof a.value !== "number" && typeof b.value !== "number" && histogramText(a.value) === histogramText(b.value);
  if (a.value === b.value || (Number.isNaN(a.value) && Number.isNaN(b.value))) return true;
  return isFuzzy && Math.abs(a.value - b.value) <= FUZZ * Math.abs(a.value);
}
