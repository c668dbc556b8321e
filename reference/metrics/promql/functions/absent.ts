import { Labels, METADATA_NAMES, type Matcher } from "../../model/index.ts";
import { type Call, type Expr, unwrap } from "../syntax/ast.ts";
import type { Frame, Work } from "../evaluate/query.ts";
import { eachRange, shapeOf } from "../evaluate/range-rows.ts";
import { eachRow } from "../evaluate/rows.ts";
import { ABSENT, FLOAT, Matrix } from "../evaluate/value.ts";
import { argument, vectorArgument } from "./given.ts";

/** Prometheus docs, querying/functions.md, "absent()" */
export function* absent(call: Call, frame: Frame): Work<Matrix> {
  const matrix = yield* vectorArgument(call, 0, frame);
  const seen = new Uint8Array(frame.steps);
  yield* eachRow(matrix, frame.query, (_row, first) => {
    for (let step = 0; step < frame.steps; step++) if (matrix.kinds[first + step] !== ABSENT) seen[step] = 1;
  });
  frame.query.budget.drop(matrix);
  return unseen(seen, argument(call, 0));
}

/** Prometheus docs, querying/functions.md, "absent_over_time()" */
export function* absentOverTime(call: Call, frame: Frame): Work<Matrix> {
  const arg = unwrap(argument(call, 0));
  const seen = new Uint8Array(frame.steps);
  if (arg.is === "matrixSelector" || arg.is === "subquery") {
    const shape = shapeOf(arg, frame);
    yield* eachRange(arg, frame, shape, (_labels, columns) => {
      for (let step = 0; step < seen.length; step++) {
        const end = shape.ends[step] ?? 0;
        const row = columns.rowAt(end - shape.rangeMs + 1);
        if (row < columns.length && (columns.times[row] ?? 0) <= end) seen[step] = 1;
      }
    });
  }
  return unseen(seen, arg);
}

function unseen(seen: Uint8Array, arg: Expr): Matrix {
  const out = new Matrix(seen.length, 1);
  out.addRow(impliedLabels(arg));
  for (const [step, flag] of seen.entries()) {
    if (flag === 1) continue;
    out.values[step] = 1;
    out.kinds[step] = FLOAT;
  }
  return out;
}

/** The labels that every selected series would have: those with exactly one matcher, an equality. */
function impliedLabels(arg: Expr): Labels {
  const inner = unwrap(arg);
  const selector = inner.is === "matrixSelector" ? inner.selector : inner;
  if (selector.is !== "vectorSelector") return Labels.NONE;
  const conditions = Map.groupBy(selector.matchers, (matcher) => matcher.name);
  const isImplied = ([only, second]: readonly Matcher[]): boolean => only?.operator === "=" && second === undefined;
  const pairs = [...conditions].filter(([name, matchers]) => !METADATA_NAMES.has(name) && isImplied(matchers));
  return Labels.of(pairs.map(([name, [matcher]]) => [name, matcher?.value ?? ""] as const));
}
