import { Bug } from "../../../core/index.ts";
import type { Binary } from "../syntax/ast.ts";
import { isSetOperator } from "../syntax/ast.ts";
import { Operation } from "../binary/operate.ts";
import { setOperation } from "../binary/sets.ts";
import { matched } from "../binary/vectors.ts";
import { ExecutionFailure } from "./failure.ts";
import type { Frame, Work } from "./query.ts";
import { eachRow, withoutName } from "./rows.ts";
import { ABSENT, FLOAT, type Matrix, Scalar, type Value } from "./value.ts";

/** A binary operator (Prometheus docs, querying/operators.md). */
export function* binary(expr: Binary, frame: Frame): Work<Value> {
  const { query } = frame;
  const left = yield* query.evaluate(expr.left, frame);
  const right = yield* query.evaluate(expr.right, frame);
  if (left.is === "scalar" && right.is === "scalar") return ofScalars(expr, frame, left, right);
  if (left.is === "vector" && right.is === "vector") {
    yield;
    return yield* ofVectors(expr, frame, left, right);
  }
  if (left.is === "vector" && right.is === "scalar")
    return yield* withScalar(expr, frame, { matrix: left, scalar: right, isScalarLeft: false });
  if (left.is === "scalar" && right.is === "vector")
    return yield* withScalar(expr, frame, { matrix: right, scalar: left, isScalarLeft: true });
  throw new Bug(`A ${left.is} ${expr.op} a ${right.is} passed the check of types.`);
}

function ofScalars(expr: Binary, { query }: Frame, left: Scalar, right: Scalar): Scalar {
  const { floats } = new Operation(expr, query.annotations);
  // The trim operators need a histogram.
  if (floats === undefined) throw new ExecutionFailure(`operator "${expr.op}" not allowed for Scalar operations`);
  return new Scalar(left.values.map((value, step) => floats(value, right.values[step] ?? Number.NaN)));
}

/** Combines each element with the scalar of its step, in place: the matrix of the vector becomes the result. */
type VectorAndScalar = { readonly matrix: Matrix; readonly scalar: Scalar; readonly isScalarLeft: boolean };

function* withScalar(expr: Binary, { query }: Frame, { matrix, scalar: { values: scalars }, isScalarLeft }: VectorAndScalar): Work<Matrix> {
  const operation = new Operation(expr, query.annotations);
  const { floats, isFilter } = operation;
  const { values, kinds, steps } = matrix;
  yield* eachRow(matrix, query, (_row, first) => {
    for (let step = 0, cell = first; step < steps; step++, cell++) {
      if (kinds[cell] === ABSENT) continue;
      const [value, scalar] = [values[cell] ?? 0, scalars[step] ?? 0];
      if (kinds[cell] === FLOAT && floats !== undefined) {
        const result = isScalarLeft ? floats(scalar, value) : floats(value, scalar);
        if (!isFilter) values[cell] = result;
        else if (result === 0) kinds[cell] = ABSENT;
        continue;
      }
      const histogram = matrix.histogramAt(cell);
      const kind = isScalarLeft
        ? operation.apply(scalar, undefined, value, histogram)
        : operation.apply(value, histogram, scalar, undefined);
      operation.put(matrix, cell, kind);
    }
  });
  return operation.dropsName ? yield* withoutName(matrix, query) : matrix;
}

function* ofVectors(expr: Binary, { query }: Frame, left: Matrix, right: Matrix): Work<Matrix> {
  const { matching, op } = expr;
  if (matching === undefined) throw new Bug(`${expr.op} between vectors has no matching.`);
  const { budget, annotations } = query;
  query.charge(left.cells + right.cells);
  if (isSetOperator(op)) {
    budget.room(left.cells + right.cells);
    const out = budget.keep(yield* setOperation(op, matching, [left, right], query));
    budget.drop(right);
    return out;
  }
  const out = yield* matched(new Operation(expr, annotations), matching, [left, right], query);
  budget.drop(left);
  budget.drop(right);
  return budget.keep(out);
}
