import type { Family, PageRead, Sample } from "./page.ts";
import { firstOf, keyOf, labelOf, onPairs, onSeries, OWN, type Rules, seriesOf } from "./rule.ts";

/** What must be true of consecutive pages together. */

const bySeries = ({ samples }: PageRead): Map<string, Sample> => new Map(samples.map((one) => [seriesOf(one), one]));
const families = (page: PageRead): Map<string, Family> => new Map(page.families.map((one) => [one.name, one]));
/** Families that are on both pages, once each: a name that comes twice is judged by other rules. */
const onBoth = (before: PageRead, after: PageRead, fault: (one: Family, other: Family) => string | undefined): string | undefined => {
  const known = Map.groupBy(before.families, ({ name }) => name);
  return firstOf([...Map.groupBy(after.families, ({ name }) => name)], ([name, [one, ...more]]) => {
    const [other, ...others] = known.get(name) ?? [];
    return one === undefined || other === undefined || more.length + others.length > 0 ? undefined : fault(other, one);
  });
};

/** Samples that count, by the type of their family: totals; counts, sums and buckets. */
const COUNTS: Readonly<Record<string, (sample: Sample, family: Family) => boolean>> = {
  counter: ({ name }, family) => name === family.name || name === `${family.name}_total`,
  histogram: ({ name }, family) => ["_bucket", "_count", "_sum"].some((suffix) => name === family.name + suffix),
  summary: ({ name }, family) => ["_count", "_sum"].some((suffix) => name === family.name + suffix),
};
const createdOf = ({ name, type, samples }: Family, { labels }: Sample): number | undefined =>
  samples.find((one) => one.name === `${name}_created` && keyOf(one.labels) === keyOf(labels, OWN[type] ?? ""))?.value;
const startOf = ({ samples }: PageRead): number | undefined => samples.find(({ name }) => name === "process_start_time_seconds")?.value;

/** Samples of a type that are lower on the second page, with their families. */
function fallen(before: PageRead, after: PageRead, type: string): readonly (readonly [Sample, Sample, Family, Family])[] {
  const isCount = COUNTS[type]!;
  const known = bySeries(before);
  const old = families(before);
  return after.families
    .filter((one) => one.type === type)
    .flatMap((family) =>
      family.samples.flatMap((sample) => {
        const other = known.get(seriesOf(sample));
        const isLower = isCount(sample, family) && other !== undefined && sample.value < other.value && sample.timestamp === undefined;
        return isLower ? [[other, sample, old.get(family.name) ?? family, family] as const] : [];
      }),
    );
}

const labelNames = ({ samples }: Family): Map<string, string> =>
  new Map(samples.map(({ name, labels }) => [`${name}${JSON.stringify(labels.map(([one]) => one).toSorted())}`, name]));

export const SERIES_RULES: Rules = {
  /** Counting samples of this type do not fall, unless the process, or the series, began again. */
  "never-falls": onPairs((before, after, [type = ""]) => {
    if (startOf(before) !== startOf(after)) return undefined;
    const found = fallen(before, after, type).find(
      ([, sample, old, family]) => sample.value !== 0 && createdOf(old, sample) === createdOf(family, sample),
    );
    return found === undefined ? undefined : `${found[1].place} (it was ${found[0].value} in the scrape before)`;
  }),
  /** A counter that falls has another created time. */
  "reset-is-created": onPairs((before, after) => {
    const found = fallen(before, after, "counter").find(([, sample, old, family]) => {
      const created = createdOf(family, sample);
      return created !== undefined && created === createdOf(old, sample);
    });
    return found === undefined ? undefined : `${found[1].place} (it was ${found[0].value}, and its created time is the same)`;
  }),
  /** A created time changes only with a reset. */
  "created-stays": onPairs((before, after) =>
    onBoth(before, after, (old, family) => {
      const known = new Map(old.samples.map((one) => [seriesOf(one), one.value]));
      const values = new Map(family.samples.map((one) => [seriesOf(one), one.value]));
      const moved = family.samples.find(
        (one) => one.name === `${family.name}_created` && (known.get(seriesOf(one)) ?? one.value) !== one.value,
      );
      if (moved === undefined) return undefined;
      const isReset = old.samples.some(
        (one) => one.name !== moved.name && COUNTS[family.type]?.(one, family) === true && (values.get(seriesOf(one)) ?? 0) < one.value,
      );
      return isReset ? undefined : `${moved.place} (it was ${known.get(seriesOf(moved))}, and nothing was reset)`;
    }),
  ),
  /** Families that were there stay. */
  "families-stay": onPairs((before, after) => {
    const now = families(after);
    const gone = before.families.find(({ name, samples }) => samples.length > 0 && (now.get(name)?.samples.length ?? 0) === 0);
    return gone === undefined ? undefined : `${gone.name} is gone in the next scrape`;
  }),
  "series-stay": onPairs((before, after) => {
    const now = bySeries(after);
    const gone = before.samples.find((one) => !now.has(seriesOf(one)));
    return gone === undefined ? undefined : `${gone.place} (it is gone in the next scrape)`;
  }),
  /** Series do not multiply: at most a tenth more in the last scrape than in the first. */
  "series-are-few": onSeries((pages) => {
    const [first, last] = [pages[0]?.samples.length ?? 0, pages.at(-1)?.samples.length ?? 0];
    return last <= Math.max(first * 1.1, first + 20) ? undefined : `${first} series became ${last} in ${pages.length} scrapes`;
  }),
  "types-stay": onPairs((before, after) =>
    onBoth(before, after, (old, { name, type }) =>
      old.type === type ? undefined : `${name} was ${old.type}, and is ${type} in the next scrape`,
    ),
  ),
  "help-stays": onPairs((before, after) =>
    onBoth(before, after, (old, { name, help }) =>
      old.help === help ? undefined : `the help of ${name} is another in the next scrape: ${help ?? "none"}`,
    ),
  ),
  "units-stay": onPairs((before, after) =>
    onBoth(before, after, (old, { name, unit }) =>
      old.unit === unit ? undefined : `the unit of ${name} is another in the next scrape: ${unit ?? "none"}`,
    ),
  ),
  "label-names-stay": onPairs((before, after) =>
    onBoth(before, after, (old, family) => {
      if (family.type === "info" || old.samples.length === 0 || family.samples.length === 0) return undefined;
      const [known, now] = [labelNames(old), labelNames(family)];
      const isOther = known.size === 1 && now.size === 1 && [...known.keys()][0] !== [...now.keys()][0];
      return isOther ? `${family.samples[0]!.place} (its labels were ${[...known.keys()][0]})` : undefined;
    }),
  ),
  "label-order-stays": onPairs((before, after) => {
    const known = bySeries(before);
    const turned = after.samples.find((one) => {
      const other = known.get(seriesOf(one));
      return other !== undefined && JSON.stringify(other.labels) !== JSON.stringify(one.labels);
    });
    return turned === undefined ? undefined : `${turned.place} (its labels were in another order)`;
  }),
  "infos-stay": onPairs((before, after) =>
    onBoth(before, after, (old, family) => {
      const isInfo = family.type === "info" || (family.name.endsWith("_info") && family.samples.every(({ value }) => value === 1));
      const known = new Set(old.samples.map(seriesOf));
      const other = isInfo ? family.samples.find((one) => !known.has(seriesOf(one))) : undefined;
      return other === undefined ? undefined : `${other.place} (it was not there in the scrape before)`;
    }),
  ),
  "bounds-stay": onPairs((before, after) =>
    onBoth(before, after, (old, family) => {
      const boundsOf = ({ samples }: Family): Set<string> => new Set(samples.flatMap((one) => labelOf(one, "le") ?? []));
      const other =
        family.type === "histogram" && old.samples.length > 0 ? [...boundsOf(family)].find((le) => !boundsOf(old).has(le)) : undefined;
      return other === undefined ? undefined : `${family.name} has a new bound ${other}`;
    }),
  ),
  /** Timestamps of a series do not go back. */
  "times-go-on": onPairs((before, after) => {
    const known = bySeries(before);
    const back = after.samples.find((one) => (one.timestamp ?? 0) < (known.get(seriesOf(one))?.timestamp ?? -Infinity));
    return back === undefined ? undefined : `${back.place} (its time was ${known.get(seriesOf(back))?.timestamp})`;
  }),
};
