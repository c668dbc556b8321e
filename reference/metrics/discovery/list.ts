import type { Group, LabelSet } from "./group.ts";

/** Lists of targets in JSON (Prometheus docs, http_sd.md, "HTTP_SD format"). */

const CONTENT_TYPE = /^application\/json(?:;\s*charset=(?:"utf-8"|utf-8))?$/i;

/** The groups of an answer of `http_sd_configs`, or an `Error` that says what is wrong and where. `url` becomes the label `__meta_url`. */
export function groupsOfList(text: string, contentType: string | undefined, url: string): readonly Group[] | Error {
  if (!CONTENT_TYPE.test((contentType ?? "").trim()))
    return new Error(`the Content-Type is ${JSON.stringify(contentType ?? "")} instead of application/json`);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    return new Error(`the answer is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (list === null) return [];
  if (!Array.isArray(list)) return new Error("the answer is not a list of groups");
  const groups: Group[] = [];
  for (const [at, one] of (list as unknown[]).entries()) {
    const group = groupOf(one, url, at);
    if (typeof group === "string") return new Error(`[${at}]${group}`);
    groups.push(group);
  }
  return groups;
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

function groupOf(value: unknown, url: string, at: number): Group | string {
  if (!isMap(value)) return ": it is not a group with targets and labels";
  const unknown = Object.keys(value).find((key) => !/^(?:targets|labels)$/i.test(key));
  if (unknown !== undefined) return `.${unknown}: unknown field`;
  const field = (name: string): unknown => Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1] ?? undefined;
  const [targets = [], labels = {}] = [field("targets"), field("labels")];
  if (!Array.isArray(targets)) return ".targets: it is not a list";
  const odd = targets.findIndex((target) => typeof target !== "string");
  if (odd !== -1) return `.targets[${odd}]: it is not text`;
  if (!isMap(labels)) return ".labels: it is not a map";
  for (const [name, label] of Object.entries(labels)) {
    if (name === "" || !name.isWellFormed()) return `.labels: ${JSON.stringify(name)} is not a label name`;
    if (typeof label !== "string") return `.labels.${name}: it is not text`;
  }
  return {
    source: `${url}:${at}`,
    targets: (targets as string[]).map((address) => ({ __address__: address })),
    labels: { ...(labels as LabelSet), __meta_url: url },
  };
}
