import {
  addHistograms,
  type Combined,
  divideHistogram,
  equalHistograms,
  type Histogram,
  scaleHistogram,
  subtractHistograms,
} from "../../model/index.ts";
import { type Binary, type BinaryOperator, isComparison, type Span } from "../syntax/ast.ts";
import type { Annotations } from "../evaluate/annotations.ts";
import { trimLower, trimUpper } from "../functions/histogram-trim.ts";
import { ABSENT, FLOAT, HISTOGRAM, type Kind, type Matrix } from "../evaluate/value.ts";

/** The power of IEEE 754: 1 to any power is 1, and -1 to an infinite power is 1. */
const power = (a: number, b: number): number => (a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : a ** b);

/** Operators on two floats; a comparison gives 1 or 0 (Prometheus docs, querying/operators.md). */
const FLOATS: Readonly<Partial<Record<BinaryOperator, (a: number, b: number) => number>>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "^": power,
  atan2: Math.atan2,
  "==": (a, b) => (a === b ? 1 : 0),
  "!=": (a, b) => (a === b ? 0 : 1),
  ">": (a, b) => (a > b ? 1 : 0),
  "<": (a, b) => (a < b ? 1 : 0),
  ">=": (a, b) => (a >= b ? 1 : 0),
  "<=": (a, b) => (a <= b ? 1 : 0),
};

/** An operator on two samples. One object serves a whole expression: `apply` leaves its result in it. */
export class Operation {
  readonly isComparison: boolean;
  /** A comparison without `bool`: elements for which it holds pass unchanged. */
  readonly isFilter: boolean;
  /** The operator on two floats; undefined if it has none. */
  readonly floats: ((a: number, b: number) => number) | undefined;
  value = 0;
  histogram: Histogram | undefined;
  /** The operator is not defined for the kinds of the two samples. */
  isUndefined = false;
  readonly #op: BinaryOperator;
  readonly #span: Span;
  readonly #annotations: Annotations;

  constructor({ op, bool, span }: Binary, annotations: Annotations) {
    this.isComparison = isComparison(op);
    this.isFilter = this.isComparison && !bool;
    this.floats = FLOATS[op];
    this.#op = op;
    this.#span = span;
    this.#annotations = annotations;
  }

  /** Operators that make another quantity drop the metric name (Prometheus docs, querying/operators.md); a trimmed histogram is the same quantity. */
  get dropsName(): boolean {
    return !this.isFilter && this.#op !== "</" && this.#op !== ">/";
  }

  /** Two samples of which at least one is a histogram, or an operator that is not defined for floats. */
  apply(a: number, left: Histogram | undefined, b: number, right: Histogram | undefined): Kind {
    this.isUndefined = false;
    if (left === undefined && right === undefined && this.floats !== undefined) {
      this.value = this.floats(a, b);
      if (!this.isFilter) return FLOAT;
      return this.#kept(this.value === 1, a, undefined);
    }
    const found = this.#ofHistograms(a, left, b, right);
    if (typeof found === "boolean") {
      if (this.isFilter) return this.#kept(found, a, left);
      this.value = found ? 1 : 0;
      return FLOAT;
    }
    this.histogram = found;
    this.isUndefined = found === undefined;
    return found === undefined ? ABSENT : HISTOGRAM;
  }

  #kept(holds: boolean, value: number, histogram: Histogram | undefined): Kind {
    if (!holds) return ABSENT;
    this.value = value;
    this.histogram = histogram;
    return histogram === undefined ? FLOAT : HISTOGRAM;
  }

  /** Prometheus docs, querying/operators.md, "Arithmetic binary operators", "Comparison binary operators", "Histogram trim operators" */
  #ofHistograms(a: number, left: Histogram | undefined, b: number, right: Histogram | undefined): Histogram | boolean | undefined {
    const op = this.#op;
    if (left !== undefined && right !== undefined) {
      if (op === "+") return this.#annotated(addHistograms(left, right), "addition");
      if (op === "-") return this.#annotated(subtractHistograms(left, right), "subtraction");
      if (op === "==") return equalHistograms(left, right);
      if (op === "!=") return !equalHistograms(left, right);
    } else if (left !== undefined) {
      if (op === "*") return scaleHistogram(left, b);
      if (op === "/") return divideHistogram(left, b);
      if (op === "</") return trimUpper(left, b);
      if (op === ">/") return trimLower(left, b);
    } else if (right !== undefined && op === "*") {
      return scaleHistogram(right, a);
    }
    const [one, other] = [left, right].map((histogram) => (histogram === undefined ? "float" : "histogram"));
    this.#annotations.info(`incompatible sample types encountered for binary operator "${op}": ${one} ${op} ${other}`, this.#span);
    return undefined;
  }

  #annotated(combined: Combined | undefined, operation: string): Histogram | undefined {
    if (combined === undefined) {
      this.#annotations.warn(`incompatible bucket layout encountered for binary operator ${this.#op}`, this.#span);
    } else {
      if (combined.isHintContradicted) this.#annotations.warn(`conflicting counter resets during histogram ${operation}`, this.#span);
      if (combined.areBoundsMerged) this.#annotations.info(`mismatched custom buckets were reconciled during ${operation}`, this.#span);
    }
    return combined?.histogram;
  }

  /** Leaves the result of `apply` in a cell. */
  put(out: Matrix, cell: number, kind: Kind): void {
    if (kind === HISTOGRAM && this.histogram !== undefined) {
      out.setHistogram(cell, this.histogram);
      return;
    }
    out.kinds[cell] = kind;
    if (kind === FLOAT) out.values[cell] = this.value;
  }
}
