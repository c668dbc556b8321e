import { ALL_FEATURES, childrenOf, type Expr, parse, print } from "../../../reference/metrics/promql/index.ts";
import { itemsOf, membersOf } from "../../harness/shapes.ts";
import type { AskExpression } from "./odd-counts.ts";

/** Functions whose result depends on which of two values is larger, or whether they are equal. */
const COMPARING = /^(?:ts_of_(?:max|min)_over_time|rate|increase|irate|resets|changes)$/;
/** The difference of two values of which the last digits are by chance: the order of operations decides them. */
const ROUNDING = 1e-12;

function* subqueriesOf(expr: Expr): Generator<Expr> {
  if (expr.is === "call" && COMPARING.test(expr.name)) yield* expr.args.filter((one) => one.is === "subquery");
  for (const child of childrenOf(expr)) yield* subqueriesOf(child);
}

/** Whether a query compares calculated values, two of which are equal but for their last digits. */
export async function hasTies(text: string, ask: AskExpression): Promise<boolean> {
  const expr = parse(text, { features: ALL_FEATURES });
  if (expr.is === "fault") return false;
  for (const one of subqueriesOf(expr))
    for (const series of itemsOf(await ask(print(one))).map(membersOf)) {
      const values = itemsOf(series["values"]).map((point) => Number(itemsOf(point)[1]));
      if (values.some((value, at) => values.slice(0, at).some((other) => isNear(value, other)))) return true;
    }
  return false;
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b)) && !Number.isInteger(a);
