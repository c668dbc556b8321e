import type { Histogram, Labels } from "../../reference/metrics/model/index.ts";
import { formatNumber, type Sample } from "../../reference/metrics/promql/index.ts";
import type { Outcome, Row, Script, Step } from "./script.ts";

/**
 * A script as JSON, for runners that do not parse its text: schema `promql-script-v1`. Floats are strings (`NaN`, `+Inf`), times are
 * milliseconds, a missing sample is null.
 */
export const scriptJson = (script: Script) => ({ schema: "../schema/promql-script-v1.json", steps: script.steps.map(stepJson) });

function stepJson(step: Step) {
  if (step.is === "clear") return step;
  if (step.is === "load") return { ...step, rows: step.rows.map(rowJson) };
  return { ...step, demands: { ...step.demands, fail: step.demands.fail ?? null }, outcome: outcomeJson(step.outcome) };
}

function outcomeJson(outcome: Outcome) {
  if (outcome.is === "string") return outcome;
  if (outcome.is === "scalar") return { is: outcome.is, value: formatNumber(outcome.value) };
  return { ...outcome, rows: outcome.rows.map(rowJson) };
}

const rowJson = ({ labels, samples, line }: Row) => ({ labels: labelsJson(labels), samples: samples.map(sampleJson), line });

function labelsJson({ flat }: Labels): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at] ?? "", flat[2 * at + 1] ?? ""]));
}

function sampleJson(sample: Sample | undefined) {
  if (sample === undefined) return null;
  if (sample.is === "stale") return "stale";
  return sample.is === "float" ? formatNumber(sample.value) : histogramJson(sample.value);
}

function histogramJson(histogram: Histogram) {
  const { zeroThreshold, zeroCount, count, sum, positive, negative, bounds } = histogram;
  return {
    schema: histogram.schema,
    zeroThreshold: formatNumber(zeroThreshold),
    zeroCount: formatNumber(zeroCount),
    count: formatNumber(count),
    sum: formatNumber(sum),
    positiveSpans: histogram.positiveSpans,
    positive: positive.map(formatNumber),
    negativeSpans: histogram.negativeSpans,
    negative: negative.map(formatNumber),
    bounds: bounds.map(formatNumber),
    resetHint: histogram.resetHint,
  };
}
