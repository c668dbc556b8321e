import { crc32 } from "node:zlib";
import type { WrittenHistogram } from "./kinds.ts";
import type { LifeAnswer, LifeBlock, LifeMatcher, LifeRange, LifeRow, LifeSamples, LifeStats, LifeStep, LifeTables, LifeValue, LifeVector } from "./life-kinds.ts";

/** Answers with more samples are abbreviated. */
const MOST = 24;
type Options = LifeVector["options"];
type Refused = readonly (readonly [row: number, reason: string])[];

/** The lines of samples whose CRC-32 stands for them. */
const linesOf = (samples: readonly (readonly [number, LifeValue])[]): string => samples.map(([time, value]) => `${time} ${value}\n`).join("");
export const briefOf = (samples: readonly (readonly [number, LifeValue])[]): LifeSamples =>
  samples.length <= MOST ? samples : { count: samples.length, first: samples[0]!, last: samples.at(-1)!, crc32: crc32(linesOf(samples)) };
export const filled = (n: number, k: number, { step, modulo }: { readonly step: number; readonly modulo: number }): number => ((n * step) % modulo) + k;

/**
 * Writes the script of a storage's life. It keeps what a storage has to show in plain maps: for each series its samples by time. What is refused is
 * said by the author.
 */
export class Life {
  readonly #series: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly #options: Options;
  readonly #histograms: Readonly<Record<string, WrittenHistogram>>;
  readonly #steps: LifeStep[] = [];
  readonly #held = new Map<string, Map<number, LifeValue>>();
  #viewed: LifeAnswer = {};

  constructor(series: Life["series"], options: Partial<Options> = {}, histograms: Life["histograms"] = {}) {
    this.#series = series;
    this.#options = { blockRange: 1_000, window: 0, retentionMs: 0, retentionOctets: 0, segmentOctets: 4_096, ...options };
    this.#histograms = histograms;
  }
  get series(): Readonly<Record<string, Readonly<Record<string, string>>>> {
    return this.#series;
  }
  get histograms(): Readonly<Record<string, WrittenHistogram>> {
    return this.#histograms;
  }

  append(rows: readonly LifeRow[], refused: Refused = []): this {
    this.#steps.push({ do: "append", rows, ...(refused.length === 0 ? {} : { refused }) });
    const isOut = new Set(refused.map(([row]) => row));
    for (const [row, [series, time, value]] of rows.entries()) if (!isOut.has(row)) this.#put(series, time, value);
    return this;
  }
  rollback(rows: readonly LifeRow[]): this {
    this.#steps.push({ do: "append", rows, rollback: true });
    return this;
  }
  each(series: readonly string[], from: number, to: number, { every = 10, step = 1, modulo = 1_000_000_007, compact = false } = {}): this {
    this.#steps.push({ do: "fill", series, from, to, every, step, modulo, ...(compact ? { compact } : {}) });
    for (const [k, one] of series.entries()) {
      for (let time = from, n = 0; time <= to; time += every, n++) this.#put(one, time, filled(n, k, { step, modulo }));
    }
    return this;
  }
  #put(series: string, time: number, value: LifeValue): void {
    const samples = this.#held.get(series) ?? new Map<number, LifeValue>();
    this.#held.set(series, samples);
    // The first of several values at one time stays.
    if (!samples.has(time)) samples.set(time, value);
  }

  /** Asks for series by their names in the vector, by default all of them. */
  query(match: readonly LifeMatcher[] = ALL, range: LifeRange = {}): this {
    this.#steps.push({ do: "query", match, ...range, answer: this.#answer(match, range) });
    return this;
  }
  view(): this {
    this.#steps.push({ do: "view" });
    this.#viewed = this.#answer(ALL, {});
    return this;
  }
  viewed(): this {
    this.#steps.push({ do: "viewed", answer: this.#viewed });
    return this;
  }
  names(match: readonly LifeMatcher[] = []): this {
    const found = this.#matching(match).flatMap((key) => Object.keys(this.#series[key] ?? {}));
    this.#steps.push({ do: "names", match, names: [...new Set(found)].sort() });
    return this;
  }
  values(name: string, match: readonly LifeMatcher[] = []): this {
    const found = this.#matching(match).flatMap((key) => this.#series[key]?.[name] ?? []);
    this.#steps.push({ do: "values", name, match, values: [...new Set(found)].sort() });
    return this;
  }
  delete(match: readonly LifeMatcher[], range: LifeRange = {}): this {
    this.#steps.push({ do: "delete", match, ...range });
    for (const key of this.#matching(match)) {
      const samples = this.#held.get(key)!;
      for (const time of samples.keys()) if (isWithin(time, range)) samples.delete(time);
      if (samples.size === 0) this.#held.delete(key);
    }
    return this;
  }
  /** Samples that the storage no longer has, by retention or damage: of all series or of one. */
  forget(range: LifeRange, of?: string): this {
    for (const [key, samples] of this.#held) for (const time of samples.keys()) if ((of ?? key) === key && isWithin(time, range)) samples.delete(time);
    return this;
  }
  /** Damages a file of the closed storage, and opens it again: what is lost has been forgotten. */
  damage(file: string, how: { readonly at?: number; readonly xor?: number; readonly cut?: number; readonly add?: string }, reports = 1): this {
    return this.step({ do: "damage", file, ...how, reports });
  }
  step(step: LifeStep): this {
    this.#steps.push(step);
    return this;
  }
  compact(now = 0, reports = 0): this {
    return this.step({ do: "compact", now, ...(reports === 0 ? {} : { reports }) });
  }
  flush(now = 0): this {
    return this.step({ do: "flush", now });
  }
  clean(now = 0): this {
    return this.step({ do: "clean", now });
  }
  restart(): this {
    return this.step({ do: "restart" });
  }
  kill(): this {
    return this.step({ do: "kill" });
  }
  blocks(...blocks: readonly LifeBlock[]): this {
    return this.step({ do: "blocks", blocks });
  }

  stats(stats: LifeStats, tables?: LifeTables): this {
    return this.step({ do: "stats", stats, ...(tables === undefined ? {} : { tables }) });
  }

  /** The vector. */
  written(note: string, spec: string, flag: string): Omit<LifeVector, "id"> {
    const histograms = Object.keys(this.#histograms).length === 0 ? {} : { histograms: this.#histograms };
    return { note, spec, options: this.#options, series: this.#series, ...histograms, steps: this.#steps, result: "valid", flags: [flag] };
  }

  #matching(match: readonly LifeMatcher[]): string[] {
    return Object.entries(this.#series)
      .filter(([key, labels]) => this.#held.has(key) && match.every((one) => isMatch(labels, one)))
      .map(([key]) => key);
  }
  #answer(match: readonly LifeMatcher[], range: LifeRange): LifeAnswer {
    const answer: Record<string, LifeSamples> = {};
    for (const key of this.#matching(match)) {
      const samples = [...this.#held.get(key)!].filter(([time]) => isWithin(time, range)).sort(([a], [b]) => a - b);
      if (samples.length > 0) answer[key] = briefOf(samples);
    }
    return answer;
  }
}

const ALL: readonly LifeMatcher[] = [["none", "=", ""]];
const isWithin = (time: number, { from = -Infinity, to = Infinity }: LifeRange): boolean => time >= from && time <= to;
function isMatch(labels: Readonly<Record<string, string>>, [name, operator, value]: LifeMatcher): boolean {
  const text = labels[name] ?? "";
  if (operator === "=" || operator === "!=") return (text === value) === (operator === "=");
  return new RegExp(`^(?:${value})$`, "su").test(text) === (operator === "=~");
}

/** A block of these times with one chunk of at most 120 samples for each series, unless said otherwise. */
export const block = (minTime: number, maxTime: number, [series, samples, chunks = series, level = 1, tombstones = 0]: readonly number[]): LifeBlock => ({
  minTime,
  maxTime,
  series: series!,
  samples: samples!,
  chunks: chunks!,
  level,
  ...(tombstones === 0 ? {} : { tombstones }),
});
