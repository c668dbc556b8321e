import { type Histogram, METRIC_NAME } from "../model/index.ts";
import { WrittenSeries } from "../remote/index.ts";
import { exemplarOf } from "./exemplars.ts";
import { customBuckets, exponential } from "./histograms.ts";
import { attributeLabels, IDENTIFYING, identity, type LabelMap, type LabelSettings, SharedLabels } from "./labels.ts";
import type {
  ExponentialPoint,
  HistogramPoint,
  Metric,
  MetricData,
  NumberPoint,
  PointExemplar,
  ResourceMetrics,
  SummaryPoint,
} from "./message.ts";
import { metricName } from "./names.ts";

/** How metrics become series (Prometheus docs, configuration/configuration.md, `otlp`). */
export type OtlpSettings = LabelSettings & {
  /** Leaves the identifying attributes in target_info, besides making them job and instance. */
  readonly keepsIdentifying: boolean;
  /** Stores classic histograms as native ones with custom bounds. */
  readonly toCustomBuckets: boolean;
  /** How long a sample stays current: target_info is repeated twice as often. */
  readonly lookbackMs: number;
};

/** The most labels of a series. */
const MOST_LABELS = 1_000;

/** A request over more time than this many times the lookback has no target_info: its times are wrong. */
const MOST_REPEATED = 1_000;

/** Called with points that no series can be made of. */
export type OnRejected = (points: number, why: string) => void;

/** The series of a request, one after another in the same object. */
export function* seriesOf(resources: readonly ResourceMetrics[], settings: OtlpSettings, onRejected: OnRejected): Generator<WrittenSeries> {
  const translating = new Translating(settings, onRejected);
  for (const one of resources) yield* translating.resource(one);
}

/** What is known of the resources of a request besides job and instance, each as the labels of a series target_info that is always 1. */
export function* targetInfoOf(resources: readonly ResourceMetrics[], settings: OtlpSettings): Generator<WrittenSeries> {
  const translating = new Translating(settings, () => {});
  for (const one of resources) yield* translating.targetInfo(one);
}

class Translating {
  readonly #settings: OtlpSettings;
  readonly #onRejected: OnRejected;
  readonly #series = new WrittenSeries();

  constructor(settings: OtlpSettings, onRejected: OnRejected) {
    this.#settings = settings;
    this.#onRejected = onRejected;
  }

  *resource({ attributes, scopes }: ResourceMetrics): Generator<WrittenSeries> {
    for (const { scope, metrics } of scopes) {
      const shared = new SharedLabels(attributes, scope, this.#settings);
      for (const metric of metrics) yield* this.#metric(metric, shared);
    }
  }

  *#metric({ name: given, unit, data }: Metric, shared: SharedLabels): Generator<WrittenSeries> {
    const name = metricName({ name: given, unit, type: typeOf(data) }, this.#settings.naming.strategy);
    const reject = (why: string): void => this.#onRejected(data.points.length, `the metric ${JSON.stringify(given)}: ${why}`);
    if (data.points.length === 0) return;
    if (name === "") return reject("its name has no character that a name can have");
    if ("isDelta" in data && data.isDelta) return reject("its points are deltas: only cumulative ones are stored");
    if (data.is === "gauge" || data.is === "sum")
      for (const point of data.points)
        yield this.#number(shared.of(name, point.attributes), point, typeOf(data) === "counter" ? point.exemplars : []);
    else if (data.is === "summary") for (const point of data.points) yield* this.#summary(name, point, shared);
    else if (data.is === "exponential histogram") {
      for (const point of data.points) {
        const histogram = exponential(point);
        if (typeof histogram === "string") this.#onRejected(1, `the metric ${JSON.stringify(given)}: ${histogram}`);
        else if (point.isStale) yield this.#float(shared.of(name, point.attributes), point, 0);
        else yield this.#native(shared.of(name, point.attributes), point, histogram);
      }
    } else for (const point of data.points) yield* this.#histogram({ given, name }, point, shared);
  }

  *#histogram(
    { given, name }: { readonly given: string; readonly name: string },
    point: HistogramPoint,
    shared: SharedLabels,
  ): Generator<WrittenSeries> {
    const { attributes, bounds, counts, count, sum } = point;
    if (this.#settings.toCustomBuckets && !point.isStale) {
      const histogram = customBuckets(point);
      if (typeof histogram === "string") this.#onRejected(1, `the metric ${JSON.stringify(given)}: ${histogram}`);
      else yield this.#native(shared.of(name, attributes), point, histogram);
      return;
    }
    if (sum !== undefined) yield this.#float(shared.of(`${name}_sum`, attributes), point, sum);
    yield this.#float(shared.of(`${name}_count`, attributes), point, count);
    let below = 0;
    let last = -Infinity;
    const within = (bound: number): readonly PointExemplar[] => point.exemplars.filter(({ value }) => value > last && value <= bound);
    for (const [at, bound] of bounds.entries()) {
      if (bound === Infinity || at >= counts.length) break;
      below += counts[at]!;
      yield this.#float(shared.of(`${name}_bucket`, attributes, [["le", decimal(bound)]]), point, below, within(bound));
      last = bound;
    }
    yield this.#float(shared.of(`${name}_bucket`, attributes, [["le", "+Inf"]]), point, count, within(Infinity));
  }

  *#summary(name: string, point: SummaryPoint, shared: SharedLabels): Generator<WrittenSeries> {
    const { attributes, sum, count, quantiles } = point;
    yield this.#float(shared.of(`${name}_sum`, attributes), point, sum);
    yield this.#float(shared.of(`${name}_count`, attributes), point, count);
    for (const { quantile, value } of quantiles)
      yield this.#float(shared.of(name, attributes, [["quantile", decimal(quantile)]]), point, value);
  }

  /** From the first to the last point of the resource, twice as often as a sample stays current. */
  *targetInfo({ attributes, scopes }: ResourceMetrics): Generator<WrittenSeries> {
    const { naming, keepsIdentifying, lookbackMs } = this.#settings;
    const about = [...attributes].filter(([name]) => !IDENTIFYING.has(name));
    const who = identity(attributes);
    if (about.length === 0 || who.size === 0) return;
    let [first, last] = [Infinity, -Infinity];
    for (const { data } of scopes.flatMap(({ metrics }) => metrics))
      for (const { time } of data.points) [first, last] = [Math.min(first, time), Math.max(last, time)];
    if (first > last || last - first > MOST_REPEATED * lookbackMs) return;
    const labels = attributeLabels(new Map(keepsIdentifying ? attributes : about), naming);
    for (const [name, value] of who) labels.set(name, value);
    labels.set(METRIC_NAME, "target_info");
    yield this.#begin(labels, ({ times, values, isStale }) => {
      const at = (time: number): void => void [times.push(time), values.push(1), isStale.push(false)];
      for (let time = first; time < last; time += lookbackMs / 2) at(Math.floor(time));
      at(last);
    });
  }

  #number(labels: LabelMap, point: NumberPoint, exemplars: readonly PointExemplar[]): WrittenSeries {
    return this.#float(labels, point, point.value, exemplars);
  }

  #native(labels: LabelMap, { time, exemplars }: HistogramPoint | ExponentialPoint, histogram: Histogram): WrittenSeries {
    return this.#begin(labels, (series) => {
      series.histograms.push({ time, histogram });
      this.#exemplars(series, exemplars);
    });
  }

  /** Of one series, by time. */
  #exemplars(series: WrittenSeries, all: readonly PointExemplar[]): void {
    const made = all.map((one) => exemplarOf(one, this.#settings.naming));
    series.exemplars.push(...made.sort((a, b) => a.time - b.time));
  }

  // oxlint-disable-next-line max-params -- a series and all that its point has
  #float(
    labels: LabelMap,
    { time, isStale }: Pick<NumberPoint, "time" | "isStale">,
    value: number,
    exemplars: readonly PointExemplar[] = [],
  ): WrittenSeries {
    return this.#begin(labels, (series) => {
      this.#exemplars(series, exemplars);
      series.times.push(time);
      series.values.push(value);
      series.isStale.push(isStale);
    });
  }

  #begin(labels: LabelMap, fill: (series: WrittenSeries) => unknown): WrittenSeries {
    const series = this.#series;
    series.clear();
    if (labels.size > MOST_LABELS) series.fault = `it has more than ${MOST_LABELS} labels`;
    for (const [name, value] of labels) series.labels.addText(name, value);
    fill(series);
    return series;
  }
}

const typeOf = (data: MetricData): "gauge" | "counter" | "other" =>
  data.is === "gauge" ? "gauge" : data.is === "sum" && data.isMonotonic ? "counter" : "other";

/** A bound or a quantile without an exponent. */
function decimal(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toLocaleString("en-US", { useGrouping: false, maximumSignificantDigits: 17 }) : text;
}
