import { MessageFault } from "../remote/index.ts";
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
  type ScopeMetrics,
  type SummaryPoint,
} from "./message.ts";

/** Reads an ExportMetricsServiceRequest in the JSON form of protobuf: names in lowerCamelCase, 64-bit integers as text or numbers. Throws `MessageFault`. */
export function readJson(text: string): ResourceMetrics[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MessageFault(`the content is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return listOf(recordOf(value, "the request"), "resourceMetrics").map(resourceMetrics);
}

type Fields = Readonly<Record<string, unknown>>;

function recordOf(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new MessageFault(`${what} is not an object`);
  return value as Fields;
}
function inner(fields: Fields, name: string): Fields {
  const value = fields[name];
  return value === undefined || value === null ? {} : recordOf(value, name);
}
function listOf(fields: Fields, name: string): Fields[] {
  return valuesOf(fields, name).map((one) => recordOf(one, `a member of ${name}`));
}
function valuesOf(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new MessageFault(`${name} is not a list`);
  return value;
}
function textIn(fields: Fields, name: string): string {
  const value = fields[name] ?? "";
  if (typeof value !== "string") throw new MessageFault(`${name} is not a text`);
  if (!value.isWellFormed()) throw new MessageFault(`${name} is not well-formed text`);
  return value;
}
/** A number, or the text of one: `"12"`, `"NaN"`, `"-Infinity"`. */
function number(value: unknown, name: string): number {
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof read !== "number" || (Number.isNaN(read) && value !== "NaN")) throw new MessageFault(`${name} is not a number`);
  return read;
}
const numberIn = (fields: Fields, name: string): number => (isSet(fields, name) ? number(fields[name], name) : 0);
const numbersIn = (fields: Fields, name: string): number[] => valuesOf(fields, name).map((one) => number(one, name));
const isSet = (fields: Fields, name: string): boolean => fields[name] !== undefined && fields[name] !== null;

/** The exact integer of a number or a text. */
function exact(value: unknown, name: string): bigint {
  try {
    if (typeof value === "string" || typeof value === "number") return BigInt(value);
  } catch {
    // It is refused below.
  }
  throw new MessageFault(`${name} is not an integer`);
}

function resourceMetrics(fields: Fields): ResourceMetrics {
  return { attributes: attributesIn(inner(fields, "resource")), scopes: listOf(fields, "scopeMetrics").map(scopeMetrics) };
}

function scopeMetrics(fields: Fields): ScopeMetrics {
  const scope = inner(fields, "scope");
  const named = { name: textIn(scope, "name"), version: textIn(scope, "version"), schemaUrl: textIn(fields, "schemaUrl") };
  return { scope: { ...named, attributes: attributesIn(scope) }, metrics: listOf(fields, "metrics").map(metric) };
}

function metric(fields: Fields): Metric {
  return { name: textIn(fields, "name"), unit: textIn(fields, "unit"), data: dataOf(fields) };
}

function dataOf(fields: Fields): MetricData {
  const points = <P>(name: string, point: (one: Fields) => P): readonly P[] => listOf(inner(fields, name), "dataPoints").map(point);
  const isDelta = (name: string): boolean => {
    const { aggregationTemporality: given } = inner(fields, name);
    return given === DELTA || given === "AGGREGATION_TEMPORALITY_DELTA";
  };
  if (isSet(fields, "sum"))
    return {
      is: "sum",
      points: points("sum", numberPoint),
      isDelta: isDelta("sum"),
      isMonotonic: inner(fields, "sum")["isMonotonic"] === true,
    };
  if (isSet(fields, "histogram")) return { is: "histogram", points: points("histogram", histogramPoint), isDelta: isDelta("histogram") };
  if (isSet(fields, "exponentialHistogram"))
    return {
      is: "exponential histogram",
      points: points("exponentialHistogram", exponentialPoint),
      isDelta: isDelta("exponentialHistogram"),
    };
  if (isSet(fields, "summary")) return { is: "summary", points: points("summary", summaryPoint) };
  return { is: "gauge", points: points("gauge", numberPoint) };
}

const timeIn = (fields: Fields): number =>
  isSet(fields, "timeUnixNano") ? Number(exact(fields["timeUnixNano"], "timeUnixNano") / 1_000_000n) : 0;
const numberValueIn = (fields: Fields): number =>
  isSet(fields, "asInt") ? Number(exact(fields["asInt"], "asInt")) : numberIn(fields, "asDouble");
const common = (fields: Fields): Pick<NumberPoint, "attributes" | "time" | "isStale"> => ({
  attributes: attributesIn(fields),
  time: timeIn(fields),
  isStale: numberIn(fields, "flags") % 2 === NO_VALUE,
});
const sumIn = (fields: Fields): number | undefined => (isSet(fields, "sum") ? numberIn(fields, "sum") : undefined);

function numberPoint(fields: Fields): NumberPoint {
  return { ...common(fields), value: numberValueIn(fields), exemplars: exemplarsIn(fields) };
}

const exemplarsIn = (fields: Fields): PointExemplar[] =>
  listOf(fields, "exemplars").map((one) => ({
    attributes: new Map(listOf(one, "filteredAttributes").map(attributeIn)),
    time: timeIn(one),
    value: numberValueIn(one),
    traceId: identifierIn(one, "traceId"),
    spanId: identifierIn(one, "spanId"),
  }));

/** Unlike other octets, identifiers are in hexadecimal. */
function identifierIn(fields: Fields, name: string): string {
  const text = textIn(fields, name).toLowerCase();
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new MessageFault(`${name} is not in hexadecimal`);
  return text;
}

function histogramPoint(fields: Fields): HistogramPoint {
  const [bounds, counts] = [numbersIn(fields, "explicitBounds"), numbersIn(fields, "bucketCounts")];
  return { ...common(fields), count: numberIn(fields, "count"), sum: sumIn(fields), bounds, counts, exemplars: exemplarsIn(fields) };
}

function exponentialPoint(fields: Fields): ExponentialPoint {
  const buckets = (name: string): ExponentialBuckets => {
    const given = inner(fields, name);
    return { offset: numberIn(given, "offset"), counts: numbersIn(given, "bucketCounts") };
  };
  return {
    ...common(fields),
    count: numberIn(fields, "count"),
    sum: sumIn(fields),
    scale: numberIn(fields, "scale"),
    zeroCount: numberIn(fields, "zeroCount"),
    zeroThreshold: numberIn(fields, "zeroThreshold"),
    positive: buckets("positive"),
    negative: buckets("negative"),
    exemplars: exemplarsIn(fields),
  };
}

function summaryPoint(fields: Fields): SummaryPoint {
  const quantiles = listOf(fields, "quantileValues").map((one) => ({
    quantile: numberIn(one, "quantile"),
    value: numberIn(one, "value"),
  }));
  return { ...common(fields), count: numberIn(fields, "count"), sum: numberIn(fields, "sum"), quantiles };
}

const attributeIn = (one: Fields): [name: string, value: string] => [textIn(one, "key"), textOfValue(valueOf(inner(one, "value"), 0))];
const attributesIn = (fields: Fields): Attributes => new Map(listOf(fields, "attributes").map(attributeIn));

function valueOf(fields: Fields, depth: number): Value {
  checkDepth(depth);
  if (isSet(fields, "stringValue")) return textIn(fields, "stringValue");
  if (isSet(fields, "boolValue")) return fields["boolValue"] === true;
  if (isSet(fields, "intValue")) return exact(fields["intValue"], "intValue");
  if (isSet(fields, "doubleValue")) return numberIn(fields, "doubleValue");
  if (isSet(fields, "bytesValue")) return octets(textIn(fields, "bytesValue"));
  if (isSet(fields, "arrayValue")) return listOf(inner(fields, "arrayValue"), "values").map((one) => valueOf(one, depth + 1));
  if (isSet(fields, "kvlistValue"))
    return new Map(
      listOf(inner(fields, "kvlistValue"), "values").map((one) => [textIn(one, "key"), valueOf(inner(one, "value"), depth + 1)]),
    );
  return "";
}

function octets(base64: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    throw new MessageFault("bytesValue is not Base64");
  }
}
