import { type Expr, type Modifiers, unwrap } from "../syntax/ast.ts";
import { FUNCTIONS } from "../functions/table.ts";
import { atMs, type EngineOptions, msOf, type Steps } from "./query.ts";
import { childrenOf } from "../syntax/walk.ts";

/** The range of time that a query reads, both ends included: what a storage opens for it. Undefined if it reads nothing. */
export type Extent = { readonly startMs: number; readonly endMs: number };

/** The range that covers every step, each selector's own window, and the windows of the subqueries around it. */
export function extentOf(root: Expr, steps: Steps, options: EngineOptions): Extent | undefined {
  let startMs = Infinity;
  let endMs = -Infinity;
  const stack: { readonly expr: Expr; readonly within: Extent; readonly range: number }[] = [{ expr: root, within: steps, range: 0 }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const { expr, within, range } = at;
    if (expr.is === "vectorSelector") {
      const { startMs: from, endMs: to } = moved(expr, within, steps);
      const before = range > 0 && expr.extension === undefined ? range : range + options.lookbackMs;
      startMs = Math.min(startMs, from - before + 1);
      endMs = Math.max(endMs, to + (expr.extension === "smoothed" ? options.lookbackMs : 0));
    } else if (expr.is === "matrixSelector") {
      stack.push({ expr: expr.selector, within, range: msOf(expr.range, steps, "length") });
    } else if (expr.is === "subquery") {
      const { startMs: from, endMs: to } = moved(expr, within, steps);
      stack.push({ expr: unwrap(expr.expr), within: { startMs: from - msOf(expr.range, steps, "length"), endMs: to }, range: 0 });
    } else {
      if (expr.is === "call" && FUNCTIONS[expr.name].matchersAt !== undefined) {
        // Info series are looked up at the steps themselves, whatever the offset of the vector.
        startMs = Math.min(startMs, within.startMs - options.lookbackMs + 1);
        endMs = Math.max(endMs, within.endMs);
      }
      for (const child of childrenOf(expr)) stack.push({ expr: child, within, range: 0 });
    }
  }
  return endMs === -Infinity ? undefined : { startMs, endMs };
}

function moved({ at, offset }: Modifiers, within: Extent, steps: Steps): Extent {
  const back = offset === undefined ? 0 : msOf(offset, steps, "offset");
  const pinned = at === undefined ? undefined : atMs(at, steps);
  return { startMs: (pinned ?? within.startMs) - back, endMs: (pinned ?? within.endMs) - back };
}
