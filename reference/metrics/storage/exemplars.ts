import type { Labels, Matcher } from "../model/index.ts";

/** An example of what a sample counted (Prometheus docs, querying/api.md, "Querying exemplars"). Time in milliseconds since 1970. */
export type Exemplar = { readonly labels: Labels; readonly value: number; readonly time: number };
export type SeriesExemplars = { readonly series: Labels; readonly exemplars: readonly Exemplar[] };

/** The exemplars of one series, oldest first. */
type Kept = { readonly series: Labels; readonly exemplars: Exemplar[] };

/**
 * The newest exemplars of all series, in memory and up to a limit (Prometheus docs, configuration/configuration.md, `<exemplars>`): a new one takes the place
 * of the oldest. They do not survive a restart.
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

  /**
   * Returns whether it is new: neither the last one of its series again, nor older than that. `isTimed`: it came with this time; otherwise it is
   * the last one again at any time.
   */
  add(series: Labels, exemplar: Exemplar, isTimed = true): boolean {
    if (this.#capacity <= 0) return false;
    const { key } = series;
    const kept = this.#kept.get(key) ?? { series, exemplars: [] };
    const last = kept.exemplars.at(-1);
    if (last !== undefined && (exemplar.time < last.time || (isSame(exemplar, last) && (!isTimed || exemplar.time === last.time))))
      return false;
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

const isSame = (a: Exemplar, b: Exemplar): boolean => Object.is(a.value, b.value) && a.labels.equals(b.labels);
