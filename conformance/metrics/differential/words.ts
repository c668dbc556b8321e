import { BEGIN, dataSet, MARK } from "../data/data-set.ts";
import { NATIVE_AT, NATIVE_BEGIN, nativeSeries } from "../data/native.ts";

/** What generated expressions are about: names and labels of the data set, and times that are interesting in it. */

/** A source of numbers in [0, 1). */
export type Draw = () => number;

type Named = { readonly name: string; readonly labels: Readonly<Record<string, string>> };
/** The series of one kind by their name. */
type Families = ReadonlyMap<string, readonly Named[]>;

/** Floats and native histograms are at different times, so that an expression is about one or the other. */
export type World = {
  readonly families: Families;
  readonly names: readonly string[];
  /** Counters, for functions that expect them. */
  readonly counters: readonly string[];
  /** Classic histograms, or native ones. */
  readonly histograms: readonly string[];
  /** The times of queries, in seconds since 1970. */
  readonly times: readonly number[];
  /** Offsets in milliseconds that move a window so that it begins and ends exactly on samples. */
  readonly edges: readonly number[];
};

const familiesOf = (series: readonly Named[]): Families => Map.groupBy(series, ({ name }) => name);
const at = (...seconds: readonly number[]): number[] => seconds.map((one) => BEGIN + one);

export function floats(): World {
  const families = familiesOf(dataSet().filter(({ name }) => name !== MARK));
  const names = [...families.keys()];
  return {
    families,
    names,
    counters: names.filter((name) => /_total$|_bucket$|_count$|_sum$/.test(name)),
    histograms: names.filter((name) => name.endsWith("_bucket")),
    // 3,611 is between the samples of most series; the others are at samples, at restarts, and before and after all samples.
    times: at(3_611, 3_611, 3_611, 2_411, 1_811, 3_605.5, 3_600, 5_011, 7_140, -10, 130, 1_865.5, 3_609.7),
    edges: [5_500, 1_300, 11_000, 6_750, 65_500, -54_500],
  };
}

export function histograms(): World {
  const families = familiesOf(nativeSeries());
  const names = [...families.keys()];
  return {
    families,
    names,
    counters: names.filter((name) => !/bytes|width|cutting|only_zero/.test(name)),
    histograms: names,
    times: at(NATIVE_AT, NATIVE_AT, NATIVE_BEGIN + 1_205.5, NATIVE_BEGIN + 1_031, NATIVE_BEGIN + 611, NATIVE_BEGIN + 131),
    edges: [5_500, 65_500, -54_500],
  };
}

const isPlain = (name: string): boolean => /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name);
const isPlainMetric = (name: string): boolean => /^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name) && !KEYWORDS.test(name);
const KEYWORDS = /^(?:inf|nan|and|or|unless|by|without|on|ignoring|offset|bool|sum|start|end|fill)$/i;
export const quoted = (text: string): string => JSON.stringify(text);
export const labelName = (name: string): string => (isPlain(name) ? name : quoted(name));
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Draws one of a list. */
export const oneOf = <T>(random: Draw, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** A selector of series of one name, with matchers that some of them match. */
export function selector(random: Draw, { families }: World, name: string): string {
  const members = families.get(name) ?? [];
  const matchers =
    members.length === 0 || random() < 0.5 ? [] : Array.from({ length: random() < 0.8 ? 1 : 2 }, () => matcher(random, members));
  if (!isPlainMetric(name)) return `{${[quoted(name), ...matchers].join(",")}}`;
  return random() < 0.05
    ? `{${[`__name__="${name}"`, ...matchers].join(",")}}`
    : `${name}${matchers.length === 0 ? "" : `{${matchers.join(",")}}`}`;
}

function matcher(random: Draw, members: readonly Named[]): string {
  const labels = Object.entries(oneOf(random, members).labels);
  if (labels.length === 0 || random() < 0.05) return oneOf(random, ['nothing=""', 'nothing!="x"', 'nothing=~".*"']);
  const [label, value] = oneOf(random, labels);
  const other = oneOf(random, members).labels[label] ?? "none";
  return `${labelName(label)}${oneOf(random, [
    `=${quoted(value)}`,
    `!=${quoted(value)}`,
    `=~${quoted(`${escaped(value)}|${escaped(other)}`)}`,
    `!~${quoted(escaped(value))}`,
    `=~${quoted(`${escaped(value.slice(0, 1))}.*`)}`,
  ])}`;
}

/** Names of labels that series of this name have, and sometimes one that they lack. */
export function labelNames(random: Draw, { families }: World, name: string, most = 2): string[] {
  const known = [...new Set((families.get(name) ?? []).flatMap(({ labels }) => Object.keys(labels)))];
  const count = Math.floor(random() * (most + 1));
  const drawn = Array.from({ length: count }, () => (random() < 0.08 || known.length === 0 ? "nothing" : oneOf(random, known)));
  return [...new Set(drawn)];
}
