import type { Columns, Histogram, Labels } from "../model/index.ts";
import type { Annotations } from "./annotations.ts";
import type { Span } from "./ast.ts";
import type { Extrapolation } from "./functions/rate.ts";
import type { Kind } from "./value.ts";

/**
 * What a function over a range sees at one step: rows `lo` to `hi` (exclusive) of one series' samples, those with `fromMs < time <= toMs`
 * (Prometheus docs, querying/basics.md, "Range Vector Selectors"), without stale marks. One object for all series and steps of a call; the result of a step is left
 * in `value` or `histogram`.
 */
export class Window {
  times = new Float64Array(0);
  values = new Float64Array(0);
  /** By row, where a row is a histogram; undefined where no row of the series is. */
  histograms: (Histogram | undefined)[] | undefined;
  lo = 0;
  hi = 0;
  fromMs = 0;
  toMs = 0;
  /** The time of the step, which `offset` and `@` do not move. */
  stepMs = 0;
  /** The scalar arguments at this step, in the order of the call. */
  readonly args: number[] = [];

  value = 0;
  histogram: Histogram | undefined;

  readonly rangeMs: number;
  /** Of the range vector, and of the whole call. */
  readonly argSpan: Span;
  readonly callSpan: Span;
  readonly isSubquery: boolean;
  /** Whether gaps of `rate` and its like are NaN. */
  readonly areGapsNaN: boolean;
  labels: Labels | undefined;
  readonly #annotations: Annotations;
  #resets = new Uint32Array(0);
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

  /** Looks at another series from now on. */
  turnTo(labels: Labels, columns: Columns): void {
    this.labels = labels;
    this.times = columns.times;
    this.values = columns.values;
    this.histograms = columns.histograms;
    this.#length = columns.length;
    this.#hasResets = false;
  }

  get size(): number {
    return this.hi - this.lo;
  }

  /** Whether the values of the window's floats ever go down: counted once a series, so that most windows need no look at their samples. */
  hasReset(): boolean {
    if (!this.#hasResets) this.#countResets();
    return this.#resets[this.hi - 1] !== this.#resets[this.lo];
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
    resets[0] = 0;
    this.#hasResets = true;
  }
}

/** What a function does with histograms of its range: leaves them out and says so, or sees them (Prometheus docs, querying/functions.md, "<aggregation>_over_time()"). */
export type RangeFunction = {
  readonly histograms: "ignored" | "seen";
  readonly keepsName: boolean;
  /** Does all steps of a series of floats at once, where that is worth while; not asked where gaps are NaN. */
  readonly extrapolation?: Extrapolation;
  /** Leaves the result of a window in it. */
  readonly run: (window: Window) => Kind;
};
