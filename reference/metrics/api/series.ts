import { unescapeName } from "../exposition/index.ts";
import { compareLabels, compareText, type Labels, type Matcher } from "../model/index.ts";
import { isShort, LABELS_WORK, selected, sorted, Strides, type Work } from "../promql/index.ts";
import type { Querier, Queryable } from "../storage/index.ts";
import { type Answer, ApiError, Json, refused } from "./answer.ts";
import type { ApiParts } from "./contract.ts";
import { invalid, type Params } from "./params.ts";

/** `series`, `labels`, `label/<name>/values` and `metadata` (Prometheus docs, querying/api.md, "Querying metadata"). */

/** `series`, of other servers too. */
export async function seriesOfAll(parts: ApiParts, params: Params, { signal }: { readonly signal: AbortSignal }): Promise<Answer> {
  const others = await parts.others?.series({ sets: params.selectors(), ...params.range(), signal })?.catch(refused);
  const from = others === undefined ? parts : { ...parts, storage: others.storage };
  const answer = await parts.work(series(from, params), signal).catch(refused);
  return { ...answer, warnings: [...(answer.warnings ?? []), ...(others?.warnings ?? [])] };
}

/** `series`: the label sets that at least one `match[]` selects, sorted by labels, with a warning if `limit` cuts them. */
export function* series({ storage }: ApiParts, params: Params): Work<Answer> {
  const sets = params.selectors();
  if (sets.length === 0) throw new ApiError("bad_data", "no match[] parameter provided");
  const { start, end } = params.range();
  const limit = params.limit();
  const found = yield* distinct(storage, sets, { start, end }, limit);
  const shown = found.slice(0, limit);
  return { data: listed(shown), warnings: truncated(found.length > limit) };
}

/** The series sorted by labels, each once; one more than the limit shows that there are more. */
function* distinct(storage: Queryable, sets: readonly (readonly Matcher[])[], { start, end }: Range, limit: number): Work<Labels[]> {
  const querier = storage.querier(start, end);
  const strides = new Strides();
  try {
    const found = new Map<string, Labels>();
    for (const matchers of sets) {
      for (const one of selected(querier, { matchers, start, end, hints: { sorted: true, limit: limit + 1 } }, strides)) {
        if (one !== undefined) found.set(one.labels.key, one.labels);
        if (one === undefined || strides.isDue(LABELS_WORK)) yield;
        if (sets.length === 1 && found.size > limit) break;
      }
      yield;
    }
    return yield* sorted([...found.values()], compareLabels, strides);
  } finally {
    querier.close();
  }
}

/** `labels`: without a `match[]`, the label names of all series within the times. */
export function* labelNames(parts: ApiParts, params: Params): Work<Answer> {
  return yield* texts(parts, params, {
    stored: (querier, sets, { start, end }) => querier.labelNames(sets, start, end),
    own: (labels) => Array.from(labels, ([name]) => name),
  });
}

/** `label/<name>/values`: `encoded` is the name from the path; without a `match[]`, the values of all series within the times. */
export function* labelValues(parts: ApiParts, params: Params, encoded: string): Work<Answer> {
  // A name that a path cannot hold is escaped with the prefix `U__` (Prometheus instrumenting docs, escaping_schemes.md, "values").
  const name = unescapeName(encoded, "values");
  if (name === "") throw invalid("name", "a label has a name");
  return yield* texts(parts, params, {
    stored: (querier, sets, { start, end }) => querier.labelValues(name, sets, start, end),
    own: (labels) => (labels.has(name) ? [labels.get(name)] : []),
  });
}

/** A question about series: `stored` asks the whole storage, `own` one series. */
type Question = {
  readonly stored: (querier: Querier, sets: readonly (readonly Matcher[])[], range: Range) => readonly string[];
  readonly own: (labels: Labels) => readonly string[];
};
type Range = { readonly start: number; readonly end: number };

function* texts({ storage, others }: ApiParts, params: Params, { stored, own }: Question): Work<Answer> {
  const sets = params.selectors();
  const range = params.range();
  const limit = params.limit();
  const querier = storage.querier(range.start, range.end);
  const strides = new Strides();
  try {
    const elsewhere = (others?.withoutLabels(range) ?? []).map((name) => `remote_read ${name}: its names and values of labels are missing`);
    const answer = (all: readonly string[]): Answer => {
      const { data, warnings = [] } = cut(all, limit);
      return { data, warnings: [...warnings, ...elsewhere] };
    };
    if (sets.length === 0) return answer(stored(querier, [], range));
    const found = new Set<string>();
    for (const matchers of sets) {
      yield;
      if (isShort(matchers)) for (const text of stored(querier, [matchers], range)) found.add(text);
      else {
        for (const one of selected(querier, { matchers, ...range }, strides)) {
          if (one !== undefined) for (const text of own(one.labels)) found.add(text);
          if (one === undefined || strides.isDue(LABELS_WORK)) yield;
        }
      }
    }
    return answer(yield* sorted([...found], compareText, strides));
  } finally {
    querier.close();
  }
}

/** `metadata`: at most `limit` metrics, each with at most `limit_per_metric` entries; an unknown metric gives an empty object. */
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
