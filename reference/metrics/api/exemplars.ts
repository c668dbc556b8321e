import type { Matcher } from "../model/index.ts";
import { childrenOf, describeFault, type Expr, parse } from "../promql/index.ts";
import type { Answer } from "./answer.ts";
import type { ApiParts } from "./contract.ts";
import { formatValue } from "./number.ts";
import { invalid, type Params } from "./params.ts";

/** `query_exemplars` (Prometheus docs, querying/api.md, "Querying exemplars"): those of the series that the expression selects. */
export function exemplars({ now, exemplars: store }: ApiParts, params: Params): Answer {
  const [start, end] = [params.time("start", now()), params.time("end", now())];
  if (end < start) throw invalid("end", "end timestamp must not be before start timestamp");
  const text = params.text("query");
  const expr = parse(text);
  if (expr.is === "fault") throw invalid("query", describeFault(text, expr));
  const found = [...(store?.select([...selectorsIn(expr)], start, end) ?? [])];
  return {
    data: found.map(({ series, exemplars: own }) => ({
      seriesLabels: series,
      exemplars: own.map(({ labels, value, time }) => ({ labels, value: formatValue(value), timestamp: time / 1_000 })),
    })),
  };
}

function* selectorsIn(expr: Expr): Generator<readonly Matcher[]> {
  if (expr.is === "vectorSelector") yield expr.matchers;
  for (const child of childrenOf(expr)) yield* selectorsIn(child);
}
