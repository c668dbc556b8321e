import { unescapeName } from "../exposition/index.ts";
import { compareLabels, type Labels, type Matcher } from "../model/index.ts";
import type { Queryable } from "../storage/index.ts";
import { type Answer, ApiError, Json } from "./answer.ts";
import type { ApiParts } from "./contract.ts";
import { invalid, type Params } from "./params.ts";

/** `series`, `labels`, `label/<name>/values` and `metadata` (querying/api.md, "Querying metadata"). */

/** `series`: the label sets that at least one `match[]` selects, in the order of their labels, with a warning where `limit` cuts them. */
export function series({ storage }: ApiParts, params: Params): Answer {
  const sets = params.selectors();
  if (sets.length === 0) throw new ApiError("bad_data", "no match[] parameter provided");
  const { start, end } = params.range();
  const limit = params.limit();
  const found = distinct(storage, sets, start, end, limit);
  const shown = found.slice(0, limit);
  return { data: listed(shown), warnings: truncated(found.length > limit) };
}

/** In the order of their labels, each once; one more than the limit says that there are more. */
function distinct(storage: Queryable, sets: readonly (readonly Matcher[])[], start: number, end: number, limit: number): Labels[] {
  const querier = storage.querier(start, end);
  try {
    const found = new Map<string, Labels>();
    for (const matchers of sets) {
      for (const { labels } of querier.select(matchers, start, end, { sorted: true, limit: limit + 1 })) {
        found.set(labels.key, labels);
        if (sets.length === 1 && found.size > limit) break;
      }
    }
    return [...found.values()].sort(compareLabels);
  } finally {
    querier.close();
  }
}

/** `labels`: without a `match[]` those of all series within the times. */
export function labelNames({ storage }: ApiParts, params: Params): Answer {
  const sets = params.selectors();
  const { start, end } = params.range();
  const limit = params.limit();
  const querier = storage.querier(start, end);
  try {
    return cut(querier.labelNames(sets, start, end), limit);
  } finally {
    querier.close();
  }
}

/** `label/<name>/values`: `encoded` is the name as the path has it; without a `match[]` those of all series within the times. */
export function labelValues({ storage }: ApiParts, params: Params, encoded: string): Answer {
  // What a path cannot hold comes in the form that begins with `U__` (escaping_schemes.md, "values").
  const name = unescapeName(encoded, "values");
  if (name === "") throw invalid("name", "a label has a name");
  const sets = params.selectors();
  const { start, end } = params.range();
  const limit = params.limit();
  const querier = storage.querier(start, end);
  try {
    return cut(querier.labelValues(name, sets, start, end), limit);
  } finally {
    querier.close();
  }
}

/** `metadata`: by metric, `limit` of them, each with `limit_per_metric` accounts of it; a metric that is not known gives an empty object. */
export function metadata(parts: ApiParts, params: Params): Answer {
  const limit = params.limit();
  const each = params.limit("limit_per_metric");
  const metric = params.text("metric");
  const known = parts.metadata();
  const names = metric === "" ? [...known.keys()] : known.has(metric) ? [metric] : [];
  return { data: Object.fromEntries(names.slice(0, limit).map((name) => [name, known.get(name)?.slice(0, each) ?? []])) };
}

function cut(all: readonly string[], limit: number): Answer {
  return { data: all.slice(0, limit), warnings: truncated(all.length > limit) };
}

export const truncated = (is: boolean): string[] => (is ? ["results truncated due to limit"] : []);

const listed = (all: readonly Labels[]): Json =>
  new Json(function* list(out) {
    out.ascii("[");
    for (const [at, labels] of all.entries()) yield void (at === 0 ? out : out.ascii(",")).labels(labels);
    yield void out.ascii("]");
  });
