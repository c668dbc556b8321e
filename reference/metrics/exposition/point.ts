import { Buckets } from "./families.ts";
import type { FaultName } from "./faults.ts";

/** Checks the samples of a metric at one time (prometheus-openmetrics#data-model.metric-point). */
export class Point {
  readonly first: number;
  readonly timestamp: number;
  readonly #type: string;
  /** Suffixes of samples that a point has once. */
  readonly #suffixes: string[] = [];
  /** States of samples with the same suffix. */
  #states: Set<string | number> | undefined;
  readonly #buckets = new Buckets({ isCumulative: true });
  #count: number | undefined;
  #sum: number | undefined;

  constructor(type: string, first: number, timestamp: number) {
    this.#type = type;
    this.first = first;
    this.timestamp = timestamp;
  }

  /** Adds a sample; returns its fault. `state`: the value of the label that distinguishes it within the point, a number for a bucket or a quantile. */
  add(suffix: string, state: string | number | undefined, value: number): FaultName | undefined {
    // Buckets are in order, so none is repeated.
    if (suffix === "_bucket") return isCount(value) ? this.#buckets.add(Number(state), value) : "valueForbidden";
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
    // A quantile may be NaN if there were no events.
    return this.#type !== "summary" || !(value < 0);
  }

  /** The fault of the complete point. */
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

/** A nonnegative integer or infinity. */
const isCount = (value: number): boolean => value >= 0 && (Number.isInteger(value) || value === Infinity);

/** The most characters of names and values together (prometheus-openmetrics#data-model.exemplars). */
export const MOST_OF_EXEMPLAR = 128;

/** The fault of an exemplar, in a bucket with this bound. */
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
