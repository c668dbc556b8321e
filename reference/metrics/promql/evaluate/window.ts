import type { Columns, Histogram, Labels } from "../../model/index.ts";
import type { Annotations } from "./annotations.ts";
import type { Call, Span } from "../syntax/ast.ts";
import type { Kind } from "./value.ts";

/**
 * The input of a range function at one step: rows `lo` to `hi` (exclusive) of one series, the samples with `fromMs < time <= toMs`
 * (Prometheus docs, querying/basics.md, "Range Vector Selectors"), without stale markers. One object serves all series and steps of a
 * call; the function leaves its result in `value` or `histogram`.
 */
export class Window {
  times = new Float64Array(0);
  values = new Float64Array(0);
  /** By row, for rows that are histograms; undefined if the series has none. */
  histograms: (Histogram | undefined)[] | undefined;
  lo = 0;
  hi = 0;
  fromMs = 0;
  toMs = 0;
  /** The time of the step, which `offset` and `@` do not change. */
  stepMs = 0;
  /** The scalar arguments at this step, in the order of the call. */
  readonly args: number[] = [];

  value = 0;
  histogram: Histogram | undefined;

  readonly rangeMs: number;
  /** The spans of the range vector and of the whole call. */
  readonly argSpan: Span;
  readonly callSpan: Span;
  readonly isSubquery: boolean;
  /** Gaps give NaN instead of no element (`--query.rate-gaps=nan`). */
  readonly areGapsNaN: boolean;
  labels: Labels | undefined;
  readonly #annotations: Annotations;
  #resets = new Uint32Array(0);
  #scratch = new Float64Array(256);
  #hasResets = false;
  #length = 0;

  constructor(about: Pick<Window, "rangeMs" | "argSpan" | "callSpan" | "isSubquery" | "areGapsNaN">, annotations: Annotations) {
    this.rangeMs = about.rangeMs;
    this.argSpan = about.argSpan;
    this.callSpan = about.callSpan;
    this.isSubquery = about.isSubquery;
    this.areGapsNaN = about.areGapsNaN;
    this.#annotations = annotations;
  }

  /** Switches to another series. */
  turnTo(labels: Labels, columns: Columns): void {
    this.labels = labels;
    this.times = columns.times;
    this.values = columns.values;
    this.histograms = columns.histograms;
    this.#length = columns.length;
    this.#hasResets = false;
  }

  /** The number of samples of the series. */
  get length(): number {
    return this.#length;
  }

  get size(): number {
    return this.hi - this.lo;
  }

  /** Whether the floats of the window ever decrease. */
  hasReset(): boolean {
    const resets = this.resets();
    return resets[this.hi - 1] !== resets[this.lo];
  }

  /**
   * By row, how many of the values up to it are smaller than the one before: counted once for each series, so that most windows need not look at
   * their samples. Valid until `turnTo`.
   */
  resets(): Uint32Array {
    if (!this.#hasResets) this.#countResets();
    return this.#resets;
  }

  /** A copy of the window's values that the caller may reorder; valid until the next call. */
  scratch(): Float64Array {
    if (this.#scratch.length < this.size) this.#scratch = new Float64Array(this.size * 2);
    this.#scratch.set(this.values.subarray(this.lo, this.hi));
    return this.#scratch;
  }

  metricName(): string {
    return this.labels?.metric ?? "";
  }

  info(message: string, span = this.argSpan): void {
    this.#annotations.info(message, span);
  }

  warn(message: string, span = this.argSpan): void {
    this.#annotations.warn(message, span);
  }

  #countResets(): void {
    const { values } = this;
    const length = this.#length;
    if (this.#resets.length < length) this.#resets = new Uint32Array(values.length);
    const resets = this.#resets;
    let found = 0;
    for (let row = 1; row < length; row++) {
      if ((values[row] ?? 0) < (values[row - 1] ?? 0)) found += 1;
      resets[row] = found;
    }
    this.#hasResets = true;
  }
}

/** What `rate`, `increase` and `delta` have in common. */
export type Extrapolation = {
  /** Corrects counter resets. */
  readonly isCounter: boolean;
  /** Divides by the seconds of the range. */
  readonly isRate: boolean;
};

/** A function over a range (Prometheus docs, querying/functions.md, "<aggregation>_over_time()"). */
export type RangeFunction = {
  /** Ignores native histograms, with an info annotation if the range also has floats, or sees them. */
  readonly histograms: "ignored" | "seen";
  readonly keepsName: boolean;
  /** Adds an info annotation if the metric's name does not look like that of a counter. */
  readonly expectsCounter?: true;
  /** Gives NaN instead of no element for a gap, if the query asks for that (`--query.rate-gaps=nan`). */
  readonly hasGaps?: true;
  /** Allows all steps of a series of floats to be computed in one loop; not used while gaps are NaN. */
  readonly extrapolation?: Extrapolation;
  /** Checks the scalar arguments once for each query. */
  readonly check?: (call: Call, scalars: readonly Float64Array[], annotations: Annotations) => void;
  /** Computes the result of one window and leaves it in `window.value` or `window.histogram`. */
  readonly run: (window: Window) => Kind;
};
