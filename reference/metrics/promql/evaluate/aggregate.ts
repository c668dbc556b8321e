import { Bug } from "../../../core/index.ts";
import { aggregationOf } from "../aggregate/aggregations.ts";
import { avg, count, deviation, extreme, group, hasHistogram, sum } from "../aggregate/fold.ts";
import { countValues, quantiles, withHistograms } from "../aggregate/gather.ts";
import { type Groups, groupsOf } from "../aggregate/groups.ts";
import { best, share, some } from "../aggregate/pick.ts";
import type { Annotations } from "./annotations.ts";
import { type Aggregate, type Expr, unwrap } from "../syntax/ast.ts";
import { ExecutionFailure } from "./failure.ts";
import { warnOfQuantiles } from "../functions/arguments.ts";
import { general } from "../../model/index.ts";
import type { Frame, Work } from "./query.ts";
import type { Matrix } from "./value.ts";

/** An aggregation (Prometheus docs, querying/operators.md, "Aggregation operators"): groups are computed once for all steps. */
export function* aggregate(expr: Aggregate, frame: Frame): Work<Matrix> {
  const { query } = frame;
  const param = expr.param === undefined || expr.op === "count_values" ? undefined : yield* parameter(expr.param, frame);
  const matrix = yield* query.evaluate(expr.expr, frame);
  if (matrix.is !== "vector") throw new Bug(`The argument of ${expr.op} is not a vector.`);
  const groups = yield* groupsOf(matrix, expr, query);
  query.budget.room(groups.labels.length * frame.steps);
  const out = yield* aggregated(expr, frame, { matrix, groups, param: param ?? new Float64Array(0) });
  if (aggregationOf(expr.op).ignoresHistograms === true && hasHistogram(matrix)) remarkIgnored(expr, query.annotations);
  query.budget.drop(matrix);
  out.held = 0;
  return query.budget.keep(out);
}

function remarkIgnored({ op, expr, span }: Aggregate, annotations: Annotations): void {
  annotations.info(`ignored histogram in ${op} aggregation`, op === "topk" || op === "bottomk" ? span : expr.span);
}

function* parameter(expr: Expr, frame: Frame): Work<Float64Array> {
  const value = yield* frame.query.evaluate(expr, frame);
  if (value.is === "scalar") return value.values;
  throw new Bug("The parameter of an aggregation is not a scalar.");
}

/** The input of an aggregation: its groups, and its parameter by step. */
type Grouped = { readonly matrix: Matrix; readonly groups: Groups; readonly param: Float64Array };

function* aggregated(expr: Aggregate, frame: Frame, { matrix, groups, param }: Grouped): Work<Matrix> {
  const { query } = frame;
  const { annotations } = query;
  switch (expr.op) {
    case "sum":
      return yield* orHistograms(yield* sum(matrix, groups, query));
    case "avg":
      return yield* orHistograms(yield* avg(matrix, groups, query));
    case "min":
      return yield* extreme(matrix, groups, query, -1);
    case "max":
      return yield* extreme(matrix, groups, query, 1);
    case "count":
      return yield* count(matrix, groups, query);
    case "group":
      return yield* group(matrix, groups, query);
    case "stddev":
      return yield* deviation(matrix, groups, query, true);
    case "stdvar":
      return yield* deviation(matrix, groups, query, false);
    case "topk":
      return yield* best(matrix, groups, { ks: wholeNumbers(param), sign: 1 }, query);
    case "bottomk":
      return yield* best(matrix, groups, { ks: wholeNumbers(param), sign: -1 }, query);
    case "limitk":
      return yield* some(matrix, groups, wholeNumbers(param), query);
    case "limit_ratio":
      return yield* share(matrix, ratios(expr, param, frame), query);
    case "quantile":
      if (expr.param !== undefined) warnOfQuantiles(param, annotations, expr.param.span);
      return yield* quantiles(matrix, groups, param, query);
    case "count_values":
      return yield* countValues(matrix, groups, labelOf(expr), query);
  }

  function* orHistograms(floats: Matrix): Work<Matrix> {
    if (matrix.histograms === undefined) return floats;
    return yield* withHistograms({ matrix, groups, floats, isAverage: expr.op === "avg" }, query, (message, level) =>
      annotations[level](message, expr.expr.span),
    );
  }
}

/** The parameters of `topk`, `bottomk` and `limitk` without their fractions; each must fit a 64-bit integer. */
function wholeNumbers(param: Float64Array): Float64Array {
  for (const value of param) {
    if (value !== value) throw new ExecutionFailure("Parameter value is NaN");
    if (!(value < 2 ** 63 && value > -(2 ** 63))) throw new ExecutionFailure(`Scalar value ${general(value)} overflows int64`);
  }
  return param.map(Math.trunc);
}

function ratios({ param: expr, span }: Aggregate, param: Float64Array, { query }: Frame): Float64Array {
  for (const value of param) {
    if (value !== value) throw new ExecutionFailure("Ratio value is NaN");
    if (Math.abs(value) <= 1) continue;
    const capped = general(Math.sign(value));
    query.annotations.warn(`ratio value should be between -1 and 1, got ${general(value)}, capping to ${capped}`, expr?.span ?? span);
  }
  return param;
}

function labelOf({ param }: Aggregate): string {
  const inner = param === undefined ? undefined : unwrap(param);
  const label = inner?.is === "string" ? inner.value : "";
  if (label === "" || !label.isWellFormed()) throw new ExecutionFailure(`invalid label name ${JSON.stringify(label)}`);
  return label;
}
