import type { Labels } from "../../../vocabulary.ts";
import type { Timed } from "./changes.ts";
import { type NativeSeries, nativeSeries } from "../../../data/native.ts";
import { added, fromWritten, type Histogram } from "./histogram.ts";

/** The data set at a time or in a range, for computing expected answers. Times are seconds after its start. */

export type Value = number | Histogram;
export type Row<V extends Value = Value> = readonly [Labels, V];
/** The rows of a query at a time. */
export type Gives<V extends Value = Value> = (time: number) => readonly Row<V>[];
type Where = Readonly<Record<string, readonly string[]>>;

const LOOK_BACK = 300;
const ALL = nativeSeries();
const read = (value: Exclude<NativeSeries["samples"][number]["value"], "stale">): Value =>
  typeof value === "object" ? fromWritten(value) : value;

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
  return read(last.value);
}

/** Every series of a name that has a value at the time. */
export const selected =
  (name: string, where?: Where): Gives =>
  (time) =>
    seriesOf(name, where).flatMap((one): Row[] => {
      const value = newest(one, time);
      return value === undefined ? [] : [[{ __name__: name, ...one.labels }, value]];
    });

/** The same of a name whose values are all of one kind; throws if they are not. */
const selectedOnly =
  <V extends Value>(kind: string, isKind: (value: Value) => value is V) =>
  (name: string, where?: Where): Gives<V> =>
  (time) =>
    selected(
      name,
      where,
    )(time).map(([labels, value]): Row<V> => {
      if (!isKind(value)) throw new Error(`${name} has a value that is not a ${kind}.`);
      return [labels, value];
    });

export const isHistogram = (value: Value): value is Histogram => typeof value === "object";
export const histograms = selectedOnly("histogram", isHistogram);
export const numbers = selectedOnly("number", (value) => typeof value === "number");

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
      samples: samples.flatMap(({ time: at, value }): [number, Value][] =>
        at > time - seconds && at <= time && value !== "stale" ? [[at, read(value)]] : [],
      ),
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
  <A extends Value, B extends Value>(left: Gives<A>, right: Gives<B>, label: string, change: (a: A, b: B) => Value | undefined): Gives =>
  (time) =>
    left(time).flatMap(([labels, value]): Row[] => {
      const partner = right(time).find(([others]) => others[label] === labels[label]);
      const made = partner === undefined ? undefined : change(value, partner[1]);
      return made === undefined ? [] : [[{ [label]: labels[label] ?? "" }, made]];
    });

/** The sum of two single histograms with signs, without labels; no row if they cannot be added. */
export const sumOfTwo =
  (a: Gives<Histogram>, b: Gives<Histogram>, sign: 1 | -1): Gives =>
  (time) => {
    const [[first, ...more], [second, ...others]] = [a(time), b(time)];
    if (first === undefined || second === undefined || more.length + others.length > 0)
      throw new Error(`One histogram on each side is expected at ${time}.`);
    const sum = added([first[1], second[1]], [1, sign]);
    return sum === undefined ? [] : [[{}, sum]];
  };

export const both =
  (...some: readonly Gives[]): Gives =>
  (time) =>
    some.flatMap((gives) => gives(time));

/** No rows. */
export const none: Gives = () => [];
