import { FUNCTIONS_OF_LANGUAGE } from "../promql/index.ts";
import type { Answer } from "./answer.ts";
import type { ApiParts } from "./contract.ts";

/** `features` (Prometheus docs, querying/api.md, "Features"): what clients may use; an absent feature is one that is off. */

const on = (names: readonly string[]): Readonly<Record<string, boolean>> => Object.fromEntries(names.map((name) => [name, true]));

const OPERATORS: readonly string[] = [
  ..."+ - * / % ^ == != < > <= >= =~ !~ @ and or unless atan2".split(" "),
  ..."sum avg count min max group stddev stdvar topk bottomk limitk limit_ratio count_values quantile".split(" "),
];
const LANGUAGE: readonly string[] = [
  ..."anchored at_modifier bool by duration_expr fill fill_left fill_right group_left group_right ignoring negative_offset".split(" "),
  ..."offset on per_query_lookback_delta smoothed subqueries without".split(" "),
];

export function features({ admin, features: more = {}, scraping }: ApiParts): Answer {
  const known: Record<string, Readonly<Record<string, boolean>>> = {
    api: {
      admin: admin !== undefined,
      ...on([
        "exclude_alerts",
        "label_values_match",
        "query_explain",
        "query_stats",
        "query_warnings",
        "time_range_labels",
        "time_range_series",
      ]),
    },
    promql: on(LANGUAGE),
    promql_functions: on(FUNCTIONS_OF_LANGUAGE),
    promql_operators: on(OPERATORS),
    ...(scraping !== undefined && { service_discovery_providers: on(["file", "static"]) }),
  };
  for (const [category, names] of Object.entries(more)) known[category] = { ...known[category], ...names };
  return { data: known };
}
