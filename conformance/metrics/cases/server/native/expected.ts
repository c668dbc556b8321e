import type { Labels } from "../../../vocabulary.ts";
import type { Timed } from "./changes.ts";
import { type NativeSeries, nativeSeries } from "../../../data/native.ts";
import { fromWritten, type Histogram } from "./histogram.ts";

/** The data set at a time or in a range, for computing expected answers. Times are seconds after its start. */

export type Value = number | Histogram;
export type Row = readonly [Labels, Value];
/** The rows of a query at a time. */
export type Gives = (time: number) => readonly Row[];
type Where = Readonly<Record<string, readonly string[]>>;

const LOOK_BACK = 300;
const ALL = nativeSeries();
const read = (value: NativeSeries["samples"][number]["value"]): Value | "stale" => (typeof value === "object" ? fromWritten(value) : value);

/** The series of a name whose labels have one of the given values. */
function seriesOf(name: string, where: Where = {}): NativeSeries[] {
  const found = ALL.filter(
    (one) => one.name === name && Object.entries(where).every(([label, some]) => some.includes(one.labels[label] ?? "")),
  );
  if (found.length === 0) throw new Error(`The data set has no ${name} with ${JSON.stringify(where)}.`);
  return found;
}

/** The newest sample of a series within the look-back. */
function newest({ samples }: NativeSeries, time: number): Value | undefined {
  const last = samples.findLast((one) => one.time <= time);
  if (last === undefined || last.time <= time - LOOK_BACK || last.value === "stale") return undefined;
  return read(last.value) as Value;
}

/** Every series of a name that has a value at the time. */
export const selected =
  (name: string, where?: Where): Gives =>
  (time) =>
    seriesOf(name, where).flatMap((one): Row[] => {
      const value = newest(one, time);
      return value === undefined ? [] : [[{ __name__: name, ...one.labels }, value]];
    });

export const isHistogram = (value: Value): value is Histogram => typeof value === "object";
/** Labels without the name. */
export const nameless = (labels: Labels): Labels => Object.fromEntries(Object.entries(labels).filter(([label]) => label !== "__name__"));

/** Maps each histogram; floats and the name are dropped. */
export const ofEach =
  (gives: Gives, change: (histogram: Histogram, labels: Labels) => Value | undefined): Gives =>
  (time) =>
    gives(time).flatMap(([labels, value]): Row[] => {
      const made = isHistogram(value) ? change(value, labels) : undefined;
      return made === undefined ? [] : [[nameless(labels), made]];
    });

/** The samples of a series within a left-open range. */
export type Ranged = { readonly labels: Labels; readonly samples: readonly (readonly [time: number, value: Value])[] };
export const within = (name: string, seconds: number, time: number, where?: Where): Ranged[] =>
  seriesOf(name, where)
    .map(({ labels, samples }) => ({
      labels: { __name__: name, ...labels },
      samples: samples
        .filter((one) => one.time > time - seconds && one.time <= time && one.value !== "stale")
        .map((one) => [one.time, read(one.value) as Value] as const),
    }))
    .filter(({ samples }) => samples.length > 0);

/** Maps the histograms of each series within a range; series that also have floats there are left out. */
export const overTime =
  (
    name: string,
    seconds: number,
    change: (samples: readonly Timed[], from: number, to: number) => Value | undefined,
    where?: Where,
  ): Gives =>
  (time) =>
    within(name, seconds, time, where).flatMap(({ labels, samples }): Row[] => {
      const histograms = samples.filter((one): one is readonly [number, Histogram] => isHistogram(one[1]));
      const made = histograms.length < samples.length ? undefined : change(histograms, time - seconds, time);
      return made === undefined ? [] : [[nameless(labels), made]];
    });

/** Aggregates elements by labels. */
export const grouped =
  (gives: Gives, by: readonly string[], change: (values: readonly Value[]) => Value | undefined): Gives =>
  (time) => {
    const groups = new Map<string, { labels: Labels; values: Value[] }>();
    for (const [labels, value] of gives(time)) {
      const own = Object.fromEntries(by.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));
      const group = groups.get(JSON.stringify(own)) ?? { labels: own, values: [] };
      group.values.push(value);
      groups.set(JSON.stringify(own), group);
    }
    return [...groups.values()].flatMap(({ labels, values }): Row[] => {
      const made = change(values);
      return made === undefined ? [] : [[labels, made]];
    });
  };

/** Pairs elements with an equal label; the result has only that label. */
export const paired =
  (left: Gives, right: Gives, label: string, change: (a: Value, b: Value) => Value | undefined): Gives =>
  (time) =>
    left(time).flatMap(([labels, value]): Row[] => {
      const partner = right(time).find(([others]) => others[label] === labels[label]);
      const made = partner === undefined ? undefined : change(value, partner[1]);
      return made === undefined ? [] : [[{ [label]: labels[label] ?? "" }, made]];
    });

export const both =
  (...some: readonly Gives[]): Gives =>
  (time) =>
    some.flatMap((gives) => gives(time));

/** No rows. */
export const none: Gives = () => [];
