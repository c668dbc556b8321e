import type { LabelsSeen, Sight } from "../vocabulary.ts";
import { ASK_RULES } from "./ask-rules.ts";
import { KEEP_RULES } from "./keep-rules.ts";
import { nameOf, type JobRecord, type Series, timesOf } from "./record.ts";

/** Compares a record with a sight. */

/** The first fault; undefined if all is as it must be. */
export function faultOf(see: Sight, record: JobRecord): string | undefined {
  switch (see.see) {
    case "stored":
      return storedFault(see, record);
    case "absent": {
      const found = seriesOf(record, see.name, see.labels)[0];
      return found === undefined ? undefined : `${shown(found)} is stored`;
    }
    case "goes-on":
    case "ended": {
      if (seriesOf(record, see.name).every(({ points }) => points.length === 0)) return `${see.name} was never stored`;
      const isThere = record.alive.some((labels) => labels["__name__"] === see.name);
      return isThere === (see.see === "goes-on") ? undefined : `${see.name} is ${isThere ? "still" : "no longer"} shown at the last scrape`;
    }
    case "report":
      return reportFault(see, record);
    case "asks":
      return record.asked.length === 0 ? "the target was not asked" : ASK_RULES[see.rule]!(record, see.words ?? []);
    case "keeps":
      return KEEP_RULES[see.rule]!(record, see.words ?? []);
    case "all": {
      for (const one of see.of) {
        const fault = faultOf(one, record);
        if (fault !== undefined) return fault;
      }
      return undefined;
    }
  }
}

/** A sight in words. */
export function inWords(see: Sight): string {
  switch (see.see) {
    case "stored":
      return `${labelled(see.name, see.labels)} is stored${see.value === undefined ? "" : ` with ${see.value}`}`;
    case "absent":
      return `${labelled(see.name, see.labels)} is not stored`;
    case "goes-on":
      return `${see.name} is shown at the last scrape`;
    case "ended":
      return `${see.name} is no longer shown at the last scrape`;
    case "report":
      return `${see.name} is ${wanted(see)} in stage ${see.stage}`;
    case "asks":
    case "keeps":
      return `the rule "${see.rule}"${see.words === undefined ? "" : ` of ${see.words.join(", ")}`}`;
    case "all":
      return see.of.map(inWords).join(", and ");
  }
}

const labelled = (name: string, labels: LabelsSeen = {}): string => {
  const all = Object.entries(labels).map(([label, value]) => (value === null ? `no ${label}` : `${label}="${value}"`));
  return all.length === 0 ? name : `${name}{${all.join(",")}}`;
};
const shown = (one: Series): string => {
  const { __name__: _, case: __, ...labels } = one.labels;
  return labelled(nameOf(one), labels);
};

const seriesOf = ({ series, target, job }: JobRecord, name: string, labels: LabelsSeen = {}): Series[] =>
  series.filter(
    (one) =>
      nameOf(one) === name &&
      Object.entries(labels).every(([label, value]) =>
        value === null
          ? one.labels[label] === undefined
          : one.labels[label] === value.replaceAll("{target}", target).replaceAll("{job}", job),
      ),
  );

function storedFault({ name, labels, value, stage }: Extract<Sight, { see: "stored" }>, record: JobRecord): string | undefined {
  const times = stage === undefined ? undefined : new Set(timesOf(record.series, stage));
  const named = seriesOf(record, name);
  const found = seriesOf(record, name, labels);
  const points = found.flatMap((one) => one.points.filter(({ time }) => times === undefined || times.has(time)));
  if (points.length === 0 && (value !== undefined || found.every(({ histograms }) => histograms === 0)))
    return `${labelled(name, labels)} is not stored${named.length === 0 ? "" : `, but ${named.slice(0, 3).map(shown).join(", ")}`}`;
  if (value === undefined || points.some((one) => Object.is(one.value, value))) return undefined;
  return `${labelled(name, labels)} is ${[...new Set(points.map((one) => one.value))].slice(0, 3).join(", ")}`;
}

const wanted = ({ value, least, most }: Extract<Sight, { see: "report" }>): string =>
  value !== undefined
    ? String(value)
    : `${least === undefined ? "" : `at least ${least} `}${most === undefined ? "" : `at most ${most}`}`.trim();

/** A stage that was stored has times of its own; any other is between its neighbours. */
function reportFault(see: Extract<Sight, { see: "report" }>, record: JobRecord): string | undefined {
  const { name, stage, value, least = -Infinity, most = Infinity } = see;
  const points = seriesOf(record, name).flatMap((one) => one.points);
  const own = new Set(timesOf(record.series, stage));
  const stored = record.series.filter((one) => nameOf(one) === "stage").flatMap((one) => one.points);
  const after = Math.max(...stored.filter((one) => one.value < stage).map(({ time }) => time));
  const before = Math.min(...stored.filter((one) => one.value > stage).map(({ time }) => time));
  const counted = points.filter(({ time }) => (own.size > 0 ? own.has(time) : time > after && time < before));
  if (counted.length === 0) return `there is no ${name} of stage ${stage}`;
  const isRight = (one: number): boolean => (value === undefined ? one >= least && one <= most : one === value);
  // A busy machine may lose a scrape beside those that were meant.
  if (counted.some((one) => isRight(one.value))) return undefined;
  return `${name} is ${[...new Set(counted.map((one) => one.value))].slice(0, 3).join(", ")} in stage ${stage}`;
}
