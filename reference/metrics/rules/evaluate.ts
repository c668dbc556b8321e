import { type Histogram, histogramText, Labels, METADATA_NAMES, METRIC_NAME } from "../model/index.ts";
import {
  describeFault,
  type Element,
  evaluateInstant,
  type Expr,
  parse,
  QueryFailure,
  type QueryOptions,
  type Work,
} from "../promql/index.ts";
import type { Queryable } from "../storage/index.ts";
import { type Alert, nextAlert, type Seen } from "./alert-state.ts";
import { expand } from "./template/run.ts";
import type { AlertingRule, RecordingRule, TemplatedText } from "./rule.ts";
import { labelsValue, sampleValue, Struct, TemplateFault, type Value } from "./template/values.ts";

/** One evaluation of one rule (Prometheus docs, configuration/recording_rules.md and configuration/alerting_rules.md). */

/** A sample to store. */
export type RuleSample = { readonly labels: Labels; readonly value: number; readonly histogram?: Histogram | undefined };

/** What an evaluation works with. Times are milliseconds since 1970. */
export type EvaluationContext = {
  readonly storage: Queryable;
  readonly engine: QueryOptions;
  /** The time of the evaluation. */
  readonly atMs: number;
  readonly queryOffsetMs: number;
  readonly limit: number;
  readonly externalLabels: Labels;
  readonly externalUrl: string;
};

/** The evaluation failed: nothing of it is stored, and no series ends. */
export class RuleFault extends Error {
  override readonly name = "RuleFault";
}
/** Too many series or alerts: all alerts of the rule are forgotten, too. */
export class LimitExceeded extends RuleFault {}

const { NONE } = Labels;

/** The elements of an expression; a scalar is one element without labels. */
function* elementsOf(expr: Expr, { storage, engine, atMs, queryOffsetMs }: EvaluationContext): Work<readonly Element[]> {
  const { value } = yield* evaluateInstant(storage, expr, atMs - queryOffsetMs, engine);
  if (value.is === "vector") return value.elements;
  if (value.is === "scalar") return [{ labels: NONE, value: value.value, histogram: undefined }];
  throw new RuleFault("rule result is not a vector or scalar");
}

/** The samples of a recording rule. Throws `RuleFault` or `QueryFailure`. */
export function* record(rule: RecordingRule, context: EvaluationContext): Work<readonly RuleSample[]> {
  const elements = yield* elementsOf(rule.expr, context);
  const seen = new Set<string>();
  const samples: RuleSample[] = [];
  for (const { labels, value, histogram } of elements) {
    if (samples.length % STRIDE === STRIDE - 1) yield;
    const named = Labels.of([...labels.without(METADATA_NAMES), [METRIC_NAME, rule.name], ...rule.labels]);
    if (seen.has(named.key)) throw new RuleFault("vector contains metrics with the same labelset after applying rule labels");
    seen.add(named.key);
    samples.push({ labels: named, value, histogram });
  }
  if (context.limit > 0 && samples.length > context.limit)
    throw new LimitExceeded(`exceeded limit of ${context.limit} with ${samples.length} series`);
  return samples;
}
const STRIDE = 100;

/** The alerts of a rule after an evaluation, by the key of their labels. Throws `RuleFault` or `QueryFailure`. */
export function* alert(rule: AlertingRule, before: ReadonlyMap<string, Alert>, context: EvaluationContext): Work<Map<string, Alert>> {
  const elements = yield* elementsOf(rule.expr, context);
  const seen = new Map<string, Seen>();
  for (const element of elements) {
    yield;
    const data = dataOf(element, context);
    const text = (one: TemplatedText): Work<string> => expanded(one, data, context);
    const own: [string, string][] = [...element.labels.without(NAME)].map(([name, value]) => [name, value]);
    for (const one of rule.labels) own.push([one.name, yield* text(one)]);
    const labels = Labels.of([...own, ["alertname", rule.name]]);
    const annotations: [string, string][] = [];
    for (const one of rule.annotations) annotations.push([one.name, yield* text(one)]);
    if (seen.has(labels.key)) throw new RuleFault("vector contains metrics with the same labelset after applying alert labels");
    seen.set(labels.key, { labels, annotations: Labels.of(annotations), value: element.value });
  }
  const alerts = new Map<string, Alert>();
  let active = 0;
  for (const key of new Set([...before.keys(), ...seen.keys()])) {
    const next = nextAlert(before.get(key), seen.get(key), context.atMs, rule);
    if (next === undefined) continue;
    alerts.set(key, next);
    if (next.state !== "inactive") active += 1;
  }
  if (context.limit > 0 && active > context.limit) throw new LimitExceeded(`exceeded limit of ${context.limit} with ${active} alerts`);
  return alerts;
}
const NAME: ReadonlySet<string> = new Set([METRIC_NAME]);

/** The series of the alerts that are active. */
export function* alertSamples(alerts: Iterable<Alert>): Generator<RuleSample> {
  for (const { labels, state, activeAt } of alerts) {
    if (state === "inactive") continue;
    yield { labels: labels.with(METRIC_NAME, "ALERTS").with("alertstate", state), value: 1 };
    yield { labels: labels.with(METRIC_NAME, "ALERTS_FOR_STATE"), value: Math.floor(activeAt / 1_000) };
  }
}

type Data = { readonly dot: Value; readonly variables: Readonly<Record<string, Value>> };
function dataOf({ labels, value, histogram }: Element, { externalLabels, externalUrl }: EvaluationContext): Data {
  const [own, external] = [labelsValue(new Map(labels)), labelsValue(new Map(externalLabels))];
  const shown = histogram === undefined ? value : histogramText(histogram);
  return {
    dot: new Struct(
      "data",
      new Map<string, Value>([
        ["Labels", own],
        ["ExternalLabels", external],
        ["ExternalURL", externalUrl],
        ["Value", shown],
      ]),
    ),
    variables: { $labels: own, $externalLabels: external, $externalURL: externalUrl, $value: shown },
  };
}
/** The variables of every template of an alert. */
export const ALERT_VARIABLES: readonly string[] = ["$labels", "$externalLabels", "$externalURL", "$value"];

/** The text of a template; a fault of the template becomes the text, since an alert without an annotation is better than none. */
function* expanded({ template }: TemplatedText, data: Data, context: EvaluationContext): Work<string> {
  try {
    return yield* expand(template, {
      ...data,
      nowMs: context.atMs,
      externalUrl: context.externalUrl,
      query: (text) => queried(text, context),
    });
  } catch (error) {
    if (error instanceof TemplateFault || (error instanceof QueryFailure && error.kind === "execution"))
      return `<error expanding template: ${error.message}>`;
    throw error;
  }
}

/** The result of `query` in a template. */
function* queried(text: string, context: EvaluationContext): Work<readonly Value[]> {
  const expr = parse(text);
  if (expr.is === "fault") throw new TemplateFault(`error calling query: ${describeFault(text, expr)}`);
  const { value } = yield* evaluateInstant(context.storage, expr, context.atMs - context.queryOffsetMs, context.engine);
  if (value.is === "matrix") throw new TemplateFault("error calling query: the result is a range vector");
  if (value.is === "string") return [sampleValue(new Map([["__value__", value.text]]), 0)];
  if (value.is === "scalar") return [sampleValue(new Map(), value.value)];
  return value.elements.map(({ labels, value: number, histogram }) =>
    sampleValue(new Map(labels), histogram === undefined ? number : histogramText(histogram)),
  );
}
