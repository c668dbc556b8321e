import { type Family, type Metadata, type PageRead, type Sample, SUFFIXES } from "./page.ts";
import { firstOf, keyOf, onFamilies, onPages, OWN, type Rules, seriesOf } from "./rule.ts";

/** What must be true of the lines of a page, and of their order. */

const samplesOf = ({ families }: PageRead, name: string): readonly Sample[] => families.find((one) => one.name === name)?.samples ?? [];
const onMetadata = (fault: (line: Metadata, page: PageRead, words: readonly string[]) => string | undefined) =>
  onPages((page, words) =>
    firstOf(
      page.metadata.filter(({ kind, text }) => words.includes(kind) && text !== ""),
      (line) => fault(line, page, words),
    ),
  );
const inOrder = (all: readonly Metadata[]): boolean => {
  const order = ["type", "unit", "help"];
  return all.every(({ kind }, at) => at === 0 || order.indexOf(all[at - 1]!.kind) < order.indexOf(kind));
};

/** The first sample that others interrupt. */
function interrupted(samples: readonly Sample[], groupOf: (sample: Sample) => string): Sample | undefined {
  const ended = new Set<string>();
  let current: string | undefined;
  for (const sample of samples) {
    const group = groupOf(sample);
    if (group !== current) {
      if (current !== undefined) ended.add(current);
      if (ended.has(group)) return sample;
      current = group;
    }
  }
  return undefined;
}

export const LINE_RULES: Rules = {
  /** No line has one of these faults. */
  lines: onPages(({ faults }, words) => {
    const found = faults.find(({ name }) => words.includes(name));
    return found === undefined ? undefined : `${found.place} (${found.name}${found.advice === "" ? "" : `: ${found.advice}`})`;
  }),
  /** No line has any fault. */
  parses: onPages(({ faults: [found] }) => (found === undefined ? undefined : `${found.place} (${found.name})`)),
  /** A family has one line of each of these kinds. */
  once: onPages(({ metadata }, words) => {
    const seen = new Set<string>();
    return firstOf(
      metadata.filter(({ kind }) => words.includes(kind)),
      ({ kind, name, place }) => {
        const isNew = !seen.has(`${kind} ${name}`);
        seen.add(`${kind} ${name}`);
        return isNew ? undefined : `${place} (it is the second such line of ${name})`;
      },
    );
  }),
  /** Lines of these kinds stand before the samples of their family. */
  first: onMetadata((line, page) => {
    const { kind, name, before, place } = line;
    // A second line is judged by another rule.
    if (page.metadata.find((one) => one.kind === kind && one.name === name) !== line) return undefined;
    const early = samplesOf(page, name)[0];
    return early !== undefined && early.at < before ? `${place} (it comes after ${early.place})` : undefined;
  }),
  grouped: onPages((page) =>
    firstOf(page.families, ({ name, samples }) => {
      const apart = samples.find(({ at }, nth) => nth > 0 && at !== samples[nth - 1]!.at + 1);
      if (apart !== undefined) return `${apart.place} (other samples stand between those of ${name})`;
      // Metadata of a family after samples of others, while its own came before.
      const late = page.metadata.find((one) => one.name === name && samples.length > 0 && one.before > samples.at(-1)!.at + 1);
      return late === undefined ? undefined : `${late.place} (it is apart from its samples)`;
    }),
  ),
  "metrics-together": onFamilies(({ name, type, samples }) => {
    const own = type === "stateset" ? name : (OWN[type] ?? "");
    const apart = interrupted(samples, ({ labels }) => keyOf(labels, own));
    return apart === undefined ? undefined : `${apart.place} (samples of another metric stand before it)`;
  }),
  /** Points of a metric have times that grow, and all samples of a point have the same. */
  "points-in-order": onFamilies(({ name, type, samples }) => {
    const own = type === "stateset" ? name : (OWN[type] ?? "");
    const metrics = Map.groupBy(samples, ({ labels }) => keyOf(labels, own));
    return firstOf([...metrics.values()], (all) => {
      const wrong = all.find(
        ({ timestamp }, at) => at > 0 && timestamp !== all[at - 1]!.timestamp && !((timestamp ?? NaN) > (all[at - 1]!.timestamp ?? NaN)),
      );
      return wrong === undefined ? undefined : `${wrong.place} (its time is not after that of the sample before it)`;
    });
  }),
  /** `times`: except with another time. */
  unique: onPages(({ samples }, words) => {
    const seen = new Map<string, Sample>();
    return firstOf(samples, (sample) => {
      const key = `${seriesOf(sample)}${words.includes("times") ? (sample.timestamp ?? "") : ""}`;
      const before = seen.get(key);
      seen.set(key, sample);
      return before === undefined ? undefined : `${sample.place} (the same series as ${before.place})`;
    });
  }),
  clash: onPages(({ is, families }) => {
    const taken = new Map<string, string>();
    return firstOf(families, ({ name, type }) =>
      firstOf(SUFFIXES[is][type] ?? [""], (suffix) => {
        const other = taken.get(name + suffix);
        taken.set(name + suffix, name);
        return other === undefined || other === name ? undefined : `a sample ${name}${suffix} could be of ${name} or of ${other}`;
      }),
    );
  }),
  "unit-suffix": onMetadata(({ name, text, place }) =>
    name.endsWith(`_${text}`) ? undefined : `${place} (${name} does not end with _${text})`,
  ),
  "unit-forbidden": onFamilies(({ name, type, unit }, words) =>
    unit !== undefined && words.includes(type) ? `${name} is of the type ${type}, and has the unit ${unit}` : undefined,
  ),
  "metadata-order": onPages(({ metadata }) =>
    firstOf([...Map.groupBy(metadata, ({ name }) => name)], ([, all]) =>
      inOrder(all) ? undefined : `${all[0]!.place} (the order is TYPE, UNIT, HELP)`,
    ),
  ),
  "has-help": onFamilies(({ name, help }) => (help === undefined ? `${name} has no help text` : undefined)),
  "has-type": onFamilies(({ name, type }) => (type === "unknown" || type === "untyped" ? `${name} is ${type}` : undefined)),
  "eof-line-feed": onPages(({ isEnded }) => (isEnded ? undefined : "the last line has no line feed")),
  "no-times": onPages(({ samples }) => {
    const timed = samples.find(({ timestamp }) => timestamp !== undefined);
    return timed === undefined ? undefined : `${timed.place} (it has a timestamp)`;
  }),
  /** No timestamp is more than an hour ahead of the clock. */
  "not-ahead": onPages(({ samples, at }) => {
    const ahead = samples.find(({ timestamp = 0 }) => timestamp > at + 3_600_000);
    return ahead === undefined ? undefined : `${ahead.place} (its time is far ahead of the clock)`;
  }),
  /** Names of labels, or of families, do not begin like this. */
  "no-label-prefix": onPages(({ samples }, [prefix = ""]) => {
    const found = samples.find(({ labels }) => labels.some(([name]) => name.startsWith(prefix)));
    return found === undefined ? undefined : `${found.place} (a label begins with ${prefix})`;
  }),
  "no-family-prefix": onFamilies(({ name }, [prefix = ""]) => (name.startsWith(prefix) ? `${name} begins with ${prefix}` : undefined)),
  "no-empty-labels": onPages(({ samples }) => {
    const found = samples.find(({ labels }) => labels.some(([, value]) => value === ""));
    return found === undefined ? undefined : `${found.place} (a label is empty)`;
  }),
  /** No label with the same value is on every sample. */
  "no-common-label": onPages(({ samples }) => {
    const [first, ...rest] = samples;
    const found = first?.labels.find(
      ([name, value]) => rest.length > 2 && rest.every(({ labels }) => labels.some((one) => one[0] === name && one[1] === value)),
    );
    return found === undefined ? undefined : `every sample has ${found[0]}="${found[1]}"`;
  }),
  "plain-names": onPages(({ samples }) => {
    const found = samples.find(
      ({ name, labels }) => !/^[A-Za-z_:][\w:]*$/.test(name) || labels.some(([one]) => !/^[A-Za-z_]\w*$/.test(one)),
    );
    return found === undefined ? undefined : `${found.place} (a name needs quotes)`;
  }),
  "same-label-names": onFamilies((family) => firstOf(sampleNames(family), (all) => unlike(all))),
};

const sampleNames = ({ samples, type }: Family): Sample[][] =>
  type === "info" ? [] : [...Map.groupBy(samples, ({ name }) => name).values()];
/** Samples of one name whose labels are called differently. */
function unlike(all: readonly Sample[]): string | undefined {
  const namesOf = ({ labels }: Sample): string =>
    labels
      .map(([name]) => name)
      .toSorted()
      .join(",");
  const first = namesOf(all[0]!);
  const other = all.find((one) => namesOf(one) !== first);
  return other === undefined ? undefined : `${other.place} (the first of this family has the labels ${first || "none"})`;
}
