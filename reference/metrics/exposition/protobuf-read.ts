import type { SpecRef } from "../../core/index.ts";
import type { Histogram } from "../model/index.ts";
import type { FamilyToWrite, SampleToWrite } from "./families-write.ts";
import { formatBound } from "./families-write.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { type Labels, Message, Refusal } from "./protobuf-message.ts";
import { nativeOf } from "./protobuf-histogram.ts";
import { varint } from "./protobuf-wire.ts";

/** A native histogram of a metric with its exemplars. */
export type NativeSample = {
  readonly labels: Labels;
  readonly histogram: Histogram;
  readonly timestamp?: number;
  readonly exemplars: readonly NonNullable<SampleToWrite["exemplar"]>[];
};
/** A family of a page of messages: samples as in the text format, native histograms, and created times. */
export type ProtobufFamily = FamilyToWrite & {
  readonly histograms: readonly NativeSample[];
  /** Milliseconds since 1970. */
  readonly created: readonly { readonly labels: Labels; readonly timestamp: number }[];
};
/** A fault of a page of messages, at an octet from 0. */
export type ProtobufFault = {
  readonly is: "fault";
  readonly name: Refusal["name"];
  readonly spec: SpecRef;
  readonly offset: number;
  readonly message: string;
};

const SPEC: SpecRef = "prometheus-exposition#protobuf";
const TYPES = ["counter", "gauge", "summary", "unknown", "histogram", "gaugehistogram"] as const;

/**
 * Reads a page of `io.prometheus.client.MetricFamily` messages, each after its length (prometheus-exposition#protobuf): all families, or the first fault.
 * Skips unknown fields.
 */
export function readProtobuf(octets: Uint8Array, limits: Partial<Limits> = {}): readonly ProtobufFamily[] | ProtobufFault {
  const all = { ...DEFAULT_LIMITS, ...limits };
  const left = { samples: all.samples };
  const families: ProtobufFamily[] = [];
  let at = 0;
  try {
    if (octets.length > all.pageOctets) throw new Refusal("pageTooLarge", 0);
    while (at < octets.length) {
      const length = varint(octets, at);
      if (length === undefined || length.value > octets.length - length.next) throw new Refusal("messageTorn", at);
      if (families.length === all.metadata) throw new Refusal("tooManyMetadata", at);
      at = length.next + Number(length.value);
      families.push(family(new Message(octets.subarray(length.next, at), length.next, all), left));
    }
    return families;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      is: "fault",
      name: error.name,
      spec: SPEC,
      offset: error.offset,
      message: `octet ${error.offset}: ${error.name}. ${error.advice}`,
    };
  }
}

function family(message: Message, left: { samples: number }): ProtobufFamily {
  const name = message.text(1, message.limits.nameOctets);
  if (name === "") throw new Refusal("nameMissing", message.offset);
  const type = TYPES[message.integer(3)];
  if (type === undefined) throw new Refusal("typeUnknown", message.offset);
  const [help, unit] = [message.text(2, message.limits.lineOctets), message.text(5, message.limits.nameOctets)];
  const made: Made = { samples: [], histograms: [], created: [] };
  for (const metric of message.messages(4)) {
    metricOf(name, type, metric, made);
    if (made.samples.length + made.histograms.length > left.samples) throw new Refusal("tooManySamples", metric.offset);
  }
  left.samples -= made.samples.length + made.histograms.length;
  return { name, type, ...(help === "" ? {} : { help }), ...(unit === "" ? {} : { unit }), ...made };
}

type Made = {
  readonly samples: SampleToWrite[];
  readonly histograms: NativeSample[];
  readonly created: { labels: Labels; timestamp: number }[];
};
/** The field of the value of each type. */
const VALUE: Readonly<Record<(typeof TYPES)[number], number>> = {
  gauge: 2,
  counter: 3,
  summary: 4,
  unknown: 5,
  histogram: 7,
  gaugehistogram: 7,
};
const CREATED: Readonly<Record<string, number>> = { counter: 3, summary: 4, histogram: 15, gaugehistogram: 15 };

function metricOf(name: string, type: (typeof TYPES)[number], metric: Message, made: Made): void {
  const labels = metric.labels(1);
  const time = metric.has(6) ? { timestamp: metric.integer(6) } : {};
  const value = metric.message(VALUE[type]);
  if (value === undefined) throw new Refusal("valueMissing", metric.offset);
  const add = (suffix: string, number: number, extra: Labels = [], rest: Pick<SampleToWrite, "exemplar"> = {}): void => {
    made.samples.push({ name: name + suffix, labels: [...labels, ...extra], value: number, ...time, ...rest });
  };
  const created = CREATED[type] === undefined ? undefined : value.timestamp(CREATED[type]);
  if (created !== undefined) made.created.push({ labels, timestamp: created });
  if (type === "gauge" || type === "unknown") add("", value.double(1));
  else if (type === "counter") add("", value.double(1), [], exemplarIn(value, 2));
  else if (type === "summary") {
    for (const quantile of value.messages(3)) add("", quantile.double(2), [["quantile", formatBound(quantile.double(1))]]);
    add("_sum", value.double(2));
    add("_count", value.count(1));
  } else {
    const native = histogram(value, type === "gaugehistogram", add);
    if (native !== undefined) made.histograms.push({ labels, ...time, ...native });
  }
}

type Add = (suffix: string, number: number, extra?: Labels, rest?: Pick<SampleToWrite, "exemplar">) => void;

/** Adds the classic buckets of a histogram, as in the text format; returns its native part. */
function histogram(value: Message, isGauge: boolean, add: Add): Pick<NativeSample, "histogram" | "exemplars"> | undefined {
  const count = value.double(4) > 0 ? value.double(4) : value.count(1);
  const buckets = value.messages(3);
  const found = nativeOf(value, count, isGauge);
  const native = found === undefined ? undefined : { histogram: found, exemplars: value.messages(16).map((one) => one.exemplar()) };
  if (native !== undefined && buckets.length === 0) return native;
  let last = -Infinity;
  for (const bucket of buckets) {
    last = bucket.double(2);
    const counted = bucket.double(4) > 0 ? bucket.double(4) : bucket.count(1);
    add("_bucket", counted, [["le", formatBound(last)]], exemplarIn(bucket, 3));
  }
  // The bucket +Inf may be missing: it counts everything.
  if (last !== Infinity) add("_bucket", count, [["le", "+Inf"]]);
  add(isGauge ? "_gcount" : "_count", count);
  add(isGauge ? "_gsum" : "_sum", value.double(2));
  return native;
}

function exemplarIn(message: Message, number: number): Pick<SampleToWrite, "exemplar"> {
  const found = message.message(number);
  return found === undefined ? {} : { exemplar: found.exemplar() };
}
