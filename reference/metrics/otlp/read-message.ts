import { MessageCursor } from "../remote/index.ts";
import { checkDepth, textOfValue, type Value } from "./attribute.ts";
import {
  type Attributes,
  DELTA,
  type ExponentialBuckets,
  type ExponentialPoint,
  type HistogramPoint,
  type Metric,
  type MetricData,
  NO_VALUE,
  type NumberPoint,
  type PointExemplar,
  type ResourceMetrics,
  type Scope,
  type ScopeMetrics,
  type SummaryPoint,
} from "./message.ts";

/** Reads an ExportMetricsServiceRequest in protobuf. Throws `MessageFault`. */
export function readMessage(octets: Uint8Array): ResourceMetrics[] {
  const at = new MessageCursor(octets);
  const resources: ResourceMetrics[] = [];
  each(at, { 1: () => resources.push(resourceMetrics(at)) });
  return resources;
}

type Fields = Readonly<Record<number, () => unknown>>;

/** Reads all fields up to the end of the message; those without a reader are skipped. */
function each(at: MessageCursor, fields: Fields): void {
  while (at.next()) {
    const read = fields[at.field];
    if (read === undefined) at.skip();
    else read();
  }
}
/** The same for the message in a field. */
function inside(at: MessageCursor, fields: Fields): void {
  const outer = at.enter();
  each(at, fields);
  at.leave(outer);
}

function text(at: MessageCursor): string {
  const outer = at.enter();
  at.checkText(at.at, at.end);
  const words = new TextDecoder("utf-8", { ignoreBOM: true }).decode(at.octets.subarray(at.at, at.end));
  at.leave(outer);
  return words;
}

function resourceMetrics(at: MessageCursor): ResourceMetrics {
  let attributes: Attributes = new Map();
  const scopes: ScopeMetrics[] = [];
  inside(at, { 1: () => (attributes = resource(at)), 2: () => scopes.push(scopeMetrics(at)) });
  return { attributes, scopes };
}

function resource(at: MessageCursor): Attributes {
  const attributes = new Map<string, string>();
  inside(at, { 1: () => attribute(at, attributes) });
  return attributes;
}

function scopeMetrics(at: MessageCursor): ScopeMetrics {
  let scope: Omit<Scope, "schemaUrl"> = { name: "", version: "", attributes: new Map() };
  let schemaUrl = "";
  const metrics: Metric[] = [];
  inside(at, { 1: () => (scope = scopeOf(at)), 2: () => metrics.push(metric(at)), 3: () => (schemaUrl = text(at)) });
  return { scope: { ...scope, schemaUrl }, metrics };
}

function scopeOf(at: MessageCursor): Omit<Scope, "schemaUrl"> {
  let [name, version] = ["", ""];
  const attributes = new Map<string, string>();
  inside(at, { 1: () => (name = text(at)), 2: () => (version = text(at)), 3: () => attribute(at, attributes) });
  return { name, version, attributes };
}

function metric(at: MessageCursor): Metric {
  let [name, unit] = ["", ""];
  let data: MetricData = { is: "gauge", points: [] };
  inside(at, {
    1: () => (name = text(at)),
    3: () => (unit = text(at)),
    5: () => (data = { is: "gauge", ...body(at, numberPoint) }),
    7: () => (data = { is: "sum", ...body(at, numberPoint) }),
    9: () => (data = { is: "histogram", ...body(at, histogramPoint) }),
    10: () => (data = { is: "exponential histogram", ...body(at, exponentialPoint) }),
    11: () => (data = { is: "summary", ...body(at, summaryPoint) }),
  });
  return { name, unit, data };
}

type Body<P> = { readonly points: P[]; readonly isDelta: boolean; readonly isMonotonic: boolean };
function body<P>(at: MessageCursor, point: (at: MessageCursor) => P): Body<P> {
  const points: P[] = [];
  let isDelta = false;
  let isMonotonic = false;
  inside(at, {
    1: () => points.push(point(at)),
    2: () => (isDelta = at.integer() === DELTA),
    3: () => (isMonotonic = at.integer() !== 0),
  });
  return { points, isDelta, isMonotonic };
}

function numberPoint(at: MessageCursor): NumberPoint {
  const attributes = new Map<string, string>();
  let [time, value] = [0, 0];
  let isStale = false;
  const exemplars: PointExemplar[] = [];
  inside(at, {
    7: () => attribute(at, attributes),
    3: () => (time = milliseconds(at.fixed64())),
    4: () => (value = at.double()),
    5: () => exemplars.push(exemplar(at)),
    6: () => (value = Number(BigInt.asIntN(64, at.fixed64()))),
    8: () => (isStale = hasNoValue(at)),
  });
  return { attributes, time, value, isStale, exemplars };
}

function histogramPoint(at: MessageCursor): HistogramPoint {
  const attributes = new Map<string, string>();
  let [time, count] = [0, 0];
  let sum: number | undefined;
  let isStale = false;
  const [bounds, counts]: [number[], number[]] = [[], []];
  const exemplars: PointExemplar[] = [];
  inside(at, {
    9: () => attribute(at, attributes),
    3: () => (time = milliseconds(at.fixed64())),
    4: () => (count = Number(at.fixed64())),
    5: () => (sum = at.double()),
    6: () => at.numbers(counts, 1, (one) => Number(one.fixed64())),
    7: () => at.numbers(bounds, 1, (one) => one.double()),
    8: () => exemplars.push(exemplar(at)),
    10: () => (isStale = hasNoValue(at)),
  });
  return { attributes, time, isStale, count, sum, bounds, counts, exemplars };
}

function exponentialPoint(at: MessageCursor): ExponentialPoint {
  const attributes = new Map<string, string>();
  let [time, count, scale, zeroCount, zeroThreshold] = [0, 0, 0, 0, 0];
  let sum: number | undefined;
  let isStale = false;
  const exemplars: PointExemplar[] = [];
  let [positive, negative]: [ExponentialBuckets, ExponentialBuckets] = [NONE, NONE];
  inside(at, {
    1: () => attribute(at, attributes),
    3: () => (time = milliseconds(at.fixed64())),
    4: () => (count = Number(at.fixed64())),
    5: () => (sum = at.double()),
    6: () => (scale = at.signed()),
    7: () => (zeroCount = Number(at.fixed64())),
    8: () => (positive = buckets(at)),
    9: () => (negative = buckets(at)),
    10: () => (isStale = hasNoValue(at)),
    11: () => exemplars.push(exemplar(at)),
    14: () => (zeroThreshold = at.double()),
  });
  return { attributes, time, isStale, count, sum, scale, zeroCount, zeroThreshold, positive, negative, exemplars };
}

function exemplar(at: MessageCursor): PointExemplar {
  const attributes = new Map<string, string>();
  let [time, value, traceId, spanId] = [0, 0, "", ""];
  inside(at, {
    7: () => attribute(at, attributes),
    2: () => (time = milliseconds(at.fixed64())),
    3: () => (value = at.double()),
    6: () => (value = Number(BigInt.asIntN(64, at.fixed64()))),
    4: () => (spanId = octets(at).toHex()),
    5: () => (traceId = octets(at).toHex()),
  });
  return { attributes, time, value, traceId, spanId };
}

function octets(at: MessageCursor): Uint8Array {
  const outer = at.enter();
  const own = at.octets.slice(at.at, at.end);
  at.leave(outer);
  return own;
}

const NONE: ExponentialBuckets = { offset: 0, counts: [] };
function buckets(at: MessageCursor): ExponentialBuckets {
  let offset = 0;
  const counts: number[] = [];
  inside(at, { 1: () => (offset = at.signed()), 2: () => at.numbers(counts, 0, (one) => one.varint()) });
  return { offset, counts };
}

function summaryPoint(at: MessageCursor): SummaryPoint {
  const attributes = new Map<string, string>();
  let [time, count, sum] = [0, 0, 0];
  let isStale = false;
  const quantiles: { quantile: number; value: number }[] = [];
  inside(at, {
    7: () => attribute(at, attributes),
    3: () => (time = milliseconds(at.fixed64())),
    4: () => (count = Number(at.fixed64())),
    5: () => (sum = at.double()),
    6: () => {
      let [quantile, value] = [0, 0];
      inside(at, { 1: () => (quantile = at.double()), 2: () => (value = at.double()) });
      quantiles.push({ quantile, value });
    },
    8: () => (isStale = hasNoValue(at)),
  });
  return { attributes, time, isStale, count, sum, quantiles };
}

/** Nanoseconds to milliseconds. */
const milliseconds = (nanoseconds: bigint): number => Number(nanoseconds / 1_000_000n);
const hasNoValue = (at: MessageCursor): boolean => at.integer() % 2 === NO_VALUE;

function attribute(at: MessageCursor, into: Map<string, string>): void {
  let name = "";
  let value: Value = "";
  inside(at, { 1: () => (name = text(at)), 2: () => (value = anyValue(at, 0)) });
  into.set(name, textOfValue(value));
}

function anyValue(at: MessageCursor, depth: number): Value {
  checkDepth(depth);
  let value: Value = "";
  inside(at, {
    1: () => (value = text(at)),
    2: () => (value = at.integer() !== 0),
    3: () => (value = at.exactInteger()),
    4: () => (value = at.double()),
    5: () => {
      const list: Value[] = [];
      inside(at, { 1: () => list.push(anyValue(at, depth + 1)) });
      value = list;
    },
    6: () => {
      const map = new Map<string, Value>();
      inside(at, { 1: () => member(at, map, depth + 1) });
      value = map;
    },
    7: () => (value = octets(at)),
  });
  return value;
}

function member(at: MessageCursor, into: Map<string, Value>, depth: number): void {
  let name = "";
  let value: Value = "";
  inside(at, { 1: () => (name = text(at)), 2: () => (value = anyValue(at, depth)) });
  into.set(name, value);
}
