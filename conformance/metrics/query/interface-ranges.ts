import { BEGIN, LENGTH } from "./data.ts";
import { about, data, PLAIN, range, refused, without } from "./interface-words.ts";
import type { OneSight, Sample, ServerCase } from "./vocabulary.ts";

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
  ranged("range-step-duration", "A step may be a duration.", times(3_011, 3_611, 300), range("time()", { step: "5m" })),
  ranged("range-step-mixed", "A step may be a duration of several units.", times(3_011, 3_611, 90), range("time()", { step: "1m30s" })),
  ranged(
    "range-step-fraction",
    "A step may be a fraction of a second.",
    times(3_011, 3_012, 0.25),
    range("time()", { end: String(BEGIN + 3_012), step: "0.25" }),
  ),
  ranged(
    "range-rfc3339",
    "Start and end may be written as in RFC 3339.",
    times(3_011, 3_611, 300),
    range("time()", { start: "2025-06-01T00:50:11Z", end: "2025-06-01T01:00:11Z" }),
  ),
  ranged("range-start-is-end", "Start may be end.", times(3_011, 3_011, 300), range("time()", { end: String(BEGIN + 3_011) })),
  ranged(
    "range-fractions",
    "Start and end may have fractions.",
    times(3_011.5, 3_013.5, 1),
    range("time()", { start: String(BEGIN + 3_011.5), end: String(BEGIN + 3_014), step: "1" }),
  ),
  ranged(
    "range-start-left-out",
    "A range query without a start is refused.",
    refused(400, "bad_data"),
    without(range("1"), "start"),
    range("1"),
  ),
  ranged(
    "range-end-left-out",
    "A range query without an end is refused.",
    refused(400, "bad_data"),
    without(range("1"), "end"),
    range("1"),
  ),
  ranged(
    "range-step-left-out",
    "A range query without a step is refused.",
    refused(400, "bad_data"),
    without(range("1"), "step"),
    range("1"),
  ),
  ranged(
    "range-query-left-out",
    "A range query without an expression is refused.",
    refused(400, "bad_data"),
    without(range("1"), "query"),
    range("1"),
  ),
  ranged(
    "range-start-malformed",
    "A start that is no time is refused.",
    refused(400, "bad_data"),
    range("1", { start: "dawn" }),
    range("1"),
  ),
  ranged("range-end-malformed", "An end that is no time is refused.", refused(400, "bad_data"), range("1", { end: "dusk" }), range("1")),
  ranged(
    "range-step-malformed",
    "A step that is no duration is refused.",
    refused(400, "bad_data"),
    range("1", { step: "wide" }),
    range("1"),
  ),
  wrongRange(
    "range-end-before-start",
    "An end before the start is refused.",
    refused(400, "bad_data"),
    range("1", { end: String(BEGIN) }),
    range("1"),
  ),
  wrongRange("range-step-zero", "A step of 0 is refused.", refused(400, "bad_data"), range("1", { step: "0" }), range("1")),
  wrongRange("range-step-negative", "A step below 0 is refused.", refused(400, "bad_data"), range("1", { step: "-60" }), range("1")),
  wrongRange("range-step-not-a-number", "A step of NaN is refused.", refused(400, "bad_data"), range("1", { step: "NaN" }), range("1")),
  wrongRange(
    "range-too-many-points",
    "More than 11,000 steps are refused.",
    refused(400, "bad_data"),
    range("1", { start: "0", end: "11002", step: "1" }),
    range("1", { start: "0", end: "10999", step: "1" }),
    UNWRITTEN,
  ),
  wrongRange(
    "range-most-points",
    "Answers 11,000 points.",
    data({ resultType: "matrix", result: [{ metric: {} }] }),
    range("1", { start: "0", end: "10999", step: "1" }),
    PLAIN,
    UNWRITTEN,
  ),
  wrongRange("range-of-a-range", "A range vector has no range query.", refused(400, "bad_data"), range("errors[5m]"), range("errors")),
  wrongRange("range-of-a-text", "A text has no range query.", refused(400, "bad_data"), range('"text"'), range("1")),
  wrongRange(
    "range-malformed",
    "An expression that is none has no range query.",
    refused(400, "bad_data"),
    range("errors +"),
    range("errors + 1"),
  ),
  wrongRange(
    "range-impossible",
    "A range query that cannot be executed is 422.",
    refused(422, "execution"),
    range("errors + on (method) errors"),
    range("errors + errors"),
  ),
  about("format-overview/envelope")(
    "range-timeout",
    "A range query that takes too long is 503 and timeout.",
    refused(503, "timeout"),
    range(LONG, { ...WHOLE, timeout: "1ms" }),
    range(LONG, { ...WHOLE, timeout: "1m" }),
  ),
];
