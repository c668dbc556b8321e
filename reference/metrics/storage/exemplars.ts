import type { Labels, Matcher } from "../model/index.ts";

/** An example of what a sample counted (Prometheus docs, querying/api.md, "Querying exemplars"). Time in milliseconds since 1970. */
export type Exemplar = { readonly labels: Labels; readonly value: number; readonly time: number };
export type SeriesExemplars = { readonly series: Labels; readonly exemplars: readonly Exemplar[] };

/** Code points of the names and values of an exemplar together (OpenMetrics, "Exemplars"). */
const MOST_CHARACTERS = 128;

/** What happens to an exemplar. `same`: its series has it already. `not kept`: the limit is 0. */
export type ExemplarVerdict = "new" | "same" | "not kept" | "out of order exemplar" | "exemplar with long labels";

/** The exemplars of one series, oldest first. */
type Kept = { readonly series: Labels; readonly exemplars: Exemplar[] };

/**
 * The newest exemplars of all series, in memory and up to a limit (Prometheus docs, configuration/configuration.md, `<exemplars>`): a new one takes the place
 * of the oldest.
 */
export class ExemplarStore {
  #capacity: number;
  readonly #kept = new Map<string, Kept>();
  /** The series of each exemplar, in the order in which they came; those before `#first` are gone. */
  #order: string[] = [];
  #first = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get count(): number {
    return this.#order.length - this.#first;
  }

  /** Changes the limit; 0 or less keeps none. */
  set capacity(most: number) {
    this.#capacity = most;
    this.#evict();
  }

  /** Whether an exemplar can be added. `isTimed`: it came with this time; otherwise it is the last one of its series again at any time. */
  judge(series: Labels, exemplar: Exemplar, isTimed = true): ExemplarVerdict {
    if (this.#capacity <= 0) return "not kept";
    if (isLong(exemplar.labels)) return "exemplar with long labels";
    const kept = this.#kept.get(series.key)?.exemplars ?? [];
    const last = kept.at(-1);
    if (last === undefined) return "new";
    if (!isTimed && isSame(exemplar, last)) return "same";
    if (exemplar.time > last.time) return "new";
    if (kept.some((one) => one.time === exemplar.time && isSame(exemplar, one))) return "same";
    return exemplar.time < last.time ? "out of order exemplar" : "new";
  }

  /** Adds an exemplar if it is new. Returns whether it was. */
  add(series: Labels, exemplar: Exemplar, isTimed = true): boolean {
    if (this.judge(series, exemplar, isTimed) !== "new") return false;
    const { key } = series;
    const kept = this.#kept.get(key) ?? { series, exemplars: [] };
    this.#kept.set(key, kept);
    kept.exemplars.push(exemplar);
    this.#order.push(key);
    this.#evict();
    return true;
  }

  /** The exemplars with `start <= time <= end` of each series that matches all matchers of one of the sets. */
  *select(sets: readonly (readonly Matcher[])[], start: number, end: number): Generator<SeriesExemplars> {
    for (const { series, exemplars } of this.#kept.values()) {
      if (!sets.some((matchers) => matchers.every((one) => one.matches(series.get(one.name))))) continue;
      const found = exemplars.filter(({ time }) => time >= start && time <= end);
      if (found.length > 0) yield { series, exemplars: found };
    }
  }

  #evict(): void {
    while (this.count > Math.max(0, this.#capacity)) {
      const key = this.#order[this.#first++]!;
      const kept = this.#kept.get(key);
      kept?.exemplars.shift();
      if (kept?.exemplars.length === 0) this.#kept.delete(key);
    }
    if (this.#first * 2 < this.#order.length) return;
    this.#order = this.#order.slice(this.#first);
    this.#first = 0;
  }
}

function isLong({ flat }: Labels): boolean {
  const units = flat.reduce((sum, text) => sum + text.length, 0);
  return units > MOST_CHARACTERS && flat.reduce((sum, text) => sum + [...text].length, 0) > MOST_CHARACTERS;
}
const isSame = (a: Exemplar, b: Exemplar): boolean => Object.is(a.value, b.value) && a.labels.equals(b.labels);
