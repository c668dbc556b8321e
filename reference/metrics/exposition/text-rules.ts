import { atSample, atValue, boundOf, Buckets, checkInOrder, keyOf, type PageRules, valueOf } from "./families.ts";
import { type Fault, faultAt } from "./faults.ts";
import type { Metadata, Page } from "./page.ts";

/**
 * What the text format asks of the lines of a page taken together (prometheus-exposition#text.comments, text.grouping, text.histograms): one group a
 * metric with its metadata in front, each series once, whole histograms, sorted summaries.
 */
export const checkText = (page: Page): Fault | undefined => checkInOrder(page, new TextRules(page));

type Metric = { readonly kinds: Set<Metadata["kind"]>; type: string; samples: number };
type Histogram = { readonly first: number; readonly buckets: Buckets; count?: { readonly n: number; readonly value: number } };

class TextRules implements PageRules {
  readonly #page: Page;
  readonly #metrics = new Map<string, Metric>();
  readonly #series = new Set<string>();
  #current: string | undefined;
  /** Of the group under way, by labels. */
  #histograms = new Map<string, Histogram>();
  #quantiles = new Map<string, number>();

  constructor(page: Page) {
    this.#page = page;
  }

  metadata(line: Metadata): Fault | undefined {
    const page = this.#page;
    const name = page.metadataName(line);
    const metric = this.#metrics.get(name);
    if (metric?.kinds.has(line.kind) === true) return faultAt("metadataRepeated", page.octets, line.offset);
    if (metric !== undefined && metric.samples > 0) return faultAt("metadataLate", page.octets, line.offset);
    const fault = this.#enter(name);
    if (fault !== undefined) return fault;
    if (metric !== undefined && this.#isApart) return faultAt("familyApart", page.octets, line.offset);
    const known = this.#known(name);
    known.kinds.add(line.kind);
    if (line.kind === "type") known.type = page.metadataText(line);
    return undefined;
  }

  sample(n: number): Fault | undefined {
    const page = this.#page;
    const name = page.name(n);
    const labels = page.labels(n);
    const [group, role] = this.#groupOf(name);
    const isKnown = this.#metrics.has(group);
    const fault = this.#enter(group);
    if (fault !== undefined) return fault;
    if (isKnown && this.#isApart) return atSample("familyApart", page, n);
    const metric = this.#known(group);
    metric.samples++;
    const series = `${name.length}:${name}${keyOf(labels)}`;
    if (this.#series.has(series)) return atSample("sampleRepeated", page, n);
    this.#series.add(series);
    if (metric.type === "histogram" && role !== "") return this.#histogram(n, role, labels);
    if (metric.type === "summary" && role === "") return this.#quantile(n, labels);
    return undefined;
  }

  /** The metric that a name belongs to, and by which suffix: that of a histogram or a summary which has been declared. */
  #groupOf(name: string): [group: string, suffix: string] {
    const found = /^(.+)(_bucket|_sum|_count)$/.exec(name);
    const [, stem = "", suffix = ""] = found ?? [];
    const type = this.#metrics.get(stem)?.type;
    const isPart = type === "histogram" || (type === "summary" && suffix !== "_bucket");
    return isPart ? [stem, suffix] : [name, ""];
  }

  #isApart = false;
  /** Goes over to the group of a metric. */
  #enter(name: string): Fault | undefined {
    this.#isApart = name !== this.#current;
    if (!this.#isApart) return undefined;
    const fault = this.endFamily();
    this.#current = name;
    return fault;
  }
  #known(name: string): Metric {
    const metric = this.#metrics.get(name) ?? { kinds: new Set(), type: "untyped", samples: 0 };
    this.#metrics.set(name, metric);
    return metric;
  }

  #histogram(n: number, role: string, labels: readonly [string, string][]): Fault | undefined {
    const page = this.#page;
    const key = keyOf(labels, role === "_bucket" ? "le" : undefined);
    const histogram: Histogram = this.#histograms.get(key) ?? { first: n, buckets: new Buckets() };
    this.#histograms.set(key, histogram);
    if (role === "_count") histogram.count = { n, value: page.values[n]! };
    if (role !== "_bucket") return undefined;
    const le = valueOf(labels, "le");
    if (le === undefined) return atSample("bucketBoundMissing", page, n);
    const bound = boundOf(le);
    if (bound === undefined) return atSample("bucketBoundInvalid", page, n);
    const wrong = histogram.buckets.add(bound, page.values[n]!, false);
    return wrong === undefined ? undefined : atSample(wrong, page, n);
  }

  #quantile(n: number, labels: readonly [string, string][]): Fault | undefined {
    const page = this.#page;
    const text = valueOf(labels, "quantile");
    const quantile = text === undefined ? undefined : boundOf(text);
    if (quantile === undefined) return atSample("quantileInvalid", page, n);
    const key = keyOf(labels, "quantile");
    const last = this.#quantiles.get(key);
    if (last !== undefined && quantile <= last) return atSample("quantileOrder", page, n);
    this.#quantiles.set(key, quantile);
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
