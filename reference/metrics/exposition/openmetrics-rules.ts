import { atSample, atValue, boundOf, checkInOrder, keyOf, type PageRules, valueOf } from "./families.ts";
import { type Fault, faultAt } from "./faults.ts";
import type { Metadata, Page } from "./page.ts";
import { exemplarFault, Point } from "./point.ts";

/** Suffixes of samples by type (prometheus-openmetrics#data-model.suffixes). */
export const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: ["_total", "_created"],
  gauge: [""],
  histogram: ["_bucket", "_count", "_sum", "_created"],
  gaugehistogram: ["_bucket", "_gcount", "_gsum"],
  stateset: [""],
  info: ["_info"],
  summary: ["", "_count", "_sum", "_created"],
  unknown: [""],
};

/**
 * What OpenMetrics asks of the lines of a page taken together: families, their metrics and the points of those each in one piece, samples as the
 * type has them (prometheus-openmetrics#data-model, text.metric-family to text.gauge-histogram).
 */
export const checkOpenMetrics = (page: Page): Fault | undefined => checkInOrder(page, new OpenMetricsRules(page));

type Family = {
  readonly name: string;
  readonly offset: number;
  readonly kinds: Map<Metadata["kind"], Metadata>;
  type: string;
  samples: number;
  readonly done: Set<string>;
  metric?: string;
  point?: Point;
};

class OpenMetricsRules implements PageRules {
  readonly #page: Page;
  readonly #names = new Set<string>();
  /** Names of samples that families before have had, or could have had. */
  readonly #taken = new Set<string>();
  #family: Family | undefined;
  #exemplar = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  metadata(line: Metadata): Fault | undefined {
    const page = this.#page;
    // Without a text it is as if the line were not there.
    if (line.textFrom === line.textTo) return undefined;
    const name = page.metadataName(line);
    if (this.#family?.name !== name) {
      const fault = this.endFamily();
      if (fault !== undefined) return fault;
      if (this.#names.has(name)) return faultAt("familyApart", page.octets, line.offset);
      this.#begin(name, line.offset);
    }
    const family = this.#family!;
    if (family.kinds.has(line.kind)) return faultAt("metadataRepeated", page.octets, line.offset);
    if (family.samples > 0) return faultAt("metadataLate", page.octets, line.offset);
    family.kinds.set(line.kind, line);
    const text = page.metadataText(line);
    if (line.kind === "type") family.type = text;
    if (line.kind === "unit" && !name.endsWith(`_${text}`)) return faultAt("unitNotSuffix", page.octets, line.textFrom);
    return undefined;
  }

  #begin(name: string, offset: number): Family {
    this.#names.add(name);
    this.#family = { name, offset, kinds: new Map(), type: "unknown", samples: 0, done: new Set() };
    return this.#family;
  }

  endFamily(): Fault | undefined {
    const family = this.#family;
    if (family === undefined) return undefined;
    this.#family = undefined;
    const fault = this.#endPoint(family);
    if (fault !== undefined) return fault;
    const unit = family.kinds.get("unit");
    if (unit !== undefined && (family.type === "info" || family.type === "stateset"))
      return faultAt("unitForbidden", this.#page.octets, unit.offset);
    for (const suffix of SUFFIXES[family.type] ?? []) {
      if (this.#taken.has(family.name + suffix)) return faultAt("familyClash", this.#page.octets, family.offset);
      this.#taken.add(family.name + suffix);
    }
    return undefined;
  }

  sample(n: number): Fault | undefined {
    const page = this.#page;
    const name = page.name(n);
    let family = this.#family;
    const suffix = family === undefined ? undefined : suffixOf(name, family);
    if (family === undefined || suffix === undefined) {
      if (family?.name === name) return atSample("suffixWrong", page, n);
      const fault = this.endFamily();
      if (fault !== undefined) return fault;
      if (this.#taken.has(name) || this.#names.has(name)) return atSample("familyApart", page, n);
      family = this.#begin(name, page.from[n]!);
    }
    family.samples++;
    return this.#inFamily(family, n, suffix ?? "") ?? this.#exemplars(family, n, suffix ?? "");
  }

  #inFamily(family: Family, n: number, suffix: string): Fault | undefined {
    const page = this.#page;
    const labels = page.labels(n);
    const special = specialOf(family, suffix);
    const state = special === undefined ? undefined : valueOf(labels, special);
    const missing = this.#missing(family, n, suffix, labels, state);
    if (missing !== undefined) return missing;
    const key = keyOf(labels, special);
    if (key !== family.metric) {
      const fault = this.#endPoint(family);
      if (fault !== undefined) return fault;
      if (family.done.has(key)) return atSample("metricApart", page, n);
      family.done.add(key);
      family.metric = key;
    }
    const timestamp = page.timestamps[n]!;
    if (family.point !== undefined && !Object.is(timestamp, family.point.timestamp)) {
      // A later point of the same metric.
      if (!(timestamp > family.point.timestamp)) return atSample("pointTimestamp", page, n);
      const fault = this.#endPoint(family);
      if (fault !== undefined) return fault;
    }
    family.point ??= new Point(family.type, n, timestamp);
    return this.#judge(family.point.add(suffix, state, page.values[n]!, special === "le" || special === "quantile"), n);
  }

  /** The labels that a type asks for, and those that it keeps for itself. */
  #missing(
    family: Family,
    n: number,
    suffix: string,
    labels: readonly (readonly [string, string])[],
    state: string | undefined,
  ): Fault | undefined {
    const page = this.#page;
    const { type } = family;
    if (type === "stateset" && state === undefined) return atSample("stateMissing", page, n);
    if (type === "histogram" || type === "gaugehistogram") {
      if ((suffix === "_bucket") !== (valueOf(labels, "le") !== undefined)) return atSample("bucketBoundMissing", page, n);
      if (state !== undefined && boundOf(state) === undefined) return atSample("bucketBoundInvalid", page, n);
    }
    if (type === "summary") {
      const quantile = valueOf(labels, "quantile");
      const value = quantile === undefined ? undefined : boundOf(quantile);
      const isRight = suffix === "" ? value !== undefined && value >= 0 && value <= 1 : quantile === undefined;
      if (!isRight) return atSample("quantileInvalid", page, n);
    }
    return undefined;
  }

  #judge(wrong: ReturnType<Point["add"]>, n: number): Fault | undefined {
    if (wrong === undefined) return undefined;
    return wrong === "valueForbidden" || wrong === "bucketCumulative" ? atValue(wrong, this.#page, n) : atSample(wrong, this.#page, n);
  }

  #endPoint(family: Family): Fault | undefined {
    const { point } = family;
    delete family.point;
    const wrong = point?.end();
    return point === undefined || wrong === undefined ? undefined : atSample(wrong, this.#page, point.first);
  }

  #exemplars(family: Family, n: number, suffix: string): Fault | undefined {
    const page = this.#page;
    const e = this.#exemplar;
    if (e === page.exemplarCount || page.exemplarOf[e] !== n) return undefined;
    this.#exemplar++;
    const at = page.exemplarFrom[e]!;
    const isOfBucket = suffix === "_bucket";
    if (!isOfBucket && !(family.type === "counter" && suffix === "_total")) return faultAt("exemplarForbidden", page.octets, at - 2);
    const bound = isOfBucket ? boundOf(valueOf(page.labels(n), "le") ?? "") : undefined;
    const wrong = exemplarFault(page.exemplarLabels(e), page.exemplarValues[e]!, bound);
    return wrong === undefined ? undefined : faultAt(wrong, page.octets, at);
  }
}

/** The suffix by which a sample is one of the family's; undefined where it is not. */
function suffixOf(name: string, { name: family, type }: Family): string | undefined {
  if (!name.startsWith(family)) return undefined;
  const rest = name.slice(family.length);
  return SUFFIXES[type]?.includes(rest) === true ? rest : undefined;
}

/** The label that tells the samples of a point apart, rather than its metric from others. */
function specialOf({ type, name }: Family, suffix: string): string | undefined {
  if (suffix === "_bucket") return "le";
  if (suffix === "" && type === "summary") return "quantile";
  return type === "stateset" ? name : undefined;
}
