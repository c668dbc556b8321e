import { atSample, atValue, BoundReader, Buckets, checkInOrder, Names, type PageRules } from "./families.ts";
import { type Fault, faultAt } from "./faults.ts";
import { LabelSets } from "./label-sets.ts";
import { LabelWalk } from "./label-walk.ts";
import type { Metadata, Page } from "./page.ts";

/**
 * The rules of the text format for the lines of a page together (prometheus-exposition#text.comments, text.grouping, text.histograms): one group per
 * metric, metadata first, each series once, complete histograms, sorted summaries.
 */
export const checkText = (page: Page): Fault | undefined => checkInOrder(page, new TextRules(page));

type Metric = { readonly number: number; readonly lines: Metadata[]; type: string; samples: number };
/** A sample name: its number, its metric and suffix, and the label that distinguishes samples of a histogram or a summary. */
type Name = { readonly number: number; readonly metric: Metric; readonly suffix: string; readonly label: string };
type Histogram = { readonly first: number; readonly buckets: Buckets; count?: { readonly n: number; readonly value: number } };

const SUFFIXES: readonly string[] = ["_bucket", "_sum", "_count"];

class TextRules implements PageRules {
  readonly #page: Page;
  readonly #bounds = new BoundReader();
  readonly #metrics = new Map<string, Metric>();
  /** Numbers of sample names. */
  readonly #numbers = new Map<string, number>();
  readonly #walk: LabelWalk;
  readonly #series: LabelSets;
  /** Label sets of histograms and summaries, without `le` or `quantile`. */
  readonly #wholes: LabelSets;
  #current: string | undefined;
  /** Of the current group. */
  readonly #names: Names<Name>;
  /** Of the current group, by the first sample of each. */
  #histograms = new Map<number, Histogram>();
  #quantiles = new Map<number, number>();

  constructor(page: Page) {
    this.#page = page;
    this.#names = new Names(page);
    this.#walk = new LabelWalk(page);
    this.#series = new LabelSets(page, this.#walk, { isWhole: true });
    this.#wholes = new LabelSets(page, this.#walk, { isWhole: false });
  }

  metadata(line: Metadata): Fault | undefined {
    const page = this.#page;
    const name = page.metadataName(line);
    const metric = this.#metrics.get(name);
    if (metric?.lines.some(({ kind }) => kind === line.kind) === true) return faultAt("metadataRepeated", page.octets, line.offset);
    if (metric !== undefined && metric.samples > 0) return faultAt("metadataLate", page.octets, line.offset);
    const fault = this.#enter(name);
    if (fault !== undefined) return fault;
    if (metric !== undefined && this.#isApart) return faultAt("familyApart", page.octets, line.offset);
    const known = this.#known(name);
    known.lines.push(line);
    if (line.kind === "type") known.type = page.metadataText(line);
    return undefined;
  }

  sample(n: number): Fault | undefined {
    const page = this.#page;
    const name = this.#names.find(n) ?? this.#named(n);
    if ("is" in name) return name;
    const { number, metric, suffix, label } = name;
    metric.samples++;
    this.#walk.read(n, label);
    if (this.#series.first(n, number) !== n) return atSample("sampleRepeated", page, n);
    if (label === "le") return this.#histogram(n, metric, suffix);
    return label === "quantile" ? this.#quantile(n, metric) : undefined;
  }

  /** Enters the metric of a sample name. */
  #named(n: number): Name | Fault {
    const page = this.#page;
    const text = page.name(n);
    const [group, suffix] = this.#groupOf(text);
    const isKnown = this.#metrics.has(group);
    const fault = this.#enter(group);
    if (fault !== undefined) return fault;
    if (isKnown && this.#isApart) return atSample("familyApart", page, n);
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    const metric = this.#known(group);
    const label = metric.type === "histogram" && suffix !== "" ? "le" : metric.type === "summary" && suffix === "" ? "quantile" : "";
    const name = { number, metric, suffix, label };
    this.#names.add(n, name);
    return name;
  }

  /** The metric and suffix of a sample name. Only declared histograms and summaries have suffixes. */
  #groupOf(name: string): [group: string, suffix: string] {
    const suffix = SUFFIXES.find((one) => name.endsWith(one)) ?? "";
    const stem = name.slice(0, name.length - suffix.length);
    const type = this.#metrics.get(stem)?.type;
    const isPart = type === "histogram" || (type === "summary" && suffix !== "_bucket");
    return isPart ? [stem, suffix] : [name, ""];
  }

  #isApart = false;
  /** Enters the group of a metric. */
  #enter(name: string): Fault | undefined {
    this.#isApart = name !== this.#current;
    if (!this.#isApart) return undefined;
    const fault = this.endFamily();
    this.#names.clear();
    this.#current = name;
    return fault;
  }
  #known(name: string): Metric {
    const metric = this.#metrics.get(name) ?? { number: this.#metrics.size, lines: [], type: "untyped", samples: 0 };
    this.#metrics.set(name, metric);
    return metric;
  }

  #histogram(n: number, metric: Metric, suffix: string): Fault | undefined {
    const page = this.#page;
    const whole = this.#wholes.first(n, metric.number);
    const { valueFrom, valueTo } = this.#walk;
    // A sum or a count with a bound forms a histogram of its own.
    const histogram = this.#histogramOf(suffix === "_bucket" || valueTo === 0 ? whole : -n - 1, n);
    if (suffix === "_count") histogram.count = { n, value: page.values[n]! };
    if (suffix !== "_bucket") return undefined;
    if (valueTo === 0) return atSample("bucketBoundMissing", page, n);
    const bound = this.#bounds.read(page.octets, valueFrom, valueTo);
    if (bound === undefined) return atSample("bucketBoundInvalid", page, n);
    const wrong = histogram.buckets.add(bound, page.values[n]!);
    return wrong === undefined ? undefined : atSample(wrong, page, n);
  }

  #histogramOf(whole: number, n: number): Histogram {
    const known = this.#histograms.get(whole);
    if (known !== undefined) return known;
    const histogram = { first: n, buckets: new Buckets({ isCumulative: false }) };
    this.#histograms.set(whole, histogram);
    return histogram;
  }

  #quantile(n: number, metric: Metric): Fault | undefined {
    const page = this.#page;
    const whole = this.#wholes.first(n, metric.number);
    const quantile = this.#bounds.read(page.octets, this.#walk.valueFrom, this.#walk.valueTo);
    if (quantile === undefined) return atSample("quantileInvalid", page, n);
    const last = this.#quantiles.get(whole);
    if (last !== undefined && quantile <= last) return atSample("quantileOrder", page, n);
    this.#quantiles.set(whole, quantile);
    return undefined;
  }

  endFamily(): Fault | undefined {
    for (const { first, buckets, count } of this.#histograms.values()) {
      const { total } = buckets;
      if (total === undefined) return atSample("bucketInfinite", this.#page, first);
      if (count !== undefined && !Object.is(count.value, total)) return atValue("bucketCount", this.#page, count.n);
    }
    this.#histograms = new Map();
    this.#quantiles = new Map();
    return undefined;
  }
}
