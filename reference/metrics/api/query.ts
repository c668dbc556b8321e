import {
  type Annotation,
  describeAnnotation,
  describeFault,
  exceedsPoints,
  type Expr,
  parse as parseText,
  pretty,
  printTree,
  type QueryResult,
  typeOf,
} from "../promql/index.ts";
import { type Answer, ApiError, Json, refused } from "./answer.ts";
import type { ApiParts, Asked, QueryTask } from "./contract.ts";
import { invalid, isTrue, type Params } from "./params.ts";
import { explained } from "./explain.ts";
import { resultJson } from "./results.ts";
import { truncated } from "./series.ts";

/** `query`, `query_range`, `format_query` and `parse_query` (Prometheus docs, querying/api.md, "Expression queries"). */

type Waiting = { readonly signal: AbortSignal; readonly by: Omit<Asked, "text"> };

/** `query`: at `time`, or now. Throws `ApiError` for an invalid parameter and for a failed evaluation. */
export async function instant(parts: ApiParts, params: Params, waiting: Waiting): Promise<Answer> {
  const limit = params.limit();
  const time = params.time("time", parts.now());
  return answer(parts, params, limit, { ...common(params, waiting), expr: expression(params), startMs: time, endMs: time, stepMs: 0 });
}

/** `query_range`: `start`, `end` and `step` have no defaults, and more than 11,000 steps are refused as `bad_data`. */
export async function range(parts: ApiParts, params: Params, waiting: Waiting): Promise<Answer> {
  const limit = params.limit();
  const [startMs, endMs] = [params.time("start"), params.time("end")];
  if (endMs < startMs) throw invalid("end", "end timestamp must not be before start time");
  const stepMs = params.duration("step");
  if (stepMs === undefined) throw invalid("step", 'cannot parse "" to a valid duration');
  if (stepMs < 1) throw invalid("step", "zero or negative query resolution step widths are not accepted. Try a positive integer");
  if (exceedsPoints({ startMs, endMs, stepMs }))
    throw new ApiError(
      "bad_data",
      "exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)",
    );
  const expr = expression(params);
  const type = typeOf(expr);
  if (type !== "scalar" && type !== "vector")
    throw invalid("query", `invalid expression type ${JSON.stringify(TYPES[type])} for range query, must be Scalar or instant Vector`);
  return answer(parts, params, limit, { ...common(params, waiting), expr, startMs, endMs, stepMs: Math.trunc(stepMs) });
}

const TYPES = { matrix: "range vector", string: "string", scalar: "scalar", vector: "instant vector" } as const;

function common(
  params: Params,
  { signal, by }: Waiting,
): Pick<QueryTask, "timeoutMs" | "lookbackMs" | "countSamples" | "isExplained" | "signal" | "asked"> {
  const lookbackMs = params.duration("lookback_delta");
  if (lookbackMs !== undefined && lookbackMs <= 0) throw invalid("lookback_delta", "a look-back is longer than nothing");
  const timeoutMs = params.duration("timeout");
  const asked = { ...by, text: params.text("query") };
  return { timeoutMs, lookbackMs, countSamples: params.text("stats") !== "", isExplained: isTrue(params, "explain"), signal, asked };
}

async function answer(parts: ApiParts, params: Params, limit: number, task: QueryTask): Promise<Answer> {
  const stats = params.text("stats");
  const { result, timings, profile } = await parts.run(task).catch(refused);
  const { write, isCut } = resultJson(result.value, limit);
  const text = params.text("query");
  const described = (annotations: readonly Annotation[]): string[] => annotations.map((one) => describeAnnotation(text, one));
  return {
    data: new Json(function* object(out) {
      out.ascii("{");
      yield* write(out);
      if (stats !== "") out.ascii(',"stats":').value({ timings, samples: samplesOf(result) });
      if (profile !== undefined) out.ascii(',"explain":').value(explained(task.expr, profile));
      yield void out.ascii("}");
    }),
    infos: described(result.infos),
    warnings: [...described(result.warnings), ...truncated(isCut), ...unknownStats(stats)],
  };
}

/** Prometheus docs, querying/api.md, "Query statistics" */
const samplesOf = ({ totalSamples, samplesRead, peakSamples }: QueryResult): Readonly<Record<string, number>> => ({
  totalQueryableSamples: totalSamples,
  samplesRead,
  peakSamples,
});
const unknownStats = (stats: string): string[] =>
  ["", "true", "all"].includes(stats) ? [] : [`stats=${stats} is not known and is taken as stats=true: say "true" or "all"`];

function expression(params: Params): Expr {
  const text = params.text("query");
  const expr = parseText(text);
  if (expr.is === "fault") throw invalid("query", describeFault(text, expr));
  return expr;
}

export const format = (_: ApiParts, params: Params): Answer => ({ data: pretty(expression(params)) });
export const parse = (_: ApiParts, params: Params): Answer => ({ data: printTree(expression(params)) });
