import { BEGIN, LENGTH } from "../../data/data-set.ts";
import { about, ask, data, NOW, query, refused } from "./interface-words.ts";
import type { ServerCase } from "../../vocabulary.ts";

/** The endpoints that tell of series, labels and the server itself. */

const WITHIN = { start: String(BEGIN), end: String(BEGIN + LENGTH) };
const series = about("finding-series-by-label-matchers/matches");
const labels = about("getting-label-names/names");
const values = about("querying-label-values/values");
const cut = about("querying-metadata/limit");
const status = about("status/answers");
const tsdb = about("tsdb-stats/answers");
const request = about("format-overview/requests");
const requestsBy = (method: string) => ({ __name__: "requests", method });
const [got, deleted, posted] = [requestsBy("get"), requestsBy("del"), requestsBy("post")];
const requests = [got, deleted, posted];
const twins = ["1", "2"].map((n) => ({ __name__: "twins", method: "get", n }));
const UTF8 = { needs: ["utf-8 names"] } as const;
const all = { unordered: true } as const;

export const metadataInterface: readonly ServerCase[] = [
  series({
    words: "series-by-name",
    title: "Returns the series of a selector.",
    ask: ask("series", { "match[]": "requests", ...WITHIN }),
    see: data(requests, all),
  }),
  series({
    words: "series-by-two-selectors",
    title: "Returns the series of all selectors.",
    ask: ask("series", { "match[]": ["requests", "twins"], ...WITHIN }),
    see: data([...requests, ...twins], all),
  }),
  series({
    words: "series-once",
    title: "Returns a series that two selectors match once.",
    ask: ask("series", { "match[]": ["requests", '{__name__=~"request."}'], ...WITHIN }),
    see: data(requests, all),
  }),
  series({
    words: "series-by-matchers",
    title: "Applies matchers to series.",
    ask: ask("series", { "match[]": 'requests{method="get"}', ...WITHIN }),
    see: data([got], all),
  }),
  series({
    words: "series-by-pattern",
    title: "Applies a regular expression matcher to series.",
    ask: ask("series", { "match[]": 'requests{method=~"get|post"}', ...WITHIN }),
    see: data([got, posted], all),
  }),
  series({
    words: "series-of-nothing",
    title: "Returns an empty list for a selector that matches no series.",
    ask: ask("series", { "match[]": "no_such_metric", ...WITHIN }),
    see: data([]),
  }),
  series({
    words: "series-posted",
    title: "Accepts selectors as a form in a POST request.",
    ask: ask("series", { "match[]": "requests", ...WITHIN }, { form: true }),
    see: data(requests, all),
  }),
  series({
    words: "series-rfc3339",
    title: "Accepts start and end in RFC 3339 format.",
    ask: ask("series", { "match[]": "requests", start: "2025-06-01T00:00:00Z", end: "2025-06-01T02:00:00Z" }),
    see: data(requests, all),
  }),
  series({
    words: "series-outside",
    title: "Does not return series without samples near the given times.",
    ask: ask("series", { "match[]": "requests", start: "1000", end: "2000" }),
    see: data([]),
  }),
  series({
    words: "series-without-a-selector",
    title: "Refuses a request for series without a selector.",
    ask: ask("series", WITHIN),
    control: ask("series", { "match[]": "requests", ...WITHIN }),
    see: refused(400, "bad_data"),
  }),
  series({
    words: "series-malformed",
    title: "Refuses an invalid selector for series.",
    ask: ask("series", { "match[]": "requests{", ...WITHIN }),
    control: ask("series", { "match[]": "requests{}", ...WITHIN }),
    see: refused(400, "bad_data"),
  }),
  series({
    words: "series-of-an-expression",
    title: "Refuses an expression that is not a selector.",
    ask: ask("series", { "match[]": "sum(requests)", ...WITHIN }),
    control: ask("series", { "match[]": "requests", ...WITHIN }),
    see: refused(400, "bad_data"),
  }),
  series({
    words: "series-of-everything",
    title: "Refuses a selector whose only matcher also matches the empty value.",
    ask: ask("series", { "match[]": '{method=~".*"}', ...WITHIN }),
    control: ask("series", { "match[]": '{method=~".+"}', ...WITHIN }),
    see: refused(400, "bad_data"),
  }),
  series({
    words: "series-of-a-range",
    title: "Refuses a range selector for series.",
    ask: ask("series", { "match[]": "requests[5m]", ...WITHIN }),
    control: ask("series", { "match[]": "requests", ...WITHIN }),
    see: refused(400, "bad_data"),
  }),
  series({
    words: "series-start-malformed",
    title: "Refuses an invalid start.",
    ask: ask("series", { "match[]": "requests", start: "dawn" }),
    control: ask("series", { "match[]": "requests", ...WITHIN }),
    see: refused(400, "bad_data"),
  }),
  series({
    words: "series-end-malformed",
    title: "Refuses an invalid end.",
    ask: ask("series", { "match[]": "requests", end: "dusk" }),
    control: ask("series", { "match[]": "requests", ...WITHIN }),
    see: refused(400, "bad_data"),
  }),
  series({
    words: "series-second-malformed",
    title: "Refuses several selectors if one of them is invalid.",
    ask: ask("series", { "match[]": ["requests", "{"], ...WITHIN }),
    control: ask("series", { "match[]": ["requests", "twins"], ...WITHIN }),
    see: refused(400, "bad_data"),
  }),
  labels({
    words: "labels-of-a-selector",
    title: "Returns the label names of the series that a selector matches.",
    ask: ask("labels", { "match[]": "twins", ...WITHIN }),
    see: data(["__name__", "method", "n"], all),
  }),
  labels({
    words: "labels-of-two-selectors",
    title: "Returns the label names of all selectors.",
    ask: ask("labels", { "match[]": ["limits", "errors"], ...WITHIN }),
    see: data(["__name__", "code", "method", "owner"], all),
  }),
  labels({
    words: "labels-of-nothing",
    title: "Returns no label names if no series matches.",
    ask: ask("labels", { "match[]": "no_such_metric", ...WITHIN }),
    see: data([]),
  }),
  labels({
    words: "labels-posted",
    title: "Accepts selectors for label names as a form in a POST request.",
    ask: ask("labels", { "match[]": "twins", ...WITHIN }, { form: true }),
    see: data(["__name__", "method", "n"], all),
  }),
  labels({
    words: "labels-sorted",
    title: "Returns label names as a list of strings.",
    ask: ask("labels", WITHIN),
    see: data({ each: { is: "string" } }),
  }),
  labels({
    words: "labels-malformed",
    title: "Refuses an invalid selector for label names.",
    ask: ask("labels", { "match[]": "{", ...WITHIN }),
    control: ask("labels", { "match[]": "twins", ...WITHIN }),
    see: refused(400, "bad_data"),
  }),
  labels({
    words: "labels-start-malformed",
    title: "Refuses an invalid start for label names.",
    ask: ask("labels", { start: "dawn" }),
    control: ask("labels", WITHIN),
    see: refused(400, "bad_data"),
  }),
  labels({
    words: "labels-outside",
    title: "Does not return label names of series without samples near the given times.",
    ask: ask("labels", { "match[]": "twins", start: "1000", end: "2000" }),
    see: data([]),
  }),
  values({
    words: "values-of-a-selector",
    title: "Returns the label values of the series that a selector matches.",
    ask: ask("label/method/values", { "match[]": "requests", ...WITHIN }),
    see: data(["del", "get", "post"], all),
  }),
  values({
    words: "values-of-two-selectors",
    title: "Returns the label values of all selectors.",
    ask: ask("label/method/values", { "match[]": ["requests", "limits"], ...WITHIN }),
    see: data(["del", "get", "patch", "post"], all),
  }),
  values({
    words: "values-of-the-name",
    title: "Returns metric names as the values of __name__.",
    ask: ask("label/__name__/values", { "match[]": '{__name__=~"job:.*"}', ...WITHIN }),
    see: data(["job:requests:rate5m"], all),
  }),
  values({
    words: "values-of-an-unknown-label",
    title: "Returns no values for an unknown label.",
    ask: ask("label/no_such_label/values", WITHIN),
    see: data([]),
  }),
  values({
    words: "values-of-nothing",
    title: "Returns no label values if no series matches.",
    ask: ask("label/method/values", { "match[]": "no_such_metric", ...WITHIN }),
    see: data([]),
  }),
  values({
    words: "values-of-utf8",
    title: "Returns label values unescaped.",
    ask: ask("label/text/values", { "match[]": 'labelled{n="2"}', ...WITHIN }),
    see: data(["über"], all),
  }),
  values({
    words: "values-malformed",
    title: "Refuses an invalid selector for label values.",
    ask: ask("label/method/values", { "match[]": "requests{", ...WITHIN }),
    control: ask("label/method/values", { "match[]": "requests", ...WITHIN }),
    see: refused(400, "bad_data"),
  }),
  values({
    words: "values-start-malformed",
    title: "Refuses an invalid start for label values.",
    ask: ask("label/method/values", { start: "dawn" }),
    control: ask("label/method/values", WITHIN),
    see: refused(400, "bad_data"),
  }),
  values({
    words: "values-of-an-escaped-label",
    title: "Accepts an escaped label name in the path.",
    ask: ask("label/U__service_2e_name/values", WITHIN),
    see: data(["x", "y"], all),
    ...UTF8,
  }),
  values({
    words: "values-of-an-escaped-plain-label",
    title: "Accepts an escaped form of a plain label name in the path.",
    ask: ask("label/U__method/values", { "match[]": "requests", ...WITHIN }),
    see: data(["del", "get", "post"], all),
    ...UTF8,
  }),
  cut({
    words: "series-limit",
    title: "Applies a limit to series.",
    ask: ask("series", { "match[]": "requests", limit: "1", ...WITHIN }),
    see: data({ each: { __name__: "requests" } }, { most: 1 }),
  }),
  cut({
    words: "series-limit-zero",
    title: "Treats a limit of 0 as no limit.",
    ask: ask("series", { "match[]": "requests", limit: "0", ...WITHIN }),
    see: data(requests, all),
  }),
  cut({
    words: "series-limit-malformed",
    title: "Refuses a limit for series that is not a number.",
    ask: ask("series", { "match[]": "requests", limit: "few", ...WITHIN }),
    control: ask("series", { "match[]": "requests", limit: "2", ...WITHIN }),
    see: refused(400, "bad_data"),
  }),
  cut({
    words: "labels-limit",
    title: "Applies a limit to label names.",
    ask: ask("labels", { "match[]": "twins", limit: "1", ...WITHIN }),
    see: data({ each: { is: "string" } }, { most: 1 }),
  }),
  cut({
    words: "values-limit",
    title: "Applies a limit to label values.",
    ask: ask("label/method/values", { "match[]": "requests", limit: "2", ...WITHIN }),
    see: data({ each: { is: "string" } }, { most: 2 }),
  }),
  about("querying-metric-metadata/answers")({
    words: "metadata",
    title: "Returns metadata as an object.",
    ask: ask("metadata"),
    see: data({ is: "object" }),
  }),
  about("querying-metric-metadata/answers")({
    words: "metadata-unknown",
    title: "Returns empty metadata for an unknown metric.",
    ask: ask("metadata", { metric: "no_such_metric" }),
    see: data({ is: "object" }, { text: '"data":{}' }),
  }),
  about("querying-metric-metadata/answers")({
    words: "metadata-limit-malformed",
    title: "Refuses a limit for metadata that is not a number.",
    ask: ask("metadata", { limit: "few" }),
    control: ask("metadata", { limit: "1" }),
    see: refused(400, "bad_data"),
  }),
  status({
    words: "status-config",
    title: "Returns the configuration as a string.",
    ask: ask("status/config"),
    see: data({ yaml: { is: "string" } }),
  }),
  status({ words: "status-flags", title: "Returns the flags as an object.", ask: ask("status/flags"), see: data({ is: "object" }) }),
  status({
    words: "status-buildinfo",
    title: "Returns the version as a string.",
    ask: ask("status/buildinfo"),
    see: data({ version: { is: "string" } }),
  }),
  status({
    words: "status-runtimeinfo",
    title: "Returns runtime information as an object.",
    ask: ask("status/runtimeinfo"),
    see: data({ is: "object" }),
  }),
  tsdb({
    words: "status-tsdb-head",
    title: "Returns the statistics of the head as numbers.",
    ask: ask("status/tsdb"),
    see: data({
      headStats: { numSeries: { is: "number" }, chunkCount: { is: "number" }, minTime: { is: "number" }, maxTime: { is: "number" } },
    }),
  }),
  tsdb({
    words: "status-tsdb-tables",
    title: "Returns every table of storage statistics as a list.",
    ask: ask("status/tsdb"),
    see: data({
      seriesCountByMetricName: { is: "array" },
      labelValueCountByLabelName: { is: "array" },
      memoryInBytesByLabelName: { is: "array" },
      seriesCountByLabelValuePair: { is: "array" },
    }),
  }),
  tsdb({
    words: "status-tsdb-limit-malformed",
    title: "Refuses a limit for storage statistics that is not a number.",
    ask: ask("status/tsdb", { limit: "few" }),
    control: ask("status/tsdb", { limit: "1" }),
    see: refused(400, "bad_data"),
  }),
  tsdb({
    words: "status-tsdb-limit-too-large",
    title: "Refuses a limit for storage statistics above 10,000.",
    ask: ask("status/tsdb", { limit: "10001" }),
    control: ask("status/tsdb", { limit: "10000" }),
    see: refused(400, "bad_data"),
  }),
  request({
    words: "endpoint-unknown",
    title: "Answers 404 to an unknown endpoint.",
    ask: ask("no_such_endpoint"),
    see: { see: "refused", status: [404], bare: true },
  }),
  request({
    words: "method-unknown",
    title: "Refuses the method DELETE for a query.",
    ask: ask("query", { query: "1" }, { method: "DELETE" }),
    control: ask("query", { query: "1" }),
    see: { see: "refused", status: [404, 405], bare: true },
  }),
  request({
    words: "gzip",
    title: "Sends a readable response to a client that accepts gzip.",
    ask: ask("series", { "match[]": "http_requests_total", ...WITHIN }, { fields: [["accept-encoding", "gzip"]] }),
    see: data({ each: { __name__: "http_requests_total" } }),
  }),
  request({
    words: "identity",
    title: "Sends a response without content coding to a client that accepts only identity.",
    ask: ask("series", { "match[]": "http_requests_total", ...WITHIN }, { fields: [["accept-encoding", "identity"]] }),
    see: data({ each: { __name__: "http_requests_total" } }, { fields: [{ name: "content-encoding", pattern: "^(?:identity)?$" }] }),
  }),
  request({
    words: "next-is-answered",
    title: "Answers the query after a refused one.",
    ask: query("1"),
    see: { see: "scalar", sample: [Number(NOW), "1"] },
  }),
];
