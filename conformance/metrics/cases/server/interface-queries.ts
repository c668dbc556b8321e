import { BEGIN } from "../../data/data-set.ts";
import { about, ask, data, NOW, PLAIN, query, range, refused, without } from "./interface-words.ts";
import { times } from "./interface-ranges.ts";
import { AT } from "./question.ts";
import type { Labels, OneSight, ServerCase, Step } from "../../vocabulary.ts";

/** The endpoints that evaluate expressions: their parameters and their limits. */

const WHEN = BEGIN + AT;
const GET: Labels = { __name__: "requests", method: "get" };
const one = (value: string, time = WHEN): OneSight => ({ see: "scalar", sample: [time, value] });
const vector = (labels: Labels, value: string, time = WHEN): OneSight => ({ see: "vector", rows: [[labels, [time, value]]] });
const instant = about("instant-queries/time");
const parameters = about("instant-queries/parameters");
const statistics = about("query-statistics/samples");
const post = about("instant-queries/post");
const limit = about("instant-queries/limit");
const lookback = about("instant-queries/lookback-delta");
const envelope = about("format-overview/envelope");

/** A query that takes more than a millisecond on any machine. */
const LONG = "max_over_time(vector(time())[2h:4ms])";
const onlyGet = 'requests{method="get"}';

const COUNTED = { stats: "true" };
/** The 5 series of `errors` have a sample a minute. */
const LOADED: readonly { readonly words: string; readonly title: string; readonly ask: Step; readonly samples: number }[] = [
  { words: "series", title: "an instant query", ask: query("errors", COUNTED), samples: 5 },
  { words: "operands", title: "each operand", ask: query("errors + errors", COUNTED), samples: 10 },
  { words: "window", title: "a window", ask: query("sum_over_time(errors[5m])", COUNTED), samples: 25 },
  { words: "steps", title: "each step", ask: range("errors", { ...COUNTED, step: "120" }), samples: 30 },
  {
    words: "windows",
    title: "the windows of all steps",
    ask: range("sum_over_time(errors[5m])", { ...COUNTED, step: "120" }),
    samples: 150,
  },
  {
    words: "windows-apart",
    title: "windows that do not touch",
    ask: range("sum_over_time(errors[1m])", { ...COUNTED, step: "120" }),
    samples: 30,
  },
  { words: "nothing", title: "a query without a selector", ask: query("vector(1)", COUNTED), samples: 0 },
];

export const queryInterface: readonly ServerCase[] = [
  envelope({
    words: "success",
    title: "Returns JSON with a status and data for a success.",
    ask: PLAIN,
    see: data({ resultType: "vector", result: [{ metric: {} }] }, { fields: [{ name: "content-type", pattern: "^application/json" }] }),
  }),
  envelope({
    words: "error",
    title: "Returns JSON with a status, an error type and a message for an error.",
    ask: query("sum("),
    control: query("sum(errors)"),
    see: refused(400, "bad_data"),
  }),
  envelope({
    words: "error-of-execution",
    title: "Answers 422 to a query that cannot be executed.",
    ask: query("errors + on (method) errors"),
    control: query("errors + errors"),
    see: refused(422, "execution"),
  }),
  envelope({
    words: "error-of-time",
    title: "Answers 503 with the error type timeout to a query that takes too long.",
    ask: query(LONG, { timeout: "1ms" }),
    control: query(LONG, { timeout: "1m" }),
    see: refused(503, "timeout"),
  }),
  instant({ words: "time-unix", title: "Accepts a time in seconds since 1970.", ask: query("time()"), see: one(NOW) }),
  instant({
    words: "time-unix-fraction",
    title: "Accepts a time with a fraction.",
    ask: query("time()", { time: `${WHEN}.125` }),
    see: one(`${WHEN}.125`, WHEN + 0.125),
  }),
  instant({
    words: "time-rfc3339",
    title: "Accepts a time in RFC 3339 format.",
    ask: query("time()", { time: "2025-06-01T01:00:11Z" }),
    see: one(NOW),
  }),
  instant({
    words: "time-rfc3339-fraction",
    title: "Accepts an RFC 3339 time with a fraction.",
    ask: query("time()", { time: "2025-06-01T01:00:11.5Z" }),
    see: one(`${WHEN}.5`, WHEN + 0.5),
  }),
  instant({
    words: "time-rfc3339-zone",
    title: "Accepts an RFC 3339 time with a time zone offset.",
    ask: query("time()", { time: "2025-06-01T03:00:11+02:00" }),
    see: one(NOW),
  }),
  instant({
    words: "time-exponent",
    title: "Accepts a time with an exponent.",
    ask: query("time()", { time: "1.748739e9" }),
    see: one("1748739000", 1_748_739_000),
  }),
  instant({
    words: "time-left-out",
    title: "Uses the current time if the time is absent.",
    ask: without(query("time()"), "time"),
    see: data({ resultType: "scalar", result: [{ is: "number" }, { like: "^[1-9]\\d{9}" }] }),
  }),
  instant({
    words: "time-malformed",
    title: "Refuses an invalid time.",
    ask: query("1", { time: "noon" }),
    control: query("1"),
    see: refused(400, "bad_data"),
  }),
  instant({
    words: "time-date-alone",
    title: "Refuses a date without a time of day.",
    ask: query("1", { time: "2025-06-01" }),
    control: query("1"),
    see: refused(400, "bad_data"),
  }),
  instant({
    words: "time-of-no-month",
    title: "Refuses an RFC 3339 time that does not exist.",
    ask: query("1", { time: "2025-13-01T00:00:00Z" }),
    control: query("1"),
    see: refused(400, "bad_data"),
  }),
  parameters({
    words: "query-left-out",
    title: "Refuses a query without an expression.",
    ask: without(query("1"), "query"),
    control: query("1"),
    see: refused(400, "bad_data"),
  }),
  parameters({
    words: "query-of-none",
    title: "Refuses a query without parameters.",
    ask: ask("query"),
    control: query("1"),
    see: refused(400, "bad_data"),
  }),
  parameters({ words: "query-blanks", title: "Ignores blanks around an expression.", ask: query("  1  "), see: one("1") }),
  parameters({
    words: "query-of-utf8",
    title: "Accepts an expression with UTF-8 characters.",
    ask: query('labelled{text="über"}'),
    see: vector({ __name__: "labelled", n: "2", text: "über" }, "2"),
  }),
  parameters({ words: "timeout", title: "Accepts a timeout as a duration.", ask: query("1", { timeout: "5s" }), see: one("1") }),
  parameters({
    words: "timeout-of-a-number",
    title: "Accepts a timeout as a number of seconds.",
    ask: query("1", { timeout: "5" }),
    see: one("1"),
  }),
  parameters({
    words: "timeout-malformed",
    title: "Refuses an invalid timeout.",
    ask: query("1", { timeout: "soon" }),
    control: query("1", { timeout: "1s" }),
    see: refused(400, "bad_data"),
  }),
  parameters({
    words: "timeout-unit-unknown",
    title: "Refuses a timeout with an unknown unit.",
    ask: query("1", { timeout: "1x" }),
    control: query("1", { timeout: "1s" }),
    see: refused(400, "bad_data"),
  }),
  parameters({ words: "unknown-ignored", title: "Ignores an unknown parameter.", ask: query("1", { colour: "red" }), see: one("1") }),
  parameters({
    words: "stats",
    title: "Returns statistics on request.",
    ask: query("1", { stats: "true" }),
    see: data({
      resultType: "scalar",
      stats: {
        timings: { evalTotalTime: { is: "number" }, execTotalTime: { is: "number" } },
        samples: { totalQueryableSamples: { is: "number" }, peakSamples: { is: "number" } },
      },
    }),
  }),
  parameters({
    words: "stats-all",
    title: "Returns all statistics on request.",
    ask: query("1", { stats: "all" }),
    see: data({ stats: { timings: { execQueueTime: { is: "number" } }, samples: { is: "object" } } }),
  }),
  ...LOADED.map(({ words, title, ask: step, samples }) =>
    statistics({
      words: `stats-${words}`,
      title: `Counts the samples that ${title} loads.`,
      ask: step,
      level: "SHOULD",
      see: data({ stats: { samples: { totalQueryableSamples: samples } } }),
    }),
  ),
  post({
    words: "post-form",
    title: "Accepts a query as a form in a POST request.",
    ask: { ...query(onlyGet), form: true },
    see: vector(GET, "600"),
  }),
  post({
    words: "post-form-of-a-range",
    title: "Accepts a range query as a form in a POST request.",
    ask: { ...range("time()"), form: true },
    see: times(3_011, 3_611, 300),
  }),
  post({
    words: "post-long",
    title: "Accepts a long query in a POST request.",
    ask: {
      ...query(`requests{method=~"get${"|patch".repeat(3_000)}"}`),
      form: true,
    },
    see: vector(GET, "600"),
  }),
  post({
    words: "post-malformed",
    title: "Refuses an invalid expression in a POST request.",
    ask: { ...query("sum("), form: true },
    control: { ...query("sum(errors)"), form: true },
    see: refused(400, "bad_data"),
  }),
  limit({
    words: "limit",
    title: "Applies a limit to a vector.",
    ask: query("errors", { limit: "1" }),
    see: { see: "data", data: { resultType: "vector", result: [{ metric: { __name__: "errors" } }] } },
  }),
  limit({
    words: "limit-warned",
    title: "Adds a warning if a limit drops elements.",
    ask: query("errors", { limit: "2" }),
    see: data({ resultType: "vector" }, { notes: "warnings" }),
  }),
  limit({
    words: "limit-of-a-range",
    title: "Applies a limit to the series of a range query.",
    ask: range("errors", { limit: "1" }),
    see: data({ resultType: "matrix", result: [{ metric: { __name__: "errors" } }] }),
  }),
  limit({
    words: "limit-zero",
    title: "Treats a limit of 0 on a vector as no limit.",
    ask: query(onlyGet, { limit: "0" }),
    see: vector(GET, "600"),
  }),
  limit({
    words: "limit-not-reached",
    title: "Returns everything if a limit is not reached.",
    ask: query(onlyGet, { limit: "1" }),
    see: vector(GET, "600"),
  }),
  limit({ words: "limit-and-scalars", title: "Does not apply a limit to a scalar.", ask: query("7", { limit: "1" }), see: one("7") }),
  limit({
    words: "limit-malformed",
    title: "Refuses a limit that is not a number.",
    ask: query("errors", { limit: "few" }),
    control: query("errors", { limit: "5" }),
    see: refused(400, "bad_data"),
  }),
  limit({
    words: "limit-negative",
    title: "Refuses a negative limit.",
    ask: query("errors", { limit: "-1" }),
    control: query("errors", { limit: "5" }),
    see: refused(400, "bad_data"),
  }),
  lookback({
    words: "lookback-shorter",
    title: "Applies a shorter look-back to a query.",
    ask: query('gappy{kind="short"}', { time: String(BEGIN + 2_011), lookback_delta: "1m" }),
    control: query("gappy"),
    see: { see: "vector", rows: [] },
  }),
  lookback({
    words: "lookback-longer",
    title: "Applies a longer look-back to a query.",
    ask: query('gappy{kind="early"}', { time: String(BEGIN + 2_411), lookback_delta: "15m" }),
    control: query("gappy"),
    see: vector({ __name__: "gappy", kind: "early" }, "30", BEGIN + 2_411),
  }),
  lookback({
    words: "lookback-of-seconds",
    title: "Accepts a look-back as a number of seconds.",
    ask: query('gappy{kind="short"}', { time: String(BEGIN + 2_011), lookback_delta: "60" }),
    control: query("gappy"),
    see: { see: "vector", rows: [] },
  }),
  lookback({
    words: "lookback-malformed",
    title: "Refuses an invalid look-back.",
    ask: query("up", { lookback_delta: "long" }),
    control: query("up", { lookback_delta: "1m" }),
    see: refused(400, "bad_data"),
  }),
];
