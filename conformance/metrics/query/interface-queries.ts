import { BEGIN } from "./data.ts";
import { about, ask, data, NOW, PLAIN, query, range, refused, without } from "./interface-words.ts";
import { times } from "./interface-ranges.ts";
import { AT } from "./question.ts";
import type { Labels, OneSight, ServerCase } from "./vocabulary.ts";

/** The endpoints that evaluate expressions: their parameters, their limits, and how results are written. */

const WHEN = BEGIN + AT;
const GET: Labels = { __name__: "requests", method: "get" };
const one = (value: string, time = WHEN): OneSight => ({ see: "scalar", sample: [time, value] });
const vector = (labels: Labels, value: string, time = WHEN): OneSight => ({ see: "vector", rows: [[labels, [time, value]]] });
const instant = about("instant-queries/time");
const parameters = about("instant-queries/parameters");
const post = about("instant-queries/post");
const limit = about("instant-queries/limit");
const lookback = about("instant-queries/lookback-delta");
const format = about("formatting-query-expressions/format");
const envelope = about("format-overview/envelope");
const told = about("expression-query-result-formats/values");

/** Takes longer than a millisecond anywhere. */
const LONG = "max_over_time(vector(time())[2h:4ms])";
const onlyGet = 'requests{method="get"}';

export const queryInterface: readonly ServerCase[] = [
  envelope(
    "success",
    "A success is JSON, with status and data.",
    data({ resultType: "vector", result: [{ metric: {} }] }, { fields: [{ name: "content-type", pattern: "^application/json" }] }),
    PLAIN,
  ),
  envelope("error", "An error is JSON, with status, type and words.", refused(400, "bad_data"), query("sum("), query("sum(errors)")),
  envelope(
    "error-of-execution",
    "What cannot be executed is 422.",
    refused(422, "execution"),
    query("errors + on (method) errors"),
    query("errors + errors"),
  ),
  envelope(
    "error-of-time",
    "A query that takes too long is 503 and timeout.",
    refused(503, "timeout"),
    query(LONG, { timeout: "1ms" }),
    query(LONG, { timeout: "1m" }),
  ),
  instant("time-unix", "A time is seconds since 1970.", one(NOW), query("time()")),
  instant("time-unix-fraction", "A time may have a fraction.", one(`${WHEN}.125`, WHEN + 0.125), query("time()", { time: `${WHEN}.125` })),
  instant("time-rfc3339", "A time may be written as in RFC 3339.", one(NOW), query("time()", { time: "2025-06-01T01:00:11Z" })),
  instant(
    "time-rfc3339-fraction",
    "A time of RFC 3339 may have a fraction.",
    one(`${WHEN}.5`, WHEN + 0.5),
    query("time()", { time: "2025-06-01T01:00:11.5Z" }),
  ),
  instant("time-rfc3339-zone", "A time of RFC 3339 may have an offset.", one(NOW), query("time()", { time: "2025-06-01T03:00:11+02:00" })),
  instant("time-exponent", "A time may have an exponent.", one("1748739000", 1_748_739_000), query("time()", { time: "1.748739e9" })),
  instant(
    "time-left-out",
    "Without a time the server's own is taken.",
    data({ resultType: "scalar", result: [{ is: "number" }, { like: "^[1-9]\\d{9}" }] }),
    without(query("time()"), "time"),
  ),
  instant("time-malformed", "A time that is none is refused.", refused(400, "bad_data"), query("1", { time: "noon" }), query("1")),
  instant("time-date-alone", "A date without a time is refused.", refused(400, "bad_data"), query("1", { time: "2025-06-01" }), query("1")),
  instant(
    "time-of-no-month",
    "A time of RFC 3339 that there is not is refused.",
    refused(400, "bad_data"),
    query("1", { time: "2025-13-01T00:00:00Z" }),
    query("1"),
  ),
  parameters(
    "query-left-out",
    "A query without an expression is refused.",
    refused(400, "bad_data"),
    without(query("1"), "query"),
    query("1"),
  ),
  parameters("query-of-none", "A request without any parameter is refused.", refused(400, "bad_data"), ask("query"), query("1")),
  parameters("query-blanks", "Blanks around an expression count for nothing.", one("1"), query("  1  ")),
  parameters(
    "query-of-utf8",
    "An expression is UTF-8.",
    vector({ __name__: "labelled", n: "2", text: "über" }, "2"),
    query('labelled{text="über"}'),
  ),
  parameters("timeout", "A timeout is a duration.", one("1"), query("1", { timeout: "5s" })),
  parameters("timeout-of-a-number", "A timeout may be a number of seconds.", one("1"), query("1", { timeout: "5" })),
  parameters(
    "timeout-malformed",
    "A timeout that is none is refused.",
    refused(400, "bad_data"),
    query("1", { timeout: "soon" }),
    query("1", { timeout: "1s" }),
  ),
  parameters(
    "timeout-unit-unknown",
    "A timeout of an unknown unit is refused.",
    refused(400, "bad_data"),
    query("1", { timeout: "1x" }),
    query("1", { timeout: "1s" }),
  ),
  parameters("unknown-ignored", "A parameter that nobody knows changes nothing.", one("1"), query("1", { colour: "red" })),
  parameters(
    "stats",
    "Statistics are told when they are asked for.",
    data({
      resultType: "scalar",
      stats: {
        timings: { evalTotalTime: { is: "number" }, execTotalTime: { is: "number" } },
        samples: { totalQueryableSamples: { is: "number" }, peakSamples: { is: "number" } },
      },
    }),
    query("1", { stats: "true" }),
  ),
  parameters(
    "stats-all",
    "All statistics are told when they are asked for.",
    data({ stats: { timings: { execQueueTime: { is: "number" } }, samples: { is: "object" } } }),
    query("1", { stats: "all" }),
  ),
  post("post-form", "A query may be posted as a form.", vector(GET, "600"), { ...query(onlyGet), form: true }),
  post("post-form-of-a-range", "A range query may be posted as a form.", times(3_011, 3_611, 300), { ...range("time()"), form: true }),
  post("post-long", "A query that is posted may be long.", vector(GET, "600"), {
    ...query(`requests{method=~"get${"|patch".repeat(3_000)}"}`),
    form: true,
  }),
  post(
    "post-malformed",
    "An expression that is posted is read like any other.",
    refused(400, "bad_data"),
    { ...query("sum("), form: true },
    { ...query("sum(errors)"), form: true },
  ),
  limit(
    "limit",
    "A limit cuts a vector.",
    { see: "data", data: { resultType: "vector", result: [{ metric: { __name__: "errors" } }] } },
    query("errors", { limit: "1" }),
  ),
  limit(
    "limit-warned",
    "A limit that cuts is told in the warnings.",
    data({ resultType: "vector" }, { notes: "warnings" }),
    query("errors", { limit: "2" }),
  ),
  limit(
    "limit-of-a-range",
    "A limit cuts the series of a range query.",
    data({ resultType: "matrix", result: [{ metric: { __name__: "errors" } }] }),
    range("errors", { limit: "1" }),
  ),
  limit("limit-zero", "A limit of 0 is none.", vector(GET, "600"), query(onlyGet, { limit: "0" })),
  limit("limit-not-reached", "A limit that is not reached changes nothing.", vector(GET, "600"), query(onlyGet, { limit: "1" })),
  limit("limit-and-scalars", "A limit does not touch a number.", one("7"), query("7", { limit: "1" })),
  limit(
    "limit-malformed",
    "A limit that is no number is refused.",
    refused(400, "bad_data"),
    query("errors", { limit: "few" }),
    query("errors", { limit: "5" }),
  ),
  limit(
    "limit-negative",
    "A limit below 0 is refused.",
    refused(400, "bad_data"),
    query("errors", { limit: "-1" }),
    query("errors", { limit: "5" }),
  ),
  lookback(
    "lookback-shorter",
    "The look-back can be shorter for a query.",
    { see: "vector", rows: [] },
    query('gappy{kind="short"}', { time: String(BEGIN + 2_011), lookback_delta: "1m" }),
    query("gappy"),
  ),
  lookback(
    "lookback-longer",
    "The look-back can be longer for a query.",
    vector({ __name__: "gappy", kind: "early" }, "30", BEGIN + 2_411),
    query('gappy{kind="early"}', { time: String(BEGIN + 2_411), lookback_delta: "15m" }),
    query("gappy"),
  ),
  lookback(
    "lookback-of-seconds",
    "The look-back of a query may be a number of seconds.",
    { see: "vector", rows: [] },
    query('gappy{kind="short"}', { time: String(BEGIN + 2_011), lookback_delta: "60" }),
    query("gappy"),
  ),
  lookback(
    "lookback-malformed",
    "A look-back that is none is refused.",
    refused(400, "bad_data"),
    query("up", { lookback_delta: "long" }),
    query("up", { lookback_delta: "1m" }),
  ),
  told("value-is-a-text", "Values are texts.", data({ result: [{ is: "number" }, "0.1"] }), query("0.1")),
  told("value-nan", "NaN is written NaN.", data({ result: [{ is: "number" }, "NaN"] }), query("NaN")),
  told("value-infinity", "Infinity is written +Inf.", data({ result: [{ is: "number" }, { like: "^\\+?Inf$" }] }), query("Inf")),
  told("value-minus-infinity", "The negative infinity is written -Inf.", data({ result: [{ is: "number" }, "-Inf"] }), query("-Inf")),
  told(
    "value-shortest",
    "A value reads back as the same number.",
    data({ result: [{ is: "number" }, "0.30000000000000004"] }),
    query("0.1 + 0.2"),
  ),
  told("value-integer", "An integer is written without a fraction.", data({ result: [{ is: "number" }, "42"] }), query("42")),
  told(
    "time-of-milliseconds",
    "Times have milliseconds.",
    { see: "scalar", sample: [WHEN + 0.123, "1"] },
    query("1", { time: `${WHEN}.123` }),
  ),
  told(
    "metric-with-name",
    "A metric has its name among its labels.",
    data({ result: [{ metric: { __name__: "requests", method: "get" }, value: [{ is: "number" }, "600"] }] }),
    query(onlyGet),
  ),
  told(
    "metric-without-labels",
    "A metric without labels is an empty object.",
    { see: "vector", rows: [[{}, [WHEN, "754"]]] },
    query("sum(requests)"),
  ),
  told(
    "matrix-of-samples",
    "A range vector has its samples in values.",
    data({
      resultType: "matrix",
      result: [
        {
          metric: { __name__: "requests" },
          values: [
            [{ is: "number" }, "600"],
            [{ is: "number" }, "600"],
          ],
        },
      ],
    }),
    query(`${onlyGet}[2m]`),
  ),
  told("vector-empty", "A result of nothing is an empty list.", data({ resultType: "vector", result: [] }), query("no_such_metric"), PLAIN),
  told(
    "matrix-empty",
    "A range of nothing is an empty list.",
    data({ resultType: "matrix", result: [] }),
    range("no_such_metric"),
    range("1"),
  ),
  told("string-result", "A text is a result of its own kind.", { see: "string", sample: [WHEN, 'say "hi" \\'] }, query('`say "hi" \\`')),
  about("notes/infos")(
    "infos-monotonicity",
    "Buckets that had to be fixed are told in the infos.",
    data({ resultType: "vector" }, { notes: "infos" }),
    query('histogram_quantile(0.5, odd_bucket{kind="backwards"})'),
    PLAIN,
    { covers: ["prometheus-api#notes/infos", "prometheus-promql#functions.histogram-quantile/special"] },
  ),
  about("notes/infos")(
    "infos-monotonicity-of-a-range",
    "Buckets that had to be fixed are told in the infos of a range query.",
    data({ resultType: "matrix" }, { notes: "infos" }),
    range('histogram_quantile(0.5, odd_bucket{kind="backwards"})'),
  ),
  ...(
    [
      ["binary", "foo/bar", "foo / bar"],
      ["blanks", "  sum( foo )  ", "sum(foo)"],
      ["by", "sum(foo)by(a,b)", "sum by (a, b) (foo)"],
      ["range", "rate(foo{a='b'}[300s])", 'rate(foo{a="b"}[5m])'],
      ["comment", "foo # a comment\n", "foo"],
      ["offset", "foo  offset   1h", "foo offset 1h"],
      ["matching", "foo*on(a)group_left(b)bar", "foo * on (a) group_left (b) bar"],
      ["parentheses", "(1+2)*3", "(1 + 2) * 3"],
    ] as const
  ).map(([words, expr, text]) =>
    format(
      `format-${words}`,
      `Formats ${JSON.stringify(expr)} as ${JSON.stringify(text)}.`,
      data(text),
      ask("format_query", { query: expr }),
    ),
  ),
  format(
    "format-post",
    "An expression to be formatted may be posted.",
    data("foo / bar"),
    ask("format_query", { query: "foo/bar" }, { form: true }),
  ),
  format(
    "format-malformed",
    "What is no expression is not formatted.",
    refused(400, "bad_data"),
    ask("format_query", { query: "foo/" }),
    ask("format_query", { query: "foo/bar" }),
  ),
  format(
    "format-nothing",
    "Nothing is not formatted.",
    refused(400, "bad_data"),
    ask("format_query"),
    ask("format_query", { query: "foo" }),
  ),
];
