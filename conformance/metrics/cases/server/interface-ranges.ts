import { BEGIN, LENGTH } from "../../data/data-set.ts";
import { about, data, range, refused, without } from "./interface-words.ts";
import type { OneSight, Sample, ServerCase } from "../../vocabulary.ts";

/** Range queries: start, end and step, and how far they go. */

const steps = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);
/** What `time()` gives over a range. */
export const times = (from: number, to: number, step: number): OneSight => ({
  see: "matrix",
  rows: [[{}, steps(BEGIN + from, BEGIN + to, step).map((time): Sample => [time, String(time)])]],
});

const ranged = about("range-queries/times");
const wrongRange = about("range-queries/parameters");
/** How many points are too many is known to all and stands nowhere. */
const UNWRITTEN = { level: "SHOULD" } as const;

/** Takes longer than a millisecond anywhere, within one function. */
const LONG = "quantile_over_time(0.5, http_requests_total[2h])";
const WHOLE = { start: String(BEGIN), end: String(BEGIN + LENGTH), step: "2" };

export const rangeInterface: readonly ServerCase[] = [
  ranged({
    words: "range-step-duration",
    title: "Accepts a step as a duration.",
    ask: range("time()", { step: "5m" }),
    see: times(3_011, 3_611, 300),
  }),
  ranged({
    words: "range-step-mixed",
    title: "Accepts a step as a duration with several units.",
    ask: range("time()", { step: "1m30s" }),
    see: times(3_011, 3_611, 90),
  }),
  ranged({
    words: "range-step-fraction",
    title: "Accepts a step that is a fraction of a second.",
    ask: range("time()", { end: String(BEGIN + 3_012), step: "0.25" }),
    see: times(3_011, 3_012, 0.25),
  }),
  ranged({
    words: "range-rfc3339",
    title: "Accepts start and end of a range query in RFC 3339 format.",
    ask: range("time()", { start: "2025-06-01T00:50:11Z", end: "2025-06-01T01:00:11Z" }),
    see: times(3_011, 3_611, 300),
  }),
  ranged({
    words: "range-start-is-end",
    title: "Accepts a range query whose start equals its end.",
    ask: range("time()", { end: String(BEGIN + 3_011) }),
    see: times(3_011, 3_011, 300),
  }),
  ranged({
    words: "range-fractions",
    title: "Accepts start and end with fractions.",
    ask: range("time()", { start: String(BEGIN + 3_011.5), end: String(BEGIN + 3_014), step: "1" }),
    see: times(3_011.5, 3_013.5, 1),
  }),
  ranged({
    words: "range-start-left-out",
    title: "Refuses a range query without a start.",
    ask: without(range("1"), "start"),
    control: range("1"),
    see: refused(400, "bad_data"),
  }),
  ranged({
    words: "range-end-left-out",
    title: "Refuses a range query without an end.",
    ask: without(range("1"), "end"),
    control: range("1"),
    see: refused(400, "bad_data"),
  }),
  ranged({
    words: "range-step-left-out",
    title: "Refuses a range query without a step.",
    ask: without(range("1"), "step"),
    control: range("1"),
    see: refused(400, "bad_data"),
  }),
  ranged({
    words: "range-query-left-out",
    title: "Refuses a range query without an expression.",
    ask: without(range("1"), "query"),
    control: range("1"),
    see: refused(400, "bad_data"),
  }),
  ranged({
    words: "range-start-malformed",
    title: "Refuses an invalid start.",
    ask: range("1", { start: "dawn" }),
    control: range("1"),
    see: refused(400, "bad_data"),
  }),
  ranged({
    words: "range-end-malformed",
    title: "Refuses an invalid end.",
    ask: range("1", { end: "dusk" }),
    control: range("1"),
    see: refused(400, "bad_data"),
  }),
  ranged({
    words: "range-step-malformed",
    title: "Refuses an invalid step.",
    ask: range("1", { step: "wide" }),
    control: range("1"),
    see: refused(400, "bad_data"),
  }),
  wrongRange({
    words: "range-end-before-start",
    title: "Refuses an end before the start.",
    ask: range("1", { end: String(BEGIN) }),
    control: range("1"),
    see: refused(400, "bad_data"),
  }),
  wrongRange({
    words: "range-step-zero",
    title: "Refuses a step of 0.",
    ask: range("1", { step: "0" }),
    control: range("1"),
    see: refused(400, "bad_data"),
  }),
  wrongRange({
    words: "range-step-negative",
    title: "Refuses a negative step.",
    ask: range("1", { step: "-60" }),
    control: range("1"),
    see: refused(400, "bad_data"),
  }),
  wrongRange({
    words: "range-step-not-a-number",
    title: "Refuses a step of NaN.",
    ask: range("1", { step: "NaN" }),
    control: range("1"),
    see: refused(400, "bad_data"),
  }),
  wrongRange({
    words: "range-too-many-points",
    title: "Refuses more than 11,000 steps.",
    ask: range("1", { start: "0", end: "11002", step: "1" }),
    control: range("1", { start: "0", end: "10999", step: "1" }),
    see: refused(400, "bad_data"),
    ...UNWRITTEN,
  }),
  wrongRange({
    words: "range-most-points",
    title: "Answers a range query of 11,000 points.",
    ask: range("1", { start: "0", end: "10999", step: "1" }),
    see: data({ resultType: "matrix", result: [{ metric: {} }] }),
    ...UNWRITTEN,
  }),
  wrongRange({
    words: "range-of-a-range",
    title: "Refuses a range query of a range vector.",
    ask: range("errors[5m]"),
    control: range("errors"),
    see: refused(400, "bad_data"),
  }),
  wrongRange({
    words: "range-of-a-text",
    title: "Refuses a range query of a string.",
    ask: range('"text"'),
    control: range("1"),
    see: refused(400, "bad_data"),
  }),
  wrongRange({
    words: "range-malformed",
    title: "Refuses a range query of an invalid expression.",
    ask: range("errors +"),
    control: range("errors + 1"),
    see: refused(400, "bad_data"),
  }),
  wrongRange({
    words: "range-impossible",
    title: "Answers 422 to a range query that cannot be executed.",
    ask: range("errors + on (method) errors"),
    control: range("errors + errors"),
    see: refused(422, "execution"),
  }),
  about("format-overview/envelope")({
    words: "range-timeout",
    title: "Answers 503 with the error type timeout to a range query that takes too long.",
    ask: range(LONG, { ...WHOLE, timeout: "1ms" }),
    control: range(LONG, { ...WHOLE, timeout: "1m" }),
    see: refused(503, "timeout"),
  }),
];
