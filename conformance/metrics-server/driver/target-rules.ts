import type { Answer } from "./record.ts";
import { isOfType, jsonOf, notGood, nth, shown, valueAt, type Rules } from "./seen.ts";

/** What must be true of targets and their pools. */

type Target = Readonly<Record<string, unknown>> & { readonly scrapePool?: string };
const listOf = (answer: Answer, name: string): readonly Target[] => {
  const found = valueAt(jsonOf(answer), name);
  return Array.isArray(found) ? (found as readonly Target[]) : [];
};
/** The pool of a target, by itself or by the label that its job gave it. */
const poolOf = (target: Target): string => target.scrapePool ?? String(valueAt(target, "discoveredLabels.job"));
const targetOf = (answer: Answer, pool: string | undefined): Target | undefined =>
  listOf(answer, "data.activeTargets").find((one) => poolOf(one) === pool);

export const TARGET_RULES: Rules = {
  "target-type": (record, [n, pool, field, type]) => {
    const target = targetOf(nth(record, n), pool);
    if (target === undefined) return notGood(nth(record, n)) ?? `the target of ${pool} is not shown`;
    return isOfType(target[field!], type!) ? undefined : `${field} is ${shown(target[field!])}`;
  },
  target: (record, [n, pool, field, value]) => {
    const target = targetOf(nth(record, n), pool);
    if (target === undefined) return notGood(nth(record, n)) ?? `the target of ${pool} is not shown`;
    const found = valueAt(target, field!);
    return String(found) === value!.replace("{target}", record.target) ? undefined : `${field} is ${shown(found)}`;
  },
  "target-text": (record, [n, pool, field]) => {
    const target = targetOf(nth(record, n), pool);
    const found = target === undefined ? undefined : valueAt(target, field!);
    return notGood(nth(record, n)) ?? (typeof found === "string" && found !== "" ? undefined : `${field} is ${shown(found)}`);
  },
  /** The active targets are of these pools and no others; a pool without targets may be among them. */
  pools: (record, [n, ...wanted]) => {
    const found = [...new Set(listOf(nth(record, n), "data.activeTargets").map(poolOf))].toSorted();
    const needed = wanted.filter((one) => one !== "dropped");
    return (
      notGood(nth(record, n)) ?? (found.join() === needed.join() ? undefined : `the active targets are of ${found.join(", ") || "no pool"}`)
    );
  },
  dropped: (record, [n, pool]) => {
    const found = listOf(nth(record, n), "data.droppedTargets").map(poolOf);
    return notGood(nth(record, n)) ?? (found.includes(pool!) ? undefined : `the dropped targets are of ${found.join(", ") || "no pool"}`);
  },
  /** The last step of relabelling keeps or drops the target; its labels have this value. */
  steps: (record, [n, keep, value]) => {
    const list = listOf(nth(record, n), "data.steps");
    const last = list.at(-1);
    if (last === undefined) return notGood(nth(record, n)) ?? "there are no steps";
    if (!isOfType(last["rule"], "object") || String(last["keep"]) !== keep) return `the last step is ${shown(last)}`;
    return value === "" || Object.values((last["output"] ?? {}) as object).includes(value)
      ? undefined
      : `its output is ${shown(last["output"])}`;
  },
  /** The metadata is of so many targets at most. */
  "metadata-targets": (record, [n, most]) => {
    const list = listOf(nth(record, n), "data");
    const targets = new Set(list.map((one) => JSON.stringify(one["target"])));
    if (list.length === 0) return notGood(nth(record, n)) ?? "there is no metadata";
    return targets.size <= Number(most) ? undefined : `the metadata is of ${targets.size} targets`;
  },
  metadata: (record, [n, job, type, help]) => {
    const list = listOf(nth(record, n), "data");
    const isIt = (one: Target): boolean => valueAt(one, "target.job") === job && one["type"] === type && one["help"] === help;
    return notGood(nth(record, n)) ?? (list.some(isIt) ? undefined : `the metadata is ${shown(list)}`);
  },
};
