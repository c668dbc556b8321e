import { instant, increase, rate, resets, type Timed } from "../changes.ts";
import { BEGIN } from "../../../../data/data-set.ts";
import { timeOf, TURN } from "../../../../data/native.ts";
import { quantile } from "../estimate.ts";
import { type Gives, nameless, none, ofEach, overTime, type Row, selected, type Value, within } from "../expected.ts";
import { added, over, shown } from "../histogram.ts";
import type { NativeGroup, NativeQuestion } from "../question.ts";

type Where = Readonly<Record<string, readonly string[]>>;
type Change = (samples: readonly Timed[], from: number, to: number) => Value | undefined;
const counter: Change = (samples, from, to) => increase(samples, from, to, "counter");
const gauge: Change = (samples, from, to) => increase(samples, from, to, "gauge");
const total: Change = (samples) => added(samples.map(([, one]) => one));
const mean: Change = (samples) => {
  const sum = added(samples.map(([, one]) => one));
  return sum === undefined ? undefined : over(sum, samples.length);
};

/** A range of a metric: its name, the minutes, and the labels that select series. */
type Of = readonly [metric: string, minutes: number, where?: Where];

const call = (name: string, [metric, minutes, where]: Of, change: Change): NativeQuestion => ({
  expr: `${name}(${metric}${matchers(where)}[${minutes}m])`,
  gives: overTime(metric, minutes * 60, change, where),
});
const matchers = (where: Where = {}): string => {
  const written = Object.entries(where).map(([label, some]) => `${label}=~"${some.join("|")}"`);
  return written.length === 0 ? "" : `{${written.join(",")}}`;
};
const how = (name: string) => ({ how: [name] });
const TURNS = ["sum-falls", "bucket-falls", "bucket-goes", "zero-falls", "finer", "coarser", "narrower", "wider"] as const;
const STEADY = { pod: ["a", "b", "c"] };
/** A function of every sample, float or histogram. */
const ofAny =
  (metric: string, minutes: number, change: (values: readonly Value[]) => Value | undefined, keepsName = false): Gives =>
  (time) =>
    within(metric, minutes * 60, time).flatMap(({ labels, samples }): Row[] => {
      const made = change(samples.map(([, value]) => value));
      return made === undefined ? [] : [[keepsName ? labels : nameless(labels), made]];
    });
/** The number of histograms that differ from the one before. */
const changes: Change = (samples) =>
  samples.slice(1).filter(([, one], at) => JSON.stringify(shown(one)) !== JSON.stringify(shown(samples[at]![1]))).length;

/** Functions over time of histograms. */
export const overTimes: readonly NativeGroup[] = [
  {
    rule: "functions.rate/histograms",
    ask: {
      rate: call("rate", ["native_seconds", 10, STEADY], rate),
      "rate-of-a-restart": call("rate", ["native_seconds", 10, { pod: ["d"] }], rate),
      "rate-over-gaps": call("rate", ["native_gappy", 10], rate),
      "rate-of-custom-buckets": { ...call("rate", ["native_custom", 5], rate), needs: ["custom buckets"] },
      "rate-of-a-custom-restart": { ...call("rate", ["native_custom_turns", 10], rate), needs: ["custom buckets"] },
      "rate-of-one": { expr: "rate(native_seconds[1m])", gives: none },
      "rate-quantile": {
        expr: 'histogram_quantile(0.75, rate(native_seconds{pod=~"a|b|c"}[10m]))',
        gives: ofEach(overTime("native_seconds", 600, rate, STEADY), (one) => quantile(0.75, one)),
      },
      "rate-counted": {
        expr: 'histogram_count(rate(native_seconds{pod=~"a|b|c|d"}[10m]))',
        gives: ofEach(overTime("native_seconds", 600, rate, { pod: ["a", "b", "c", "d"] }), ({ count }) => count),
      },
      "rate-of-a-subquery": {
        expr: 'histogram_count(rate(native_seconds{pod="a"}[10m:1m]))',
        gives: (time) => [[{ pod: "a" }, (5 * steps(time)) / 600]],
      },
    },
  },
  {
    rule: "functions.increase/histograms",
    ask: {
      increase: call("increase", ["native_seconds", 10, STEADY], counter),
      "increase-of-a-restart": call("increase", ["native_seconds", 7, { pod: ["d"] }], counter),
      ...Object.fromEntries(TURNS.map((one) => [`increase-${one}`, call("increase", ["native_turns", 10, how(one)], counter)])),
    },
  },
  {
    rule: "functions.increase/histograms",
    once: true,
    ask: { "increase-from-zero": call("increase", ["native_seconds", 10, { pod: ["e"] }], counter) },
  },
  {
    rule: "functions.irate/histograms",
    needs: ["histogram operations"],
    ask: {
      irate: call("irate", ["native_seconds", 5, STEADY], (samples) => instant(samples, "counter")),
      "irate-over-a-gap": call("irate", ["native_gappy", 12, { kind: ["none", "short"] }], (samples) => instant(samples, "counter")),
    },
  },
  {
    rule: "functions.irate/histograms",
    needs: ["histogram operations"],
    once: true,
    ask: {
      "irate-of-a-restart": {
        ...call("irate", ["native_seconds", 5, { pod: ["d"] }], (samples) => instant(samples, "counter")),
        at: timeOf(TURN) + 9,
      },
    },
  },
  {
    rule: "functions.delta/histograms",
    ask: {
      delta: call("delta", ["native_bytes", 10], gauge),
      "delta-of-a-short-time": call("delta", ["native_bytes", 3], gauge),
    },
  },
  {
    rule: "functions.idelta/histograms",
    needs: ["histogram operations"],
    ask: { idelta: call("idelta", ["native_bytes", 5], (samples) => instant(samples, "gauge")) },
  },
  {
    rule: "functions.resets/histograms",
    needs: ["histogram operations"],
    ask: {
      resets: call("resets", ["native_turns", 10], resets),
      "resets-of-a-restart": call("resets", ["native_seconds", 10], resets),
    },
  },
  {
    rule: "functions.changes/histograms",
    needs: ["histogram operations"],
    ask: { changes: call("changes", ["native_bytes", 7], changes) },
  },
  {
    rule: "functions.aggregation-over-time/histograms",
    needs: ["histogram operations"],
    ask: {
      "sum-over-time": call("sum_over_time", ["native_bytes", 5], total),
      "sum-over-time-of-counters": call("sum_over_time", ["native_seconds", 4, STEADY], total),
      "avg-over-time": call("avg_over_time", ["native_bytes", 4], mean),
      "avg-over-time-of-two-widths": call("avg_over_time", ["native_turns", 10, how("wider")], mean),
      "avg-over-time-of-two-schemas": call("avg_over_time", ["native_turns", 10, how("coarser")], mean),
      "last-over-time": { expr: "last_over_time(native_gappy[10m])", gives: ofAny("native_gappy", 10, (all) => all.at(-1), true) },
      "max-over-time-of-histograms": { expr: "max_over_time(native_seconds[10m])", gives: none },
    },
  },
  {
    rule: "functions.aggregation-over-time/histograms",
    ask: {
      "count-over-time": { expr: "count_over_time(native_gappy[10m])", gives: ofAny("native_gappy", 10, (all) => all.length) },
      "present-over-time": { expr: "present_over_time(native_gappy[10m])", gives: ofAny("native_gappy", 10, () => 1) },
      "first-over-time": {
        expr: "first_over_time(native_gappy[10m])",
        gives: ofAny("native_gappy", 10, (all) => all[0], true),
        needs: ["first over time"],
      },
    },
  },
  {
    rule: "functions.timestamp/histograms",
    ask: {
      timestamp: {
        expr: "timestamp(native_bytes)",
        gives: (time) => selected("native_bytes")(time).map(([{ pod = "" }]) => [{ pod }, BEGIN + sampleTime(time)] as const),
      },
      absent: { expr: "absent(native_seconds)", gives: none },
    },
  },
  {
    rule: "functions.timestamp/histograms",
    needs: ["experimental functions"],
    // No series of the data set describes the targets of these, so they stay as they are.
    ask: { "info-of-histograms": { expr: "info(native_bytes)", gives: selected("native_bytes") } },
  },
];

/** The steps of a ten-minute subquery with a step of one minute; its ends are those of the range. */
function steps(time: number): number {
  const first = Math.floor((time - 600) / 60) * 60 + 60;
  const last = Math.floor(time / 60) * 60;
  const count = (time: number): number => Math.floor((time - timeOf(0)) / 60) + 1;
  return ((count(last) - count(first)) * 600) / (last - first);
}

const sampleTime = (time: number): number => timeOf(Math.floor((time - timeOf(0)) / 60));
