import { CUSTOM_BOUNDS, type Histogram, type ResetHint, type Span } from "../../model/index.ts";
import { readNumber } from "../syntax/number.ts";

const HINTS: Readonly<Record<string, ResetHint>> = { unknown: "unknown", reset: "reset", not_reset: "none", gauge: "gauge" };
const NUMBERS = ["schema", "sum", "count", "z_bucket", "z_bucket_w", "offset", "n_offset"] as const;
const LISTS = ["buckets", "n_buckets", "custom_values"] as const;
type NumberKey = (typeof NUMBERS)[number];
type ListKey = (typeof LISTS)[number];
const PROPERTY = /^([a-z_]+):(?:\[([^\]]*)\]|(\S+))\s*/;
const NO_LIST: readonly number[] = [];

/**
 * Parses `{{schema:0 sum:3 count:2 buckets:[1 1]}}`, a native histogram. Every property is optional and 0 by default
 * (Prometheus docs, configuration/unit_testing_rules.md, "series"). Returns an error message for an invalid text.
 */
export function readHistogram(text: string): Histogram | string {
  const inner = /^\{\{(.*)\}\}$/s.exec(text)?.[1];
  if (inner === undefined) return `expected a histogram {{…}}, got ${text}`;
  const numbers = new Map<string, number>();
  const lists = new Map<string, number[]>();
  let resetHint: ResetHint = "unknown";
  for (let rest = inner.trim(); rest !== "";) {
    const [whole = "", key = "", list, value = ""] = PROPERTY.exec(rest) ?? [];
    if (whole === "") return `expected a property of a histogram: ${rest}`;
    rest = rest.slice(whole.length);
    if (numbers.has(key) || lists.has(key)) return `${key} is repeated`;
    if (key === "counter_reset_hint") {
      const hint = HINTS[value];
      if (hint === undefined) return `counter_reset_hint must be ${Object.keys(HINTS).join(", ")}, not ${value}`;
      resetHint = hint;
    } else if (isOneOf(NUMBERS, key)) {
      const number = readSigned(value);
      if (number === undefined) return `${key} must be a number, not ${list ?? value}`;
      numbers.set(key, number);
    } else if (isOneOf(LISTS, key)) {
      const items = (list ?? value).split(/\s+/).filter((item) => item !== "");
      const read = items.map(readSigned);
      if (list === undefined || !read.every((item) => item !== undefined)) return `${key} must be a list of numbers: [1 2 3]`;
      lists.set(key, read);
    } else return `unknown property ${key}`;
  }
  const number = (key: NumberKey): number => numbers.get(key) ?? 0;
  const list = (key: ListKey): readonly number[] => lists.get(key) ?? NO_LIST;
  const bad = misfit(number("schema"), list("custom_values"), [number("offset"), number("n_offset")]);
  if (bad !== undefined) return bad;
  return {
    schema: number("schema"),
    zeroThreshold: number("z_bucket_w"),
    zeroCount: number("z_bucket"),
    count: number("count"),
    sum: number("sum"),
    positiveSpans: spansOf(number("offset"), list("buckets")),
    negativeSpans: spansOf(number("n_offset"), list("n_buckets")),
    positive: list("buckets"),
    negative: list("n_buckets"),
    bounds: list("custom_values"),
    resetHint,
    isInteger: false,
  };
}

const isOneOf = <T extends string>(keys: readonly T[], key: string): key is T => keys.some((one) => one === key);

function misfit(schema: number, bounds: readonly number[], offsets: readonly number[]): string | undefined {
  if (!Number.isInteger(schema) || (schema !== CUSTOM_BOUNDS && (schema < -4 || schema > 8)))
    return `schema must be -4 to 8 or -53, not ${schema}`;
  if (bounds.length > 0 && schema !== CUSTOM_BOUNDS) return "custom_values need schema:-53";
  if (offsets.some((offset) => !Number.isInteger(offset))) return "an offset must be a whole number";
  return bounds.some((bound, at) => at > 0 && bound <= (bounds[at - 1] ?? 0)) ? "custom_values must ascend" : undefined;
}

const spansOf = (offset: number, buckets: readonly number[]): Span[] => (buckets.length === 0 ? [] : [{ offset, length: buckets.length }]);

/** Parses a number with an optional sign. */
export function readSigned(text: string): number | undefined {
  const negative = text.startsWith("-");
  const value = readNumber(negative || text.startsWith("+") ? text.slice(1) : text);
  return value === undefined ? undefined : negative ? -value : value;
}

/** `base` plus `times` times `delta`; undefined if their buckets are of different kinds. Each has at most one span per side. */
export function addedHistogram(base: Histogram, delta: Histogram, times: number): Histogram | undefined {
  const sameBounds = base.bounds.length === delta.bounds.length && base.bounds.every((bound, at) => bound === delta.bounds[at]);
  if (base.schema !== delta.schema || base.zeroThreshold !== delta.zeroThreshold || !sameBounds) return undefined;
  const [positiveSpans, positive] = addedSide(sideOf(base, "positive"), sideOf(delta, "positive"), times);
  const [negativeSpans, negative] = addedSide(sideOf(base, "negative"), sideOf(delta, "negative"), times);
  return {
    ...base,
    count: base.count + times * delta.count,
    sum: base.sum + times * delta.sum,
    zeroCount: base.zeroCount + times * delta.zeroCount,
    positiveSpans,
    positive,
    negativeSpans,
    negative,
  };
}

/** The buckets of one side of a histogram, in at most one span. */
type Side = { readonly spans: readonly Span[]; readonly counts: readonly number[] };
const sideOf = (histogram: Histogram, side: "positive" | "negative"): Side => ({
  spans: histogram[`${side}Spans`],
  counts: histogram[side],
});
function addedSide({ spans: aSpans, counts: a }: Side, { spans: bSpans, counts: b }: Side, times: number): [Span[], readonly number[]] {
  const [aFrom, bFrom] = [aSpans[0]?.offset ?? bSpans[0]?.offset ?? 0, bSpans[0]?.offset ?? aSpans[0]?.offset ?? 0];
  const from = Math.min(aFrom, bFrom);
  const to = Math.max(aFrom + a.length, bFrom + b.length);
  const sums = Array.from({ length: to - from }, (_, at) => (a[from + at - aFrom] ?? 0) + times * (b[from + at - bFrom] ?? 0));
  return [spansOf(from, sums), sums];
}
