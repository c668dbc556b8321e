import { canonical } from "../../../reference/metrics/model/index.ts";
import { numberOf } from "../../../reference/metrics/exposition/index.ts";
import type { Family, Sample } from "./page.ts";
import { firstOf, labelOf, onFamilies, onPages, OWN, pointsOf, type Rule, type Rules } from "./rule.ts";

/** What must be true of samples by the type of their family. The first word is the type. */

type Fault = (samples: readonly Sample[], family: Family, words: readonly string[]) => string | undefined;
/** The first fault of any family of this type. */
const ofType = (fault: Fault): Rule =>
  onFamilies((family, [type = "", ...words]) => (family.type === type ? fault(family.samples, family, words) : undefined));
/** The first fault of any point of this type. */
const ofPoints = (fault: Fault): Rule => ofType((_, family, words) => firstOf(pointsOf(family), (point) => fault(point, family, words)));

const suffixed =
  ({ name: family }: Family, suffix: string) =>
  ({ name }: Sample): boolean =>
    name === family + suffix;
const because = ({ place }: Sample, why: string): string => `${place} (${why})`;

/** A bound or a quantile; undefined if it is not a number. */
function boundOf(sample: Sample, label: string): number | undefined {
  const text = labelOf(sample, label);
  const value = text === undefined ? NaN : numberOf(text, "openmetrics");
  return typeof value === "number" && !Number.isNaN(value) ? value : undefined;
}
type Bucket = { readonly sample: Sample; readonly bound: number };
const bucketsOf = (point: readonly Sample[], family: Family): Bucket[] =>
  point.filter(suffixed(family, "_bucket")).flatMap((sample) => {
    const bound = boundOf(sample, "le");
    return bound === undefined ? [] : [{ sample, bound }];
  });
const ofBuckets = (fault: (buckets: readonly Bucket[], point: readonly Sample[], family: Family) => string | undefined): Rule =>
  ofPoints((point, family) => fault(bucketsOf(point, family), point, family));
const partOf = (family: Family, part: "count" | "sum", point: readonly Sample[]): Sample | undefined =>
  point.find(suffixed(family, `_${family.type === "gaugehistogram" ? "g" : ""}${part}`));
const isWhole = (value: number): boolean => Number.isInteger(value) || value === Infinity;

export const TYPE_RULES: Rules = {
  /** Every sample has one of the suffixes. */
  suffix: ofType((samples, family, suffixes) => {
    const wrong = samples.find((one) => !suffixes.some((suffix) => suffixed(family, suffix)(one)));
    return wrong === undefined ? undefined : because(wrong, `a ${family.type} has ${suffixes.join(" or ")}`);
  }),
  /** A sample with this suffix is not negative, and not NaN. */
  "not-negative": ofType((samples, family, suffixes) => {
    const wrong = samples.find((one) => suffixes.some((suffix) => suffixed(family, suffix)(one)) && !(one.value >= 0));
    return wrong === undefined ? undefined : because(wrong, `it is ${Number.isNaN(wrong.value) ? "NaN" : "negative"}`);
  }),
  whole: ofType((samples, family, suffixes) => {
    const wrong = samples.find((one) => suffixes.some((suffix) => suffixed(family, suffix)(one)) && !isWhole(one.value));
    return wrong === undefined ? undefined : because(wrong, "it is not an integer");
  }),
  /** Every point has a sample with this suffix. */
  has: ofPoints((point, family, [suffix = ""]) =>
    point.some(suffixed(family, suffix)) ? undefined : because(point[0]!, `its metric has no ${family.name}${suffix}`),
  ),
  "created-not-ahead": onPages(({ families, at }) =>
    firstOf(families, (family) => {
      const wrong = family.samples.find((one) => suffixed(family, "_created")(one) && !(one.value * 1_000 <= at + 3_600_000));
      return wrong === undefined ? undefined : because(wrong, "it was created in the future");
    }),
  ),
  /** Buckets, or quantiles, have the label with a number, and no other sample has it. */
  "own-label": ofType((samples, family) => {
    const label = OWN[family.type] ?? "";
    const suffix = label === "le" ? "_bucket" : "";
    return firstOf(samples, (one) => {
      if (!suffixed(family, suffix)(one))
        return labelOf(one, label) === undefined ? undefined : because(one, `${label} belongs to no such sample`);
      return boundOf(one, label) === undefined ? because(one, `${label} is not a number`) : undefined;
    });
  }),
  "infinite-bucket": ofBuckets((buckets, point) =>
    buckets.some(({ bound }) => bound === Infinity) ? undefined : because(point[0]!, "there is no bucket +Inf"),
  ),
  "infinity-spelled": ofBuckets((buckets) => {
    const wrong = buckets.find(({ sample, bound }) => bound === Infinity && labelOf(sample, "le") !== "+Inf");
    return wrong === undefined ? undefined : because(wrong.sample, "infinity is +Inf");
  }),
  "buckets-sorted": ofBuckets((buckets) => {
    const wrong = buckets.find(({ bound }, at) => at > 0 && bound < buckets[at - 1]!.bound);
    return wrong === undefined ? undefined : because(wrong.sample, "the bucket before it has a higher bound");
  }),
  "bounds-once": ofBuckets((buckets) => {
    const wrong = buckets.find(({ bound }, at) => buckets.slice(0, at).some((other) => other.bound === bound));
    return wrong === undefined ? undefined : because(wrong.sample, "the bound comes twice");
  }),
  cumulative: ofBuckets((buckets) => {
    const sorted = buckets.toSorted((a, b) => a.bound - b.bound);
    const wrong = sorted.find(({ sample }, at) => at > 0 && sample.value < sorted[at - 1]!.sample.value);
    return wrong === undefined ? undefined : because(wrong.sample, "a bucket with a lower bound has more");
  }),
  "count-is-infinite-bucket": ofBuckets((buckets, point, family) => {
    const count = partOf(family, "count", point);
    const all = buckets.find(({ bound }) => bound === Infinity)?.sample;
    return count === undefined || all === undefined || count.value === all.value
      ? undefined
      : because(count, `the bucket +Inf has ${all.value}`);
  }),
  "count-iff-sum": ofBuckets((_, point, family) => {
    const [count, sum] = [partOf(family, "count", point), partOf(family, "sum", point)];
    return (count === undefined) === (sum === undefined) ? undefined : because((count ?? sum)!, "count and sum are both there, or neither");
  }),
  "no-sum-below-zero": ofBuckets((buckets, point, family) => {
    const sum = partOf(family, "sum", point);
    return sum === undefined || !buckets.some(({ bound }) => bound < 0) ? undefined : because(sum, "a bucket has a negative bound");
  }),
  /** A sum is negative only beside a negative bound, and never NaN. */
  "sum-sign": ofBuckets((buckets, point, family) => {
    const sum = partOf(family, "sum", point);
    if (sum === undefined || sum.value >= 0) return undefined;
    if (Number.isNaN(sum.value)) return because(sum, "it is NaN");
    return buckets.some(({ bound }) => bound < 0) ? undefined : because(sum, "it is negative without a negative bound");
  }),
  /** Bounds and quantiles in their canonical form. */
  canonical: ofType((samples, { type }) => {
    const label = OWN[type] ?? "";
    const wrong = samples.find((one) => {
      const value = boundOf(one, label);
      return value !== undefined && labelOf(one, label) !== canonical(value);
    });
    return wrong === undefined ? undefined : because(wrong, `${label} is written ${canonical(boundOf(wrong, label)!)}`);
  }),
  "quantile-range": ofType((samples) => {
    const wrong = samples.find((one) => {
      const value = boundOf(one, "quantile");
      return value !== undefined && (value < 0 || value > 1);
    });
    return wrong === undefined ? undefined : because(wrong, "a quantile is between 0 and 1");
  }),
  "quantiles-sorted": ofPoints((point) => {
    const all = point.filter((one) => boundOf(one, "quantile") !== undefined);
    const wrong = all.find((one, at) => at > 0 && boundOf(one, "quantile")! < boundOf(all[at - 1]!, "quantile")!);
    return wrong === undefined ? undefined : because(wrong, "the quantile before it is higher");
  }),
  "quantile-values": ofType((samples, family) => {
    const wrong = samples.find((one) => suffixed(family, "")(one) && one.value < 0);
    return wrong === undefined ? undefined : because(wrong, "a quantile is not negative");
  }),
  "no-quantiles": ofType((samples, family) => {
    const found = samples.find(suffixed(family, ""));
    return found === undefined ? undefined : because(found, "quantiles cannot be aggregated");
  }),
  "state-label": ofType((samples, { name }) => {
    const wrong = samples.find((one) => labelOf(one, name) === undefined);
    return wrong === undefined ? undefined : because(wrong, `a state has a label ${name}`);
  }),
  /** Every value is one of these. */
  values: ofType((samples, _, values) => {
    const wrong = samples.find(({ value }) => !values.includes(String(value)));
    return wrong === undefined ? undefined : because(wrong, `its value is not ${values.join(" or ")}`);
  }),
  "exemplar-length": onPages(({ samples }) => {
    const length = ({ exemplar }: Sample): number =>
      exemplar?.labels.reduce((sum, [name, value]) => sum + [...name].length + [...value].length, 0) ?? 0;
    const wrong = samples.find((one) => length(one) > 128);
    return wrong === undefined ? undefined : because(wrong, `its exemplar has ${length(wrong)} characters`);
  }),
  "exemplar-place": onFamilies((family) => {
    const wrong = family.samples.find((one) => {
      const isRight =
        family.type === "counter" ? suffixed(family, "_total")(one) : /histogram/.test(family.type) && suffixed(family, "_bucket")(one);
      return one.exemplar !== undefined && !isRight;
    });
    return wrong === undefined ? undefined : because(wrong, "exemplars belong to totals and buckets");
  }),
  "exemplar-in-bucket": onFamilies((family) => {
    const wrong = family.samples.find(
      (one) => one.exemplar !== undefined && suffixed(family, "_bucket")(one) && one.exemplar.value > (boundOf(one, "le") ?? Infinity),
    );
    return wrong === undefined ? undefined : because(wrong, "the exemplar is above the bound");
  }),
};
