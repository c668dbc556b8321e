import { general } from "../../model/index.ts";
import type { Annotations } from "../evaluate/annotations.ts";
import type { Call, Span } from "../syntax/ast.ts";
import { ExecutionFailure } from "../evaluate/failure.ts";

/** Checks of scalar arguments, made once for each query. */

/** `quantile_over_time`: warns of a φ outside 0 to 1. */
export function checkQuantile({ args: [phi] }: Call, scalars: readonly Float64Array[], annotations: Annotations): void {
  if (phi !== undefined) warnOfQuantiles(scalars[0], annotations, phi.span);
}

/** `double_exponential_smoothing`: fails unless both factors are between 0 and 1. */
export function checkSmoothing(_call: Call, scalars: readonly Float64Array[]): void {
  checkFactor(scalars[0], "smoothing factor", "sf");
  checkFactor(scalars[1], "trend factor", "tf");
}

/** A φ outside 0 to 1 has a result, but is most likely a mistake. */
export function warnOfQuantiles(values: Float64Array | undefined, annotations: Annotations, span: Span): void {
  const wrong = values?.find((phi) => !(phi >= 0 && phi <= 1));
  if (wrong !== undefined) annotations.warn(`quantile value should be between 0 and 1, got ${general(wrong)}`, span);
}

/** Prometheus docs, querying/functions.md, "double_exponential_smoothing()" */
function checkFactor(values: Float64Array | undefined, name: string, short: string): void {
  const wrong = values?.find((factor) => !(factor > 0 && factor < 1));
  if (wrong !== undefined) throw new ExecutionFailure(`invalid ${name}. Expected: 0 < ${short} < 1, got: ${wrong.toFixed(6)}`);
}
