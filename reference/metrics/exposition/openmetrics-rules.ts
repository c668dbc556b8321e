import { atSample, atValue, boundAt, checkInOrder, Names, type PageRules } from "./families.ts";
import { type Fault, faultAt } from "./faults.ts";
import { LabelSets } from "./label-sets.ts";
import { LabelWalk } from "./label-walk.ts";
import { type Metadata, type Page, unescaped } from "./page.ts";
import { exemplarFault, MOST_OF_EXEMPLAR, Point } from "./point.ts";

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

/** What that label says: a number for a bucket or a quantile. */
type State = string | number | undefined;
type Family = {
  readonly name: string;
  readonly number: number;
  readonly offset: number;
  readonly lines: Metadata[];
  type: string;
  samples: number;
  /** The first sample of the metric under way. */
  metric: number | undefined;
  point: Point | undefined;
};

class OpenMetricsRules implements PageRules {
  readonly #page: Page;
  readonly #families = new Set<string>();
  /** Names of samples that families before have had, or could have had. */
  readonly #taken = new Set<string>();
  readonly #walk: LabelWalk;
  readonly #metrics: LabelSets;
  #family: Family | undefined;
  /** By which suffixes samples are the family's. */
  readonly #suffixes: Names<string>;
  #exemplar = 0;

  constructor(page: Page) {
    this.#page = page;
    this.#walk = new LabelWalk(page);
    this.#metrics = new LabelSets(page, this.#walk, false);
    this.#suffixes = new Names(page);
  }

  metadata(line: Metadata): Fault | undefined {
    const page = this.#page;
    // Without a text it is as if the line were not there.
    if (line.textFrom === line.textTo) return undefined;
    const name = page.metadataName(line);
    if (this.#family?.name !== name) {
      const fault = this.endFamily();
      if (fault !== undefined) return fault;
      if (this.#families.has(name)) return faultAt("familyApart", page.octets, line.offset);
      this.#begin(name, line.offset);
    }
    const family = this.#family!;
    if (family.lines.some(({ kind }) => kind === line.kind)) return faultAt("metadataRepeated", page.octets, line.offset);
    if (family.samples > 0) return faultAt("metadataLate", page.octets, line.offset);
    family.lines.push(line);
    const text = page.metadataText(line);
    if (line.kind === "type") family.type = text;
    if (line.kind === "unit" && !name.endsWith(`_${text}`)) return faultAt("unitNotSuffix", page.octets, line.textFrom);
    return undefined;
  }

  #begin(name: string, offset: number): Family {
    const number = this.#families.size;
    this.#families.add(name);
    this.#suffixes.clear();
    this.#family = { name, number, offset, lines: [], type: "unknown", samples: 0, metric: undefined, point: undefined };
    return this.#family;
  }

  endFamily(): Fault | undefined {
    const family = this.#family;
    if (family === undefined) return undefined;
    this.#family = undefined;
    const fault = this.#endPoint(family);
    if (fault !== undefined) return fault;
    const unit = family.lines.find(({ kind }) => kind === "unit");
    if (unit !== undefined && (family.type === "info" || family.type === "stateset"))
      return faultAt("unitForbidden", this.#page.octets, unit.offset);
    for (const suffix of SUFFIXES[family.type] ?? []) {
      if (this.#taken.has(family.name + suffix)) return faultAt("familyClash", this.#page.octets, family.offset);
      this.#taken.add(family.name + suffix);
    }
    return undefined;
  }

  sample(n: number): Fault | undefined {
    const suffix = this.#suffixes.find(n) ?? this.#enter(n);
    if (typeof suffix !== "string") return suffix;
    const family = this.#family!;
    family.samples++;
    const { octets } = this.#page;
    this.#walk.read(n, labelOf(family));
    const metric = this.#metrics.first(n, family.number);
    const { valueFrom, valueTo } = this.#walk;
    const hasLabel = valueTo > 0;
    const isText = family.type === "stateset";
    const state = !hasLabel ? undefined : isText ? unescaped(octets, valueFrom, valueTo) : boundAt(octets, valueFrom, valueTo);
    return (
      this.#missing(family, n, suffix, hasLabel, state) ??
      this.#inMetric(family, n, suffix, metric, state) ??
      this.#exemplars(family, n, suffix, state)
    );
  }

  /** Goes over to the family that the name of a sample belongs to; returns by which suffix. */
  #enter(n: number): string | Fault {
    const page = this.#page;
    const name = page.name(n);
    const family = this.#family;
    const suffix = family === undefined ? undefined : suffixOf(name, family);
    if (suffix !== undefined) {
      this.#suffixes.add(n, suffix);
      return suffix;
    }
    if (family?.name === name) return atSample("suffixWrong", page, n);
    const fault = this.endFamily();
    if (fault !== undefined) return fault;
    if (this.#taken.has(name) || this.#families.has(name)) return atSample("familyApart", page, n);
    this.#begin(name, page.from[n]!);
    this.#suffixes.add(n, "");
    return "";
  }

  #inMetric(family: Family, n: number, suffix: string, metric: number, state: State): Fault | undefined {
    const page = this.#page;
    if (metric !== family.metric) {
      const fault = this.#endPoint(family);
      if (fault !== undefined) return fault;
      if (metric !== n) return atSample("metricApart", page, n);
      family.metric = metric;
    }
    const timestamp = page.timestamps[n]!;
    if (family.point !== undefined && !Object.is(timestamp, family.point.timestamp)) {
      // A later point of the same metric.
      if (!(timestamp > family.point.timestamp)) return atSample("pointTimestamp", page, n);
      const fault = this.#endPoint(family);
      if (fault !== undefined) return fault;
    }
    family.point ??= new Point(family.type, n, timestamp);
    return this.#judge(family.point.add(suffix, state, page.values[n]!), n);
  }

  /** The labels that a type asks for, and those that it keeps for itself. */
  #missing({ type }: Family, n: number, suffix: string, hasLabel: boolean, state: State): Fault | undefined {
    const page = this.#page;
    if (type === "stateset" && !hasLabel) return atSample("stateMissing", page, n);
    if (type === "histogram" || type === "gaugehistogram") {
      if ((suffix === "_bucket") !== hasLabel) return atSample("bucketBoundMissing", page, n);
      if (hasLabel && state === undefined) return atSample("bucketBoundInvalid", page, n);
    }
    if (type === "summary") {
      const isRight = suffix === "" ? Number(state) >= 0 && Number(state) <= 1 : !hasLabel;
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
    family.point = undefined;
    const wrong = point?.end();
    return point === undefined || wrong === undefined ? undefined : atSample(wrong, this.#page, point.first);
  }

  #exemplars(family: Family, n: number, suffix: string, state: State): Fault | undefined {
    const page = this.#page;
    const e = this.#exemplar;
    if (e === page.exemplarCount || page.exemplarOf[e] !== n) return undefined;
    this.#exemplar++;
    const at = page.exemplarFrom[e]!;
    const isOfBucket = suffix === "_bucket";
    if (!isOfBucket && !(family.type === "counter" && suffix === "_total")) return faultAt("exemplarForbidden", page.octets, at - 2);
    // What is short as it stands is short as it is counted.
    const labels = page.exemplarTo[e]! - at > MOST_OF_EXEMPLAR ? page.exemplarLabels(e) : [];
    const wrong = exemplarFault(labels, page.exemplarValues[e]!, isOfBucket ? Number(state) : undefined);
    return wrong === undefined ? undefined : faultAt(wrong, page.octets, at);
  }
}

/** The suffix by which a sample is one of the family's; undefined where it is not. */
function suffixOf(name: string, { name: family, type }: Family): string | undefined {
  if (!name.startsWith(family)) return undefined;
  const rest = name.slice(family.length);
  return SUFFIXES[type]?.includes(rest) === true ? rest : undefined;
}

/** The label that tells the samples of a point apart, rather than its metric from others; empty where there is none. */
function labelOf({ type, name }: Family): string {
  if (type === "histogram" || type === "gaugehistogram") return "le";
  return type === "summary" ? "quantile" : type === "stateset" ? name : "";
}
