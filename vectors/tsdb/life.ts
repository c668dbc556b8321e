import { randomFillSync } from "node:crypto";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { realFiles } from "../../reference/io/index.ts";
import { Columns, type Histogram, Labels, Matcher } from "../../reference/metrics/model/index.ts";
import type { Querier } from "../../reference/metrics/storage/index.ts";
import { Database } from "../../reference/metrics/tsdb/index.ts";
import { briefOf, filled } from "./source/life-craft.ts";
import type { LifeAnswer, LifeMatcher, LifeStats, LifeStep, LifeTables, LifeValue, LifeVector } from "./source/life-kinds.ts";

/** A later process has other random names. */
const [FIRST, LAST] = [-(2 ** 50), 2 ** 50];

type Step<Do extends LifeStep["do"]> = Extract<LifeStep, { do: Do }>;

/** Plays the life of a storage in a real directory. Each step returns what it showed, and what it had to show. */
export class Player {
  readonly #vector: LifeVector;
  readonly #folder = mkdtempSync(join(tmpdir(), "touchstone-life-"));
  #directory = join(this.#folder, "0");
  #directories = 1;
  #database: Database;
  #view: Querier | undefined;

  constructor(vector: LifeVector) {
    this.#vector = vector;
    this.#database = this.#open();
  }
  close(): void {
    this.#view?.close();
    this.#database.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  play(step: LifeStep): { readonly shown: unknown; readonly due: unknown } {
    const database = this.#database;
    switch (step.do) {
      case "append":
        return { shown: this.#append(step), due: step.refused ?? [] };
      case "fill":
        return { shown: this.#fill(step), due: [] };
      case "query":
        return { shown: this.#query(step.match, step.from ?? FIRST, step.to ?? LAST), due: this.#due(step.answer) };
      case "view":
        this.#view = database.querier(FIRST, LAST);
        return { shown: 0, due: 0 };
      case "viewed": {
        const shown = this.#answerOf(this.#view!, [new Matcher("none", "=", "")], FIRST, LAST);
        this.#view?.close();
        this.#view = undefined;
        return { shown, due: this.#due(step.answer) };
      }
      case "names":
        return { shown: this.#asked((querier) => querier.labelNames(setsOf(step.match), FIRST, LAST)), due: step.names };
      case "values":
        return { shown: this.#asked((querier) => querier.labelValues(step.name, setsOf(step.match), FIRST, LAST)), due: step.values };
      case "delete":
        database.delete(step.match.map(matcherOf), step.from ?? FIRST, step.to ?? LAST);
        break;
      case "compact":
        while (database.compact(step.now));
        break;
      case "flush":
        database.flush(step.now);
        break;
      case "clean":
        database.cleanTombstones(step.now);
        break;
      case "snapshot": {
        const next = this.#next();
        database.snapshot(next, step);
        database.close();
        this.#reopen(next);
        break;
      }
      case "restart":
        database.close();
        this.#reopen(this.#directory);
        break;
      case "kill": {
        // A copy of the files is what the next process finds; the lock of the dead one does not count.
        const next = this.#next();
        cpSync(this.#directory, next, { recursive: true });
        database.close();
        this.#reopen(next);
        break;
      }
      case "blocks":
        return { shown: this.#blocks(step), due: step.blocks };
      case "stats":
        return { shown: this.#stats(step.tables?.limit), due: [step.stats, ...(step.tables === undefined ? [] : [step.tables])] };
      case "damage":
        return { shown: this.#damage(step), due: step.reports };
    }
    const shown = this.#complaints();
    if ("reports" in step) return { shown: shown.length, due: step.reports };
    return { shown, due: [] };
  }

  #next(): string {
    return join(this.#folder, String(this.#directories++));
  }
  #reopen(directory: string): void {
    this.#directory = directory;
    this.#database = this.#open();
  }
  #open(): Database {
    const { blockRange, window, retentionMs, retentionOctets, segmentOctets } = this.#vector.options;
    return new Database(realFiles, this.#directory, {
      random: (into) => randomFillSync(into),
      blockRange,
      outOfOrderWindow: window,
      retention: { ms: retentionMs, octets: retentionOctets },
      walSegmentOctets: segmentOctets,
      walSync: "never",
    });
  }
  /** A sound storage has none. */
  #complaints(): string[] {
    return [...this.#database.damage.map(String), ...this.#database.log.repairs.map((one) => JSON.stringify(one))];
  }

  #labels(key: string): Labels {
    return Labels.of(this.#vector.series[key] ?? {});
  }
  #histogram(name: string): Histogram | undefined {
    const written = this.#vector.histograms?.[name];
    return written === undefined ? undefined : ({ ...written, sum: Number(written.sum) } as unknown as Histogram);
  }

  #append({ rows, rollback }: Step<"append">): [number, string][] {
    const appender = this.#database.appender();
    const refused: [number, string][] = [];
    for (const [row, [key, time, value]] of rows.entries()) {
      const series = appender.series(this.#labels(key));
      const histogram = typeof value === "string" ? this.#histogram(value) : undefined;
      let refusal: string | undefined;
      if (histogram !== undefined) refusal = appender.appendHistogram(series, time, histogram);
      else if (value === "stale") refusal = appender.appendStale(series, time);
      else refusal = appender.append(series, time, numberOf(value));
      if (refusal !== undefined) refused.push([row, refusal]);
    }
    if (rollback === true) appender.rollback();
    else appender.commit();
    return refused;
  }

  #fill({ series, from, to, every, compact, ...values }: Step<"fill">): string[] {
    const refused: string[] = [];
    for (let time = from, n = 0; time <= to; time += every, n++) {
      const appender = this.#database.appender();
      for (const [k, key] of series.entries()) {
        const refusal = appender.append(appender.series(this.#labels(key)), time, filled(n, k, values));
        if (refusal !== undefined) refused.push(`${key} at ${time}: ${refusal}`);
      }
      appender.commit();
      if (compact === true) while (this.#database.compact(time));
    }
    return refused;
  }

  #asked<T>(ask: (querier: Querier) => T): T {
    const querier = this.#database.querier(FIRST, LAST);
    try {
      return ask(querier);
    } finally {
      querier.close();
    }
  }
  #query(match: readonly LifeMatcher[], from: number, to: number): unknown {
    const querier = this.#database.querier(from, to);
    try {
      return this.#answerOf(querier, match.map(matcherOf), from, to);
    } finally {
      querier.close();
    }
  }
  #answerOf(querier: Querier, matchers: readonly Matcher[], from: number, to: number): Record<string, unknown> {
    const shown: Record<string, unknown> = {};
    const columns = new Columns();
    let last = "";
    for (const series of querier.select(matchers, from, to, { sorted: true })) {
      columns.clear();
      series.read(columns, from, to);
      const key = keyOf(series.labels.toJSON());
      if (key in shown || key < last) shown[`${key}, twice or out of order`] = true;
      last = key;
      const samples = Array.from({ length: columns.length }, (_, row) => [columns.times[row] ?? 0, this.#valueOf(columns, row)] as const);
      if (samples.length > 0) shown[key] = briefOf(samples as [number, LifeValue][]);
    }
    return shown;
  }
  /** A histogram by its name in the vector, or as it is if it is none of them. */
  #valueOf(columns: Columns, row: number): unknown {
    const histogram = columns.histograms?.[row];
    if (columns.isStale(row)) return "stale";
    if (histogram === undefined) return textOf(columns.values[row] ?? 0);
    const { resetHint: _, ...shown } = histogram;
    const told = { ...shown, sum: String(shown.sum) };
    for (const [name, { resetHint: __, ...written }] of Object.entries(this.#vector.histograms ?? {}))
      if (isDeepStrictEqual(written, told)) return name;
    return JSON.stringify(told);
  }
  #due(answer: LifeAnswer): Record<string, unknown> {
    return Object.fromEntries(Object.entries(answer).map(([key, samples]) => [keyOf(this.#vector.series[key] ?? {}), samples]));
  }

  #blocks({ blocks }: Step<"blocks">): unknown {
    return this.#database.blocks.all.map((one, at) => {
      const { minTime, maxTime, stats, compaction } = one.meta;
      const tombstones = [...one.tombstones].reduce((sum, [, intervals]) => sum + intervals.length / 2, 0);
      const { numSeries: series, numSamples: samples, numChunks: chunks } = stats;
      return {
        minTime,
        maxTime,
        series,
        samples,
        chunks,
        level: compaction.level,
        ...(tombstones === 0 ? {} : { tombstones }),
        ...(blocks[at]?.created === undefined ? {} : { created: createdOf(one.meta.ulid) }),
      };
    });
  }

  #stats(limit?: number): unknown {
    const { headStats, ...tables } = this.#database.stats(limit ?? 1);
    const { numSeries: series, numLabelPairs: pairs, chunkCount: chunks, numSamples: samples, minTime, maxTime } = headStats;
    const memory: LifeStats = { series, pairs, chunks, samples, minTime, maxTime };
    if (limit === undefined) return [memory];
    const rows = (counted: readonly { readonly name: string; readonly value: number }[]): (readonly [string, number])[] =>
      counted.map(({ name, value }) => [name, value] as const).sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1));
    const shown: LifeTables = {
      limit,
      names: rows(tables.seriesCountByMetricName),
      values: rows(tables.labelValueCountByLabelName),
      octets: rows(tables.memoryInBytesByLabelName),
      pairs: rows(tables.seriesCountByLabelValuePair),
    };
    return [memory, shown];
  }

  #damage({ file, at = 0, xor, cut, add }: Step<"damage">): number {
    this.#database.close();
    const [path = ""] = globSync(file, { cwd: this.#directory }).sort();
    const bytes = readFileSync(join(this.#directory, path));
    const place = at < 0 ? bytes.length + at : at;
    if (xor !== undefined) bytes[place] = bytes[place]! ^ xor;
    const kept = cut === undefined ? bytes : bytes.subarray(0, cut < 0 ? bytes.length + cut : cut);
    writeFileSync(join(this.#directory, path), add === undefined ? kept : Buffer.concat([kept, Buffer.from(add, "hex")]));
    this.#reopen(this.#directory);
    this.#query([["none", "=", ""]], FIRST, LAST);
    return this.#database.damage.length + this.#database.log.repairs.length;
  }
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** The time in the name of a block: ten digits of base 32, before sixteen that are random. */
const createdOf = (ulid: string): number => Array.from(ulid.slice(0, -16)).reduce((time, digit) => time * 32 + DIGITS.indexOf(digit), 0);

const matcherOf = ([name, operator, value]: LifeMatcher): Matcher => new Matcher(name, operator, value);
const setsOf = (match: readonly LifeMatcher[]): readonly (readonly Matcher[])[] => (match.length === 0 ? [] : [match.map(matcherOf)]);
/** Labels in the order of series. */
const keyOf = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}\0${value}`)
    .join("\0");
const numberOf = (value: LifeValue): number => Number(String(value).replace("Inf", "Infinity"));
const textOf = (value: number): LifeValue =>
  Object.is(value, -0) ? "-0" : value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : Number.isNaN(value) ? "NaN" : value;
