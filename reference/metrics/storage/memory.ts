import { Columns, compareLabels, compareText, equalHistograms, type Histogram, type Labels, type Matcher } from "../model/index.ts";
import { type Exemplar, ExemplarStore } from "./exemplars.ts";
import type { Appendable, Appender, AppendRefusal, Querier, Queryable, SelectHints, Series } from "./contract.ts";

/** The samples of one series, ascending by time. */
class MemorySeries implements Series {
  readonly labels: Labels;
  readonly samples = new Columns();

  constructor(labels: Labels) {
    this.labels = labels;
  }

  read(into: Columns, start: number, end: number): void {
    const { samples } = this;
    const first = samples.rowAt(start);
    const last = samples.rowAt(end + 1, first);
    const isPlain = samples.histograms === undefined && into.length === 0;
    if (isPlain && into.times.length >= last - first) {
      into.times.set(samples.times.subarray(first, last));
      into.bits.set(samples.bits.subarray(first * 2, last * 2));
      into.length = last - first;
      return;
    }
    for (let row = first; row < last; row++) {
      const histogram = samples.histograms?.[row];
      const time = samples.times[row] ?? 0;
      if (histogram === undefined) into.pushBits(time, samples.bits[row * 2 + 1] ?? 0, samples.bits[row * 2] ?? 0);
      else into.pushHistogram(time, histogram);
    }
  }
}

type Pending = { readonly series: MemorySeries; readonly put: (samples: Columns) => void };

type Sample = { readonly time: number; readonly value: number | Histogram | "stale" };

function lastOf(samples: Columns): Sample | undefined {
  const row = samples.length - 1;
  if (row < 0) return undefined;
  const value = samples.isStale(row) ? "stale" : (samples.histograms?.[row] ?? samples.values[row] ?? 0);
  return { time: samples.times[row] ?? 0, value };
}

const isSame = ({ value: a }: Sample, { value: b }: Sample): boolean =>
  typeof a === "object" && typeof b === "object" ? equalHistograms(a, b) : Object.is(a, b);

/**
 * A storage that is a list of series in memory, for tests and examples. It keeps everything, and a reader sees samples that are appended while it
 * reads.
 */
export class MemoryStorage implements Queryable, Appendable {
  readonly #series: MemorySeries[] = [];
  readonly #byKey = new Map<string, number>();
  readonly exemplars = new ExemplarStore(1_000);
  /** By label name, then by value: an equality matcher need not look at all series. */
  readonly #postings = new Map<string, Map<string, MemorySeries[]>>();

  /** Like storages of blocks, it returns no samples outside the times that it is opened for. */
  querier(from = -Infinity, to = Infinity): Querier {
    return {
      select: (matchers, start, end, hints) =>
        this.#select(matchers, Math.max(start, from), Math.min(end, to), hints).map((series) => ({
          labels: series.labels,
          read: (into, first, last) => series.read(into, Math.max(first, from), Math.min(last, to)),
        })),
      labelNames: (sets, start, end) =>
        [...new Set(this.#matched(sets, start, end).flatMap((labels) => [...labels].map(([name]) => name)))].sort(compareText),
      labelValues: (name, sets, start, end) =>
        [...new Set(this.#matched(sets, start, end).map((labels) => labels.get(name)))].filter((value) => value !== "").sort(compareText),
      close: () => {},
    };
  }

  appender(): Appender {
    const pending: Pending[] = [];
    const latest = new Map<number, Sample>();
    const exemplars: (readonly [series: Labels, exemplar: Exemplar])[] = [];
    const append = (id: number, sample: Sample, put: (samples: Columns) => void): AppendRefusal | undefined => {
      const series = this.#series[id];
      if (series === undefined) return "out of bounds";
      const last = latest.get(id) ?? lastOf(series.samples);
      if (last !== undefined && sample.time === last.time) return isSame(sample, last) ? undefined : "duplicate sample for timestamp";
      if (last !== undefined && sample.time < last.time) return "out of order sample";
      latest.set(id, sample);
      pending.push({ series, put });
      return undefined;
    };
    return {
      series: (labels) => this.#idOf(labels),
      seriesOf: (labels) => this.#idOf(labels.toLabels()),
      append: (id, time, value) => append(id, { time, value }, (samples) => samples.push(time, value)),
      appendStale: (id, time) => append(id, { time, value: "stale" }, (samples) => samples.pushStale(time)),
      appendHistogram: (id, time, histogram: Histogram) =>
        append(id, { time, value: histogram }, (samples) => samples.pushHistogram(time, histogram)),
      appendExemplar: (id, exemplar, isTimed = true) => {
        const labels = this.#series[id]?.labels;
        if (labels === undefined) return "unknown series";
        const verdict = this.exemplars.judge(labels, exemplar, isTimed);
        if (verdict === "new") exemplars.push([labels, exemplar]);
        return verdict;
      },
      commit: () => {
        for (const [labels, exemplar] of exemplars.splice(0)) this.exemplars.add(labels, exemplar);
        for (const { series, put } of pending.splice(0)) put(series.samples);
      },
      rollback: () => {
        pending.length = 0;
        exemplars.length = 0;
      },
    };
  }

  #idOf(labels: Labels): number {
    const known = this.#byKey.get(labels.key);
    if (known !== undefined) return known;
    const series = new MemorySeries(labels);
    this.#byKey.set(labels.key, this.#series.length);
    for (const [name, value] of labels) {
      const byValue = this.#postings.get(name) ?? new Map<string, MemorySeries[]>();
      this.#postings.set(name, byValue);
      const list = byValue.get(value) ?? [];
      byValue.set(value, list);
      list.push(series);
    }
    return this.#series.push(series) - 1;
  }

  #select(matchers: readonly Matcher[], start: number, end: number, hints: SelectHints = {}): Series[] {
    const exact = matchers.find(({ operator, value }) => operator === "=" && value !== "");
    const candidates = exact === undefined ? this.#series : (this.#postings.get(exact.name)?.get(exact.value) ?? []);
    const found = candidates.filter(({ labels, samples }) => {
      const row = samples.rowAt(start);
      return (
        row < samples.length && (samples.times[row] ?? 0) <= end && matchers.every((matcher) => matcher.matches(labels.get(matcher.name)))
      );
    });
    if (hints.sorted === true) found.sort((a, b) => compareLabels(a.labels, b.labels));
    return hints.limit === undefined ? found : found.slice(0, hints.limit);
  }

  #matched(sets: readonly (readonly Matcher[])[], start: number, end: number): Labels[] {
    const all = sets.length === 0 ? [[]] : sets;
    return all.flatMap((matchers) => this.#select(matchers, start, end)).map(({ labels }) => labels);
  }
}
