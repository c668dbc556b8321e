import { describeFault, parse } from "../promql/index.ts";
import type { Answer } from "./answer.ts";
import type { ApiParts } from "./contract.ts";
import { invalid, type Params } from "./params.ts";

/**
 * `query_exemplars` (Prometheus docs, querying/api.md, "Querying exemplars"). This storage keeps no exemplars: a valid request is answered with
 * an empty list, as by a server whose exemplar storage is off.
 */
export function exemplars({ now }: ApiParts, params: Params): Answer {
  const [start, end] = [params.time("start", now()), params.time("end", now())];
  if (end < start) throw invalid("end", "end timestamp must not be before start timestamp");
  const text = params.text("query");
  const expr = parse(text);
  if (expr.is === "fault") throw invalid("query", describeFault(text, expr));
  return { data: [] };
}
