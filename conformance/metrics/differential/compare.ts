import { itemsOf, membersOf } from "../../harness/shapes.ts";
import type { Answer } from "../driver/server-client.ts";
import { succeeded } from "../driver/server-data.ts";
import { numberOf } from "../driver/number-judge.ts";

/** Compares two servers' answers to one query: results, kinds of failure, and annotations. */

/** The tolerances of numbers: a different order of operations changes their last digits, absolutely if they cancel out. */
const RELATIVE = 1e-11;
const ABSOLUTE = 1e-11;

/** The first difference between two answers, as one clause; undefined if they agree. */
export function difference(ours: Answer, theirs: Answer, isOrdered: boolean): string | undefined {
  const [ok, others] = [succeeded(ours), succeeded(theirs)];
  if (!ok || !others) {
    if (ok === others && ours.status === theirs.status) return undefined;
    return ok
      ? `theirs fails: ${errorOf(theirs)}`
      : others
        ? `ours fails: ${errorOf(ours)}`
        : `status ${ours.status}, theirs ${theirs.status}`;
  }
  const [a, b] = [membersOf(ours.json), membersOf(theirs.json)];
  return unlikeResult(membersOf(a["data"]), membersOf(b["data"]), isOrdered) ?? unlikeNotes(a, b);
}

const errorOf = ({ json, text }: Answer): string => String(membersOf(json)["error"] ?? text.slice(0, 200));

type Members = Readonly<Record<string, unknown>>;

function unlikeResult(ours: Members, theirs: Members, isOrdered: boolean): string | undefined {
  if (ours["resultType"] !== theirs["resultType"]) return `a ${String(ours["resultType"])}, theirs a ${String(theirs["resultType"])}`;
  if (ours["resultType"] === "scalar") return unlikeSample(ours["result"], theirs["result"]);
  const [own, other] = [itemsOf(ours["result"]).map(membersOf), itemsOf(theirs["result"]).map(membersOf)];
  // Values that are rounded may become equal: then the exact ones are paired in their order.
  const byLabels = Map.groupBy(own.toSorted(byExactLabels), labelsOf);
  for (const one of other.toSorted(byExactLabels)) {
    const labels = labelsOf(one);
    const found = byLabels.get(labels)?.shift();
    if (found === undefined) return `${labels} is missing: ${shown(one)}`;
    for (const kind of ["value", "histogram"] as const) {
      const wrong = unlikeSample(found[kind], one[kind]);
      if (wrong !== undefined) return `${labels}: ${wrong}`;
    }
    for (const kind of ["values", "histograms"] as const) {
      const wrong = unlikeSamples(itemsOf(found[kind]), itemsOf(one[kind]));
      if (wrong !== undefined) return `${labels}: ${wrong}`;
    }
  }
  const [extra] = [...byLabels.values()].flat();
  if (extra !== undefined) return `${labelsOf(extra)} is not in theirs: ${shown(extra)}`;
  // Equal elements may be in any order.
  const isElsewhere = (one: Members, there: Members): boolean => labelsOf(one) !== labelsOf(there) && !isSame(one["value"], there["value"]);
  const at = isOrdered ? own.findIndex((one, place) => isElsewhere(one, other[place] ?? {})) : -1;
  return at === -1 ? undefined : `${labelsOf(own[at] ?? {})} is at place ${at}, theirs is ${labelsOf(other[at] ?? {})}`;
}

const byExactLabels = (a: Members, b: Members): number => (JSON.stringify(a["metric"]) < JSON.stringify(b["metric"]) ? -1 : 1);
/** The labels of a series. `count_values` and `histogram_quantiles` make values of computed numbers, whose last digits may differ. */
const labelsOf = (one: Members): string =>
  JSON.stringify(
    Object.entries(membersOf(one["metric"]))
      .map(([name, value]) => [
        name,
        name === "value" ? String(value).replaceAll(/\d+\.?\d*(?:e[-+]\d+)?/g, (text) => Number(text).toPrecision(11)) : value,
      ])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
/** Whether two answers have the same samples, in series of any labels: elements that `topk` chose among equal ones. */
export function haveEqualSamples(ours: Answer, theirs: Answer): boolean {
  const samplesOf = ({ json }: Answer): readonly unknown[] =>
    itemsOf(membersOf(membersOf(json)["data"])["result"])
      .map(membersOf)
      .flatMap(({ value, values, histogram, histograms }) => [value, histogram, ...itemsOf(values), ...itemsOf(histograms)])
      .filter((one) => one !== undefined)
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return isSame(samplesOf(ours), samplesOf(theirs));
}

const shown = (one: Members): string => JSON.stringify(one).slice(0, 300);

function unlikeSamples(ours: readonly unknown[], theirs: readonly unknown[]): string | undefined {
  if (ours.length !== theirs.length)
    return `${ours.length} samples, theirs ${theirs.length}: ${JSON.stringify(ours).slice(0, 200)}, theirs ${JSON.stringify(theirs).slice(0, 200)}`;
  for (const [at, one] of theirs.entries()) {
    const wrong = unlikeSample(ours[at], one);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function unlikeSample(ours: unknown, theirs: unknown): string | undefined {
  return isSame(ours, theirs) ? undefined : `${JSON.stringify(ours)}, theirs ${JSON.stringify(theirs)}`;
}

/** Compares a number, a text, or a histogram by its members. */
function isSame(ours: unknown, theirs: unknown): boolean {
  if (typeof ours === "number" && typeof theirs === "number") return ours === theirs;
  if (typeof ours === "string" && typeof theirs === "string") {
    const [a, b] = [numberOf(ours), numberOf(theirs)];
    return ours === theirs || (a !== undefined && b !== undefined && isNear(a, b));
  }
  if (Array.isArray(ours) && Array.isArray(theirs))
    return ours.length === theirs.length && ours.every((one, at) => isSame(one, theirs[at]));
  if (ours === undefined || theirs === undefined) return ours === theirs;
  const [a, b] = [membersOf(ours), membersOf(theirs)];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => isSame(a[name], b[name]));
}

const isNear = (a: number, b: number): boolean =>
  Object.is(a, b) ||
  (Number.isFinite(a) && Number.isFinite(b) && Math.abs(a - b) <= ABSOLUTE + RELATIVE * Math.max(Math.abs(a), Math.abs(b)));

/**
 * Annotations without the place in the query, the measurements and the types of operands that a server may add: the texts promise an annotation for each cause,
 * Prometheus keeps one for each operator.
 */
const notesOf = (list: unknown): string[] =>
  [
    ...new Set(
      itemsOf(list).map((note) =>
        String(note)
          .replace(/ \(\d+:\d+\)$/, "")
          .replace(/, from buckets .*$/, "")
          .replace(/ for metric name ""$/, "")
          .replace(/(incompatible sample types encountered for binary operator "[^"]*"): .*$/, "$1"),
      ),
    ),
  ].sort();

function unlikeNotes(ours: Members, theirs: Members): string | undefined {
  for (const level of ["warnings", "infos"]) {
    const [own, other] = [notesOf(ours[level]), notesOf(theirs[level])];
    // A server may list the first annotations only.
    if (own.length >= other.length - 1 && other.some((note) => /^\d+ more \w+ annotations omitted$/.test(note))) continue;
    if (JSON.stringify(own) !== JSON.stringify(other)) {
      // One note names the metric and another does not: without names they are one.
      const nameless = (note: string): string => note.replace(/ for metric name "[^"]*"$/, "");
      const isBoth = (note: string): boolean => own.includes(note) && other.includes(note);
      const extra = own.filter((note) => !other.includes(note) && !isBoth(nameless(note)));
      const missing = other.filter((note) => !own.includes(note));
      if (extra.length + missing.length === 0) continue;
      return `${level}: ours alone ${JSON.stringify(extra)}, theirs alone ${JSON.stringify(missing)}`;
    }
  }
  return undefined;
}
