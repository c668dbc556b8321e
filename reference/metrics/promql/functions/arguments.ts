import { general } from "../../model/index.ts";
import type { Annotations } from "../annotations.ts";
import type { Call, Span } from "../ast.ts";
import { ExecutionFailure } from "../failure.ts";

/** What the scalar arguments themselves give occasion to say, or to refuse, once a query. */
export function checkArguments(call: Call, scalars: readonly Float64Array[], annotations: Annotations): void {
  const [first] = call.args;
  if (call.name === "quantile_over_time" && first !== undefined) remarkQuantiles(scalars[0], annotations, first.span);
  if (call.name === "double_exponential_smoothing") {
    checkFactor(scalars[0], "smoothing factor");
    checkFactor(scalars[1], "trend factor");
  }
}

/** φ beyond 0 to 1 has a result, and most likely is a mistake. */
export function remarkQuantiles(values: Float64Array | undefined, annotations: Annotations, span: Span): void {
  const wrong = values?.find((phi) => !(phi >= 0 && phi <= 1));
  if (wrong !== undefined) annotations.warn(`quantile value should be between 0 and 1, got ${general(wrong)}`, span);
}

/** Prometheus docs, querying/functions.md, "double_exponential_smoothing()" */
function checkFactor(values: Float64Array | undefined, name: string): void {
  const wrong = values?.find((factor) => !(factor > 0 && factor < 1));
  if (wrong !== undefined)
    throw new ExecutionFailure(
      `invalid ${name}. Expected: 0 < ${name.split(" ")[0] === "trend" ? "tf" : "sf"} < 1, got: ${wrong.toFixed(6)}`,
    );
}
