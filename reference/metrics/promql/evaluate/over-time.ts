import { Columns, type Labels } from "../../model/index.ts";
import { Bug } from "../../../core/index.ts";
import { type Call, type MatrixSelector, type Subquery, unwrap } from "../syntax/ast.ts";
import { checkExtension, ExtendedRange } from "../functions/extended.ts";
import { looksLikeCounter, named } from "../functions/notes.ts";
import { extrapolateRow, type RowTarget } from "../functions/rate-row.ts";
import type { Evaluate } from "../functions/row.ts";
import type { Frame, Query, Work } from "./query.ts";
import { eachRange, shapeOf } from "./range-rows.ts";
import { withoutName } from "./rows.ts";
import { ABSENT, FLOAT, Matrix } from "./value.ts";
import { type RangeFunction, Window } from "./window.ts";

/** The range vector among the arguments, without parentheses; the signature guarantees that there is one. */
function rangeArgument(call: Call): MatrixSelector | Subquery {
  for (const arg of call.args) {
    const inner = unwrap(arg);
    if (inner.is === "matrixSelector" || inner.is === "subquery") return inner;
  }
  throw new Bug(`${call.name} has no range vector among its arguments.`);
}

/** A function over the windows of a range vector: each series is read once, and the window slides over its samples for all steps. */
export const overRange = (about: RangeFunction): Evaluate =>
  function* evaluateOverRange(call, frame) {
    const { query, steps } = frame;
    const { budget } = query;
    const arg = rangeArgument(call);
    const scalars = yield* scalarArguments(call, frame);
    about.check?.(call, scalars, query.annotations);
    const shape = shapeOf(arg, frame);
    const window = windowOf({ call, arg, about, rangeMs: shape.rangeMs }, query);
    const slide = new Slide({ about, window, frame, ends: shape.ends, scalars });
    const extended = extendedRange(call, arg, shape.rangeMs, query);
    const out = new Matrix(steps);
    yield* eachRange(arg, frame, shape, function* visit(labels, columns) {
      if (columns.length === 0 && !window.areGapsNaN) return;
      if (out.cells + steps > out.values.length) budget.room(out.cells * 2);
      const target = { ends: shape.ends, out, first: out.addRow(labels) };
      const found = extended?.over(columns, target) ?? (yield* slide.over(labels, columns, target));
      if (found === 0) out.dropRow();
      out.held += found;
      budget.hold(found);
      query.charge((columns.length * steps) >>> 4);
    });
    if (about.expectsCounter === true) noteGauges(window, out);
    budget.keep(out);
    return about.keepsName ? out : yield* withoutName(out, query);
  };

function* scalarArguments(call: Call, frame: Frame): Work<Float64Array[]> {
  const found: Float64Array[] = [];
  for (const arg of call.args) {
    const inner = unwrap(arg);
    if (inner.is === "matrixSelector" || inner.is === "subquery") continue;
    const value = yield* frame.query.evaluate(arg, frame);
    if (value.is === "scalar") found.push(value.values);
  }
  return found;
}

function extendedRange({ name }: Call, arg: MatrixSelector | Subquery, rangeMs: number, { options }: Query): ExtendedRange | undefined {
  const extension = arg.is === "matrixSelector" ? arg.selector.extension : undefined;
  if (extension === undefined) return undefined;
  checkExtension(extension, name);
  return new ExtendedRange(extension, name, rangeMs, options.lookbackMs);
}

type WindowPlan = {
  readonly call: Call;
  readonly arg: MatrixSelector | Subquery;
  readonly about: RangeFunction;
  readonly rangeMs: number;
};

const windowOf = ({ call, arg, about, rangeMs }: WindowPlan, { annotations, options }: Query): Window =>
  new Window(
    {
      rangeMs,
      argSpan: arg.span,
      callSpan: call.span,
      isSubquery: arg.is === "subquery",
      areGapsNaN: options.rateGaps === "nan" && about.hasGaps === true,
    },
    annotations,
  );

/** Adds an info annotation for each metric whose name does not end like that of a counter: it may be a gauge, whose rate means nothing. */
function noteGauges(window: Window, out: Matrix): void {
  for (let row = 0; row < out.rows; row++) {
    const name = out.sources[row]?.metric ?? "";
    if (looksLikeCounter(name) || !hasFloat(out, row)) continue;
    window.info(`metric might not be a counter, name does not end in _total/_sum/_count/_bucket: ${JSON.stringify(name)}`);
  }
}

function hasFloat(matrix: Matrix, row: number): boolean {
  for (let cell = row * matrix.steps, end = cell + matrix.steps; cell < end; cell++) if (matrix.kinds[cell] === FLOAT) return true;
  return false;
}

type SlideOptions = {
  readonly about: RangeFunction;
  readonly window: Window;
  readonly frame: Frame;
  readonly ends: Float64Array;
  /** The scalar arguments, each by step. */
  readonly scalars: readonly Float64Array[];
};

/** Moves the window over one series after another. */
class Slide {
  readonly #about: RangeFunction;
  readonly #window: Window;
  readonly #frame: Frame;
  readonly #ends: Float64Array;
  readonly #scalars: readonly Float64Array[];
  readonly #floats = new Columns();

  constructor({ about, window, frame, ends, scalars }: SlideOptions) {
    this.#about = about;
    this.#window = window;
    this.#frame = frame;
    this.#ends = ends;
    this.#scalars = scalars;
  }

  /** Returns the number of steps with a result. */
  *over(labels: Labels, columns: Columns, target: RowTarget): Work<number> {
    const window = this.#window;
    if (columns.histograms !== undefined && this.#about.histograms === "ignored") return yield* this.#overFloats(labels, columns, target);
    const { extrapolation } = this.#about;
    window.turnTo(labels, columns);
    if (extrapolation !== undefined && columns.histograms === undefined && !window.areGapsNaN) {
      return extrapolateRow(window, extrapolation, target);
    }
    return yield* this.#steps(columns, target);
  }

  /** Ignores histograms, with an info annotation if a window has both (Prometheus docs, querying/functions.md, "<aggregation>_over_time()"). */
  *#overFloats(labels: Labels, columns: Columns, target: RowTarget): Work<number> {
    const floats = this.#floats;
    floats.clear();
    for (let row = 0; row < columns.length; row++) {
      if (columns.histograms?.[row] === undefined) floats.push(columns.times[row] ?? 0, columns.values[row] ?? 0);
    }
    this.#window.turnTo(labels, floats);
    const found = yield* this.#steps(floats, target);
    this.#noteIgnored(columns);
    return found;
  }

  /** A function of floats mentions the histograms even if too few floats are left for a result. */
  #noteIgnored({ histograms = [], length, times }: Columns): void {
    const window = this.#window;
    for (const end of this.#ends) {
      let [hasFloat, hasHistogram] = [false, false];
      for (let row = 0; row < length; row++) {
        const time = times[row] ?? 0;
        if (time <= end - window.rangeMs || time > end) continue;
        if (histograms[row] === undefined) hasFloat = true;
        else hasHistogram = true;
      }
      if (!hasFloat || !hasHistogram) continue;
      window.info(named(window, "ignored histograms in a range containing both floats and histograms"));
      return;
    }
  }

  /** Pauses between steps too, because overlapping windows look at the same samples again and again. */
  *#steps({ times, length }: Columns, { out, first }: RowTarget): Work<number> {
    const window = this.#window;
    const { run } = this.#about;
    const { values, kinds } = out;
    const [ends, steps, scalars] = [this.#ends, this.#frame.times, this.#scalars];
    const { query } = this.#frame;
    const { rangeMs, args } = window;
    let [lo, hi, found] = [0, 0, 0];
    for (let step = 0; step < ends.length; step++) {
      const end = ends[step] ?? 0;
      while (hi < length && (times[hi] ?? 0) <= end) hi += 1;
      while (lo < hi && (times[lo] ?? 0) <= end - rangeMs) lo += 1;
      if (lo === hi && !window.areGapsNaN) continue;
      window.lo = lo;
      window.hi = hi;
      window.fromMs = end - rangeMs;
      window.toMs = end;
      window.stepMs = steps[step] ?? 0;
      for (let at = 0; at < scalars.length; at++) args[at] = scalars[at]?.[step] ?? Number.NaN;
      if (query.isDue(hi - lo)) yield;
      const kind = run(window);
      if (kind === ABSENT) continue;
      found += 1;
      if (kind === FLOAT) {
        values[first + step] = window.value;
        kinds[first + step] = FLOAT;
      } else if (window.histogram !== undefined) {
        out.setHistogram(first + step, window.histogram);
      }
    }
    return found;
  }
}
