import { type Columns, equalHistograms, type Histogram, isCustom, Labels, orderedBuckets } from "../../reference/metrics/model/index.ts";
import { type Annotation, formatNumber, type QueryResult, type Sample } from "../../reference/metrics/promql/index.ts";
import type { Demands, Evaluation, Outcome, Row, Wording } from "./script.ts";

/** The relative tolerance for floats: results depend on the order of additions and on the library's power function. */
const TOLERANCE = 1e-9;

/** The mistake in the result of a case, if any. */
export function judge({ demands, outcome, when }: Evaluation, result: QueryResult): string | undefined {
  const remark = judgeAnnotations(demands, result);
  if (remark !== undefined) return remark;
  const { value } = result;
  switch (outcome.is) {
    case "scalar":
      if (value.is !== "scalar") return `a ${value.is}, not a scalar`;
      return isNear(value.value, outcome.value) ? undefined : `${formatNumber(value.value)}, not ${formatNumber(outcome.value)}`;
    case "string":
      if (value.is !== "string") return `a ${value.is}, not a string`;
      return value.text === outcome.value ? undefined : `the string ${JSON.stringify(value.text)}, not ${JSON.stringify(outcome.value)}`;
    case "matrix":
    case "series":
      return judgeSeries(outcome, demands.ordered, timesOf(outcome, when), found(result));
  }
}

/** The mistake in a failure, if any: it was not expected, or has the wrong message. */
export function judgeFailure({ demands }: Evaluation, message: string): string | undefined {
  if (demands.fail === undefined) return `it failed: ${message}`;
  return fits(demands.fail, message) ? undefined : `it failed with a different message: ${message}`;
}

function judgeAnnotations({ warn, info }: Demands, { warnings, infos }: QueryResult): string | undefined {
  return judgeLevel("warning", warn, warnings) ?? judgeLevel("info", info, infos);
}

function judgeLevel(level: string, demanded: readonly Wording[] | "none", given: readonly Annotation[]): string | undefined {
  const messages = given.map(({ message }) => `PromQL ${level}: ${message}`);
  if (demanded === "none") return messages.length === 0 ? undefined : `unexpected ${level}: ${messages[0]}`;
  const missed = demanded.find((wording) => !messages.some((message) => fits(wording, message)));
  if (missed === undefined) return undefined;
  return `no ${level}${missed.is === "any" ? "" : ` is ${missed.is === "text" ? missed.text : missed.pattern}`}; there are: ${messages.join("; ")}`;
}

const fits = (wording: Wording, message: string): boolean => {
  if (wording.is === "any") return true;
  return wording.is === "text" ? message === wording.text : new RegExp(wording.pattern, "u").test(message);
};

/** A series of a result, with its samples by time. */
type Found = { readonly labels: Labels; readonly samples: ReadonlyMap<number, Sample> };

function found({ value }: QueryResult): Found[] {
  if (value.is === "vector") {
    return value.elements.map(({ labels, value: float, histogram }) => ({
      labels,
      samples: new Map([[value.timeMs, sampleOf(float, histogram)]]),
    }));
  }
  if (value.is === "matrix") return Array.from(value.series(), ([labels, columns]) => ({ labels, samples: samplesOf(columns) }));
  const float = value.is === "scalar" ? value.value : Number.NaN;
  return [{ labels: Labels.NONE, samples: new Map([[value.timeMs, sampleOf(float, undefined)]]) }];
}

const sampleOf = (value: number, histogram: Histogram | undefined): Sample =>
  histogram === undefined ? { is: "float", value } : { is: "histogram", value: histogram };

function samplesOf({ times, values, histograms, length }: Columns): Map<number, Sample> {
  return new Map(Array.from({ length }, (_, row) => [times[row] ?? 0, sampleOf(values[row] ?? 0, histograms?.[row])]));
}

type SeriesOutcome = Extract<Outcome, { readonly rows: readonly Row[] }>;

/** The time of the nth sample of a row. */
function timesOf(outcome: SeriesOutcome, when: Evaluation["when"]): (at: number) => number {
  if (outcome.is === "matrix") return (at) => outcome.startMs + at * outcome.stepMs;
  return when.is === "instant" ? () => when.atMs : (at) => when.startMs + at * when.stepMs;
}

function judgeSeries(
  { rows }: SeriesOutcome,
  isOrdered: boolean,
  timeOf: (at: number) => number,
  given: readonly Found[],
): string | undefined {
  const byKey = new Map(given.map((each) => [each.labels.key, each] as const));
  if (byKey.size < given.length) return "a series is repeated";
  for (const [at, { labels, samples }] of rows.entries()) {
    const own = byKey.get(labels.key);
    if (own === undefined) return `${labels} is missing; there are: ${given.map((each) => String(each.labels)).join(" ")}`;
    if (isOrdered && given[at]?.labels.equals(labels) !== true) return `${given[at]?.labels} is in the place of ${labels}`;
    const wanted = new Map(samples.flatMap((sample, step) => (sample === undefined ? [] : [[timeOf(step), sample] as const])));
    for (const [time, sample] of wanted) {
      const got = own.samples.get(time);
      if (got === undefined || !areAlike(sample, got)) return `${labels} has ${words(got)} at ${time / 1_000} s, not ${words(sample)}`;
    }
    const extra = [...own.samples].find(([time]) => !wanted.has(time));
    if (extra !== undefined) return `${labels} has ${words(extra[1])} at ${extra[0] / 1_000} s, where nothing is expected`;
  }
  const unexpected = given.find(({ labels }) => !rows.some((row) => row.labels.equals(labels)));
  return unexpected === undefined ? undefined : `${unexpected.labels} is unexpected`;
}

function words(sample: Sample | undefined): string {
  if (sample === undefined) return "nothing";
  if (sample.is === "stale") return "a staleness marker";
  return sample.is === "float" ? formatNumber(sample.value) : JSON.stringify(sample.value);
}

function areAlike(wanted: Sample, got: Sample): boolean {
  if (wanted.is === "float" && got.is === "float") return isNear(wanted.value, got.value);
  return wanted.is === "histogram" && got.is === "histogram" && areNear(wanted.value, got.value);
}

export const isNear = (a: number, b: number): boolean =>
  a === b ||
  (a !== a && b !== b) ||
  (Number.isFinite(a) && Number.isFinite(b) && Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b)));

/** Compares buckets by their bounds, independent of spans, and the hint only if one is expected. */
function areNear(wanted: Histogram, got: Histogram): boolean {
  if (wanted.resetHint !== "unknown" && wanted.resetHint !== got.resetHint) return false;
  if (equalHistograms(wanted, got)) return true;
  const [a, b] = [orderedBuckets(wanted), orderedBuckets(got)];
  const isSameLayout = isCustom(wanted) ? String(wanted.bounds) === String(got.bounds) : isNear(wanted.zeroThreshold, got.zeroThreshold);
  const areBucketsNear =
    a.length === b.length &&
    a.every((own, at) => own.lower === b[at]?.lower && own.upper === b[at]?.upper && isNear(own.count, b[at].count));
  return wanted.schema === got.schema && isSameLayout && isNear(wanted.count, got.count) && isNear(wanted.sum, got.sum) && areBucketsNear;
}
