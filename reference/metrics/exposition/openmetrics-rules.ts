import { atSample, atValue, BoundReader, checkInOrder, Names, type PageRules } from "./families.ts";
import { type Fault, faultAt } from "./faults.ts";
import { LabelSets } from "./label-sets.ts";
import { LabelWalk } from "./label-walk.ts";
import { type Metadata, type Page, unescaped } from "./page.ts";
import { exemplarFault, MOST_OF_EXEMPLAR, Point } from "./point.ts";

/** Suffixes of samples by type (prometheus-openmetrics#data-model.suffixes). */
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
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
 * The rules of OpenMetrics for the lines of a page together: contiguous families, metrics and points, and samples as their type requires
 * (prometheus-openmetrics#data-model, text.metric-family to text.gauge-histogram).
 */
export const checkOpenMetrics = (page: Page): Fault | undefined => checkInOrder(page, new OpenMetricsRules(page));

/** The value of the label that distinguishes the samples of a point: a number for a bucket or a quantile. */
type State = string | number | undefined;
/** A sample: its number, its suffix, the first sample of its metric, and its state, if it has that label. */
type Sample = { readonly n: number; readonly suffix: string; readonly metric: number; readonly hasLabel: boolean; readonly state: State };
type Family = {
  readonly name: string;
  readonly number: number;
  readonly offset: number;
  readonly lines: Metadata[];
  type: string;
  samples: number;
  /** The first sample of the current metric. */
  metric: number | undefined;
  point: Point | undefined;
};

class OpenMetricsRules implements PageRules {
  readonly #page: Page;
  readonly #bounds = new BoundReader();
  readonly #families = new Set<string>();
  /** All possible sample names of earlier families. */
  readonly #taken = new Set<string>();
  readonly #walk: LabelWalk;
  readonly #metrics: LabelSets;
  #family: Family | undefined;
  /** The suffixes of sample names of the current family. */
  readonly #suffixes: Names<string>;
  #exemplar = 0;

  constructor(page: Page) {
    this.#page = page;
    this.#walk = new LabelWalk(page);
    this.#metrics = new LabelSets(page, this.#walk, { isWhole: false });
    this.#suffixes = new Names(page);
  }

  metadata(line: Metadata): Fault | undefined {
    const page = this.#page;
    // A line without text has no effect.
    if (line.textFrom === line.textTo) return undefined;
    const name = page.metadataName(line);
    let family = this.#family;
    if (family?.name !== name) {
      const fault = this.endFamily();
      if (fault !== undefined) return fault;
      if (this.#families.has(name)) return faultAt("familyApart", page.octets, line.offset);
      family = this.#begin(name, line.offset);
    }
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
    const state = !hasLabel ? undefined : isText ? unescaped(octets, valueFrom, valueTo) : this.#bounds.read(octets, valueFrom, valueTo);
    const sample: Sample = { n, suffix, metric, hasLabel, state };
    return this.#missing(family, sample) ?? this.#inMetric(family, sample) ?? this.#exemplars(family, sample);
  }

  /** Enters the family of a sample name; returns its suffix. */
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

  #inMetric(family: Family, { n, suffix, metric, state }: Sample): Fault | undefined {
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

  /** Checks the labels that a type requires or reserves. */
  #missing({ type }: Family, { n, suffix, hasLabel, state }: Sample): Fault | undefined {
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

  #exemplars(family: Family, { n, suffix, state }: Sample): Fault | undefined {
    const page = this.#page;
    const e = this.#exemplar;
    if (e === page.exemplarCount || page.exemplarOf[e] !== n) return undefined;
    this.#exemplar++;
    const at = page.exemplarFrom[e]!;
    const isOfBucket = suffix === "_bucket";
    if (!isOfBucket && !(family.type === "counter" && suffix === "_total")) return faultAt("exemplarForbidden", page.octets, at - 2);
    // Few octets have few characters: no need to count.
    const labels = page.exemplarTo[e]! - at > MOST_OF_EXEMPLAR ? page.exemplarLabels(e) : [];
    const wrong = exemplarFault(labels, page.exemplarValues[e]!, isOfBucket ? Number(state) : undefined);
    return wrong === undefined ? undefined : faultAt(wrong, page.octets, at);
  }
}

/** The suffix of a sample name of a family; undefined if it belongs to another. */
function suffixOf(name: string, { name: family, type }: Family): string | undefined {
  if (!name.startsWith(family)) return undefined;
  const rest = name.slice(family.length);
  return SUFFIXES[type]?.includes(rest) === true ? rest : undefined;
}

/** The label that distinguishes the samples of a point; empty if there is none. */
function labelOf({ type, name }: Family): string {
  if (type === "histogram" || type === "gaugehistogram") return "le";
  return type === "summary" ? "quantile" : type === "stateset" ? name : "";
}
