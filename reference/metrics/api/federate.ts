import type { Request, Response } from "../../http/index.ts";
import { contentTypeOf, type FamilyToWrite, negotiate, type SampleToWrite, TEXT, writeText } from "../exposition/index.ts";
import { Columns, compareText, type Labels, METRIC_NAME } from "../model/index.ts";
import { LABELS_WORK, selected, Strides, type Work } from "../promql/index.ts";
import { ApiError, failure, refused } from "./answer.ts";
import type { ApiParts } from "./contract.ts";
import { Params } from "./params.ts";

/** `/federate`: the present value of selected series, for another server to scrape (Prometheus docs, federation.md). */

export type Federation = Pick<ApiParts, "storage" | "work" | "now"> & {
  readonly lookbackMs: number;
  /** Labels that every series gets unless it has them. */
  readonly externalLabels: () => Labels;
};

const PATH = "/federate";

/** Answers `/federate` and returns undefined for any other path. */
export function federate(parts: Federation): (request: Request, about: { readonly signal: AbortSignal }) => Promise<Response> | undefined {
  return (request, { signal }) => (request.path.split("?", 1)[0] === PATH ? answer(parts, request, signal) : undefined);
}

async function answer(parts: Federation, request: Request, signal: AbortSignal): Promise<Response> {
  if (request.method === "OPTIONS") return { status: 204, fields: [["allow", "GET, HEAD, OPTIONS"]] };
  if (request.method !== "GET" && request.method !== "HEAD") return { status: 405, fields: [["allow", "GET, HEAD"]] };
  try {
    const params = await Params.of(request);
    const families = await parts.work(familiesOf(parts, params), signal).catch(refused);
    const asked = negotiate(request.fields.get("accept"));
    const format = asked.is === "text" ? asked : TEXT;
    return { status: 200, fields: [["content-type", contentTypeOf(format)]], body: writeText(families, format) };
  } catch (error) {
    if (error instanceof ApiError) return failure(error);
    throw error;
  }
}

/** The last sample of each series within the look-back; a series that has ended has none. Native histograms have no form in text. */
function* familiesOf({ storage, now, lookbackMs, externalLabels }: Federation, params: Params): Work<FamilyToWrite[]> {
  const sets = params.selectors();
  if (sets.length === 0) throw new ApiError("bad_data", "no match[] parameter provided: name the series to federate");
  const end = now();
  const start = end - lookbackMs + 1;
  const external = externalLabels();
  const querier = storage.querier(start, end);
  const columns = new Columns();
  const strides = new Strides();
  const seen = new Set<string>();
  const families = new Map<string, SampleToWrite[]>();
  try {
    for (const matchers of sets)
      for (const series of selected(querier, { matchers, start, end }, strides)) {
        if (series === undefined || strides.isDue(LABELS_WORK)) yield;
        if (series === undefined || seen.has(series.labels.key)) continue;
        seen.add(series.labels.key);
        columns.clear();
        series.read(columns, start, end);
        const last = columns.length - 1;
        if (last < 0 || columns.isStale(last) || columns.histograms?.[last] !== undefined) continue;
        const name = series.labels.metric;
        const samples = families.get(name) ?? [];
        families.set(name, samples);
        samples.push({ name, labels: labelsOf(series.labels, external), value: columns.values[last]!, timestamp: columns.times[last]! });
      }
  } finally {
    querier.close();
  }
  yield;
  return [...families]
    .filter(([name]) => name !== "")
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, samples]) => ({ name, samples }));
}

/** A series without an instance says so: otherwise the scraping server would fill in that of this server. */
function labelsOf(labels: Labels, external: Labels): (readonly [string, string])[] {
  const own = [...labels].filter(([name]) => name !== METRIC_NAME);
  const added = [...external].filter(([name]) => !labels.has(name));
  const hasInstance = [...own, ...added].some(([name]) => name === "instance");
  return [...own, ...added, ...(hasInstance ? [] : [["instance", ""] as const])];
}
