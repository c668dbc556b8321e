import { type Answer, ApiError } from "./answer.ts";
import type { ApiParts } from "./contract.ts";
import { invalid, type Params } from "./params.ts";

/** How a job finds and changes its targets (Prometheus docs, querying/api.md, "Relabel steps" and "Scrape pool configuration"). */

/** The most characters of labels: an answer repeats them for every rule. */
const MOST_LABELS = 65_536;

/** `targets/relabel_steps`: what each rule of a job does with a set of labels. */
export function relabelSteps({ scraping }: ApiParts, params: Params): Answer {
  const pool = required(params, "scrapePool");
  const labels = labelsIn(required(params, "labels"));
  const steps = scraping?.relabelSteps(pool, labels);
  if (steps === undefined) throw noPool(pool);
  return { data: { steps } };
}

/** `scrape_pools/config`: a job as YAML. */
export function poolConfig({ scraping }: ApiParts, params: Params): Answer {
  const pool = required(params, "scrapePool");
  const yaml = scraping?.poolConfig(pool);
  if (yaml === undefined) throw noPool(pool);
  return { data: { yaml } };
}

const noPool = (pool: string): ApiError => new ApiError("bad_data", `scrape pool ${JSON.stringify(pool)} not found`);

function required(params: Params, name: string): string {
  const text = params.text(name);
  if (text === "") throw new ApiError("bad_data", `no ${name} parameter provided`);
  return text;
}

function labelsIn(text: string): Readonly<Record<string, string>> {
  if (text.length > MOST_LABELS) throw invalid("labels", `there are more than ${MOST_LABELS} characters`);
  const labels = parsed(text);
  if (typeof labels !== "object" || labels === null || Array.isArray(labels)) throw invalid("labels", "it is not an object of JSON");
  for (const [name, value] of Object.entries(labels))
    if (typeof value !== "string") throw invalid("labels", `the value of ${JSON.stringify(name)} is not a string`);
  return labels as Readonly<Record<string, string>>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("labels", "it is not JSON");
  }
}
