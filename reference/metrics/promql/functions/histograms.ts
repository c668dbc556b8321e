import { canonical, type Histogram, Labels, METADATA_NAMES, orderedBuckets } from "../../model/index.ts";
import type { Call, Span } from "../syntax/ast.ts";
import { sameLabels } from "../evaluate/failure.ts";
import type { Frame, Work } from "../evaluate/query.ts";
import { eachRow, LABELS_WORK, withoutName } from "../evaluate/rows.ts";
import { ABSENT, FLOAT, Matrix } from "../evaluate/value.ts";
import { warnOfQuantiles } from "./arguments.ts";
import { argument, numberArgument, textArgument, vectorArgument } from "./given.ts";
import { boundOf, ClassicBuckets } from "./histogram-classic.ts";
import { hasNaNObservations, nativeFraction, type NativeQuantile, nativeQuantile } from "./histogram-native.ts";
import { withName } from "./notes.ts";
import type { Evaluate } from "./row.ts";

/** A number computed from each native histogram; floats are dropped (Prometheus docs, querying/functions.md). */
export const nativeNumber = (of: (histogram: Histogram) => number): Evaluate =>
  function* numbers(call, frame) {
    const matrix = yield* vectorArgument(call, 0, frame);
    yield* eachRow(matrix, frame.query, (_row, first) => {
      for (let cell = first; cell < first + matrix.steps; cell++) {
        const histogram = matrix.histogramAt(cell);
        matrix.kinds[cell] = histogram === undefined ? ABSENT : FLOAT;
        if (histogram !== undefined) matrix.values[cell] = of(histogram);
      }
    });
    matrix.histograms = undefined;
    return yield* withoutName(matrix, frame.query);
  };

const REPAIRED =
  "input to histogram_quantile needed to be fixed for monotonicity (see https://prometheus.io/docs/prometheus/latest/querying/functions/#histogram_quantile)";

const NAN_OBSERVATIONS = {
  skewed: "input to histogram_quantile has NaN observations, result is skewed higher",
  result: "input to histogram_quantile has NaN observations, result is NaN",
  excluded: "input to histogram_fraction has NaN observations, which are excluded from all fractions",
} as const;

/** A number to compute from every histogram; it gets a label of its own if there are several questions. */
type Question = {
  readonly tag: readonly [name: string, value: string] | undefined;
  readonly ofClassic: (buckets: ClassicBuckets, step: number) => number;
  readonly ofNative: (histogram: Histogram, step: number) => NativeQuantile;
};

/** The buckets of one classic histogram: rows of the vector by ascending bound. */
type Classic = { readonly metric: string; readonly labels: Labels; readonly rows: number[]; readonly uppers: number[] };

/** Answers each question for every histogram of a vector, classic or native (Prometheus docs, querying/functions.md). */
function* answersTo(questions: readonly Question[], vectorAt: number, call: Call, frame: Frame): Work<Matrix> {
  const { budget } = frame.query;
  const matrix = yield* vectorArgument(call, vectorAt, frame);
  const { span } = argument(call, vectorAt);
  const answers = new Answers(frame, span);
  const classics = yield* classicsOf(matrix, frame, span);
  for (const question of questions) {
    for (const classic of classics) yield* answers.ofClassic(question, matrix, classic);
    if (matrix.histograms !== undefined) yield* eachRow(matrix, frame.query, (row) => answers.ofNative(question, matrix, row));
  }
  budget.drop(matrix);
  return budget.keep(answers.out);
}

/** `histogram_fraction` */
export function* fraction(call: Call, frame: Frame): Work<Matrix> {
  const [lower, upper] = [yield* numberArgument(call, 0, frame), yield* numberArgument(call, 1, frame)];
  // Without a range of values there is nothing to exclude observations from.
  const isRange = (step: number): boolean => (lower[step] ?? 0) < (upper[step] ?? 0);
  const question: Question = {
    tag: undefined,
    ofClassic: (buckets, step) => buckets.fraction(lower[step] ?? 0, upper[step] ?? 0),
    ofNative: (histogram, step) => ({
      value: nativeFraction(histogram, lower[step] ?? 0, upper[step] ?? 0),
      nan: isRange(step) && hasNaNObservations(histogram, orderedBuckets(histogram)) ? "excluded" : "none",
    }),
  };
  return yield* answersTo([question], 2, call, frame);
}

/** `histogram_quantile` */
export function* quantileOf(call: Call, frame: Frame): Work<Matrix> {
  return yield* answersTo([yield* quantileQuestion(call, 0, frame)], 1, call, frame);
}

/** `histogram_quantiles`: each φ is the value of the label that the second argument names. */
export function* quantilesOf(call: Call, frame: Frame): Work<Matrix> {
  const label = textArgument(call, 1);
  const questions: Question[] = [];
  for (let at = 2; at < call.args.length; at++) questions.push(yield* quantileQuestion(call, at, frame, label));
  return yield* answersTo(questions, 0, call, frame);
}

function* quantileQuestion(call: Call, at: number, frame: Frame, label?: string): Work<Question> {
  const phis = yield* numberArgument(call, at, frame);
  warnOfQuantiles(phis, frame.query.annotations, argument(call, at).span);
  return {
    tag: label === undefined ? undefined : [label, canonical(phis[0] ?? 0)],
    ofClassic: (buckets, step) => {
      const phi = phis[step] ?? 0;
      if (phi >= 0 && phi <= 1) buckets.settle();
      return buckets.quantile(phi);
    },
    ofNative: (histogram, step) => nativeQuantile(histogram, phis[step] ?? 0),
  };
}

const NOT_IDENTITY: ReadonlySet<string> = new Set([...METADATA_NAMES, "le"]);
const SEPARATOR = "\uDCFF";

/** Groups rows into histograms: the buckets of one histogram have the same labels except `le`, including the metric name. */
function* classicsOf(matrix: Matrix, frame: Frame, span: Span): Work<Classic[]> {
  const found = new Map<string, Classic>();
  const bounds = new Map<string, number | undefined>();
  for (let row = 0; row < matrix.rows; row++) {
    const labels = matrix.sources[row] ?? Labels.NONE;
    const le = labels.get("le");
    if (!bounds.has(le)) bounds.set(le, boundOf(le));
    const upper = bounds.get(le);
    const metric = matrix.metricOf(row);
    if (upper === undefined) {
      if (!hasFloat(matrix, row)) continue;
      const message = `bucket label "le" is missing or has a malformed value of ${JSON.stringify(le)}`;
      frame.query.annotations.warn(withName(message, metric), span);
      continue;
    }
    const key = keyWithoutBound(labels, matrix.isNameless);
    let classic = found.get(key);
    if (classic === undefined) {
      classic = { metric, labels: labels.without(NOT_IDENTITY), rows: [], uppers: [] };
      found.set(key, classic);
    }
    // Series arrive in label order, which sorts bounds as text.
    let at = classic.rows.length;
    while (at > 0 && (classic.uppers[at - 1] ?? 0) > upper) at -= 1;
    // With very many bounds, each insertion may move all others.
    if (frame.query.isDue(LABELS_WORK + classic.rows.length - at)) yield;
    classic.rows.splice(at, 0, row);
    classic.uppers.splice(at, 0, upper);
  }
  return [...found.values()];
}

function hasFloat({ kinds, steps }: Matrix, row: number): boolean {
  for (let cell = row * steps; cell < (row + 1) * steps; cell++) if (kinds[cell] === FLOAT) return true;
  return false;
}

function keyWithoutBound({ flat }: Labels, isNameless: boolean): string {
  let key = "";
  for (let at = 0; at < flat.length; at += 2) {
    const name = flat[at] ?? "";
    if (name === "le" || (isNameless && METADATA_NAMES.has(name))) continue;
    key += name + SEPARATOR + flat[at + 1] + SEPARATOR;
  }
  return key;
}

/** Collects the answers, one row for each set of labels. */
class Answers {
  readonly out: Matrix;
  readonly #frame: Frame;
  readonly #span: Span;
  readonly #rows = new Map<string, number>();
  readonly #buckets = new ClassicBuckets();
  /** Cells filled by a native histogram, and cells where native and classic histograms collide. */
  readonly #native = new Set<number>();
  readonly #mixed = new Set<number>();

  constructor(frame: Frame, span: Span) {
    this.out = new Matrix(frame.steps);
    this.#frame = frame;
    this.#span = span;
  }

  *ofClassic(question: Question, matrix: Matrix, { metric, labels, rows, uppers }: Classic): Work<void> {
    const { steps } = matrix;
    const buckets = this.#buckets;
    let first = -1;
    for (let step = 0; step < steps; step++) {
      if (this.#frame.query.isDue(rows.length)) yield;
      buckets.clear();
      for (let at = 0; at < rows.length; at++) {
        const cell = (rows[at] ?? 0) * steps + step;
        if (matrix.kinds[cell] === FLOAT) buckets.push(uppers[at] ?? 0, matrix.values[cell] ?? 0);
      }
      if (buckets.length === 0) continue;
      if (first < 0) first = this.#rowOf(labels, question);
      this.#put(first + step, question.ofClassic(buckets, step), metric, false);
      if (buckets.wasRepaired) this.#info(withName(REPAIRED, metric));
    }
  }

  ofNative(question: Question, matrix: Matrix, row: number): void {
    let first = -1;
    const labels = matrix.labelsOf(row);
    const metric = matrix.metricOf(row);
    for (let step = 0; step < matrix.steps; step++) {
      const histogram = matrix.histogramAt(row * matrix.steps + step);
      if (histogram === undefined) continue;
      if (first < 0) first = this.#rowOf(labels.without(METADATA_NAMES), question);
      const { value, nan } = question.ofNative(histogram, step);
      this.#put(first + step, value, metric, true);
      if (nan !== "none") this.#info(withName(NAN_OBSERVATIONS[nan], metric));
    }
  }

  #rowOf(labels: Labels, { tag }: Question): number {
    const own = tag === undefined ? labels : labels.with(...tag);
    const known = this.#rows.get(own.key);
    if (known !== undefined) return known;
    const first = this.out.addRow(own);
    this.#rows.set(own.key, first);
    return first;
  }

  #put(cell: number, value: number, metric: string, isNative: boolean): void {
    if (this.#mixed.has(cell)) return;
    if (this.out.kinds[cell] === ABSENT) {
      this.out.values[cell] = value;
      this.out.kinds[cell] = FLOAT;
      if (isNative) this.#native.add(cell);
      return;
    }
    if (this.#native.has(cell) === isNative) throw sameLabels();
    this.#mixed.add(cell);
    this.out.kinds[cell] = ABSENT;
    this.#frame.query.annotations.warn(withName("vector contains a mix of classic and native histograms", metric), this.#span);
  }

  #info(message: string): void {
    this.#frame.query.annotations.info(message, this.#span);
  }
}
