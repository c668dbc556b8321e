import { Buckets } from "./families.ts";
import type { FaultName } from "./faults.ts";

/** The samples of a metric at one time (prometheus-openmetrics#data-model.metric-point), as they come. */
export class Point {
  readonly first: number;
  readonly timestamp: number;
  readonly #type: string;
  /** Samples that a point has once: there are no more kinds of them than suffixes. */
  readonly #suffixes: string[] = [];
  /** What tells samples of the same suffix apart. */
  #states: Set<string | number> | undefined;
  readonly #buckets = new Buckets();
  #count: number | undefined;
  #sum: number | undefined;

  constructor(type: string, first: number, timestamp: number) {
    this.#type = type;
    this.first = first;
    this.timestamp = timestamp;
  }

  /** What is wrong with a sample. `state` is what the label says that tells it from others of the point: a number for a bucket and a quantile. */
  add(suffix: string, state: string | number | undefined, value: number): FaultName | undefined {
    // Buckets come in order, so that none comes twice.
    if (suffix === "_bucket") return isCount(value) ? this.#buckets.add(Number(state), value, true) : "valueForbidden";
    if (this.#isRepeated(suffix, state)) return "sampleRepeated";
    if (suffix === "_count" || suffix === "_gcount") this.#count = value;
    if (suffix === "_sum" || suffix === "_gsum") this.#sum = value;
    return this.#isAllowed(suffix, value) ? undefined : "valueForbidden";
  }

  #isRepeated(suffix: string, state: string | number | undefined): boolean {
    if (state !== undefined) {
      const { size } = (this.#states ??= new Set());
      return this.#states.add(state).size === size;
    }
    if (this.#suffixes.includes(suffix)) return true;
    this.#suffixes.push(suffix);
    return false;
  }

  #isAllowed(suffix: string, value: number): boolean {
    if (suffix === "_count" || suffix === "_gcount") return isCount(value);
    if (suffix === "_gsum") return !Number.isNaN(value);
    if (suffix === "_sum" || suffix === "_total") return value >= 0 || (this.#buckets.hasNegative && !Number.isNaN(value));
    if (suffix === "_created") return Number.isFinite(value);
    if (this.#type === "stateset") return value === 0 || value === 1;
    if (this.#type === "info") return value === 1;
    // A quantile's value may be NaN: there were no events.
    return this.#type !== "summary" || !(value < 0);
  }

  /** What is wrong with the point as a whole. */
  end(): FaultName | undefined {
    if (this.#type === "counter") return this.#suffixes.includes("_total") ? undefined : "totalMissing";
    if (this.#type !== "histogram" && this.#type !== "gaugehistogram") return undefined;
    const { total, hasNegative } = this.#buckets;
    if (total === undefined) return "bucketInfinite";
    if ((this.#count === undefined) !== (this.#sum === undefined)) return "countWithoutSum";
    if (this.#count !== undefined && this.#count !== total) return "bucketCount";
    if (this.#sum === undefined) return undefined;
    if (this.#type === "histogram" && hasNegative) return "sumForbidden";
    return this.#sum < 0 && !hasNegative ? "valueForbidden" : undefined;
  }
}

/** Whole, and not below zero; infinite at most where a double has lost count. */
const isCount = (value: number): boolean => value >= 0 && (Number.isInteger(value) || value === Infinity);

/** Characters of names and values together (prometheus-openmetrics#data-model.exemplars). */
export const MOST_OF_EXEMPLAR = 128;

/** What is wrong with an exemplar, of a bucket with the bound that is given. */
export function exemplarFault(
  labels: readonly (readonly [string, string])[],
  value: number,
  bound: number | undefined,
): FaultName | undefined {
  const length = labels.reduce((sum, [name, text]) => sum + characters(name) + characters(text), 0);
  if (length > MOST_OF_EXEMPLAR) return "exemplarTooLong";
  return bound === undefined || value <= bound ? undefined : "exemplarOutOfBucket";
}
const characters = (text: string): number => [...text].length;
