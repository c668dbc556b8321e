import { BEGIN, LENGTH } from "./data.ts";
import { about, ask, data, NOW, PLAIN, query, refused } from "./interface-words.ts";
import type { ServerCase } from "./vocabulary.ts";

/** The endpoints that tell of series, labels and the server itself. */

const WITHIN = { start: String(BEGIN), end: String(BEGIN + LENGTH) };
const series = about("finding-series-by-label-matchers/matches");
const labels = about("getting-label-names/names");
const values = about("querying-label-values/values");
const cut = about("querying-metadata/limit");
const status = about("status/answers");
const tsdb = about("tsdb-stats/answers");
const request = about("format-overview/requests");
const requests = ["get", "del", "post"].map((method) => ({ __name__: "requests", method }));
const twins = ["1", "2"].map((n) => ({ __name__: "twins", method: "get", n }));
const UTF8 = { needs: ["utf-8 names"] } as const;
const all = { unordered: true } as const;

export const metadataInterface: readonly ServerCase[] = [
  series("series-by-name", "A selector finds its series.", data(requests, all), ask("series", { "match[]": "requests", ...WITHIN })),
  series(
    "series-by-two-selectors",
    "Several selectors find the series of all of them.",
    data([...requests, ...twins], all),
    ask("series", { "match[]": ["requests", "twins"], ...WITHIN }),
  ),
  series(
    "series-once",
    "A series that two selectors find is told once.",
    data(requests, all),
    ask("series", { "match[]": ["requests", '{__name__=~"request."}'], ...WITHIN }),
  ),
  series(
    "series-by-matchers",
    "Matchers choose among the series.",
    data([requests[0]!], all),
    ask("series", { "match[]": 'requests{method="get"}', ...WITHIN }),
  ),
  series(
    "series-by-pattern",
    "A pattern chooses among the series.",
    data([requests[0]!, requests[2]!], all),
    ask("series", { "match[]": 'requests{method=~"get|post"}', ...WITHIN }),
  ),
  series(
    "series-of-nothing",
    "A selector that finds nothing is answered with an empty list.",
    data([]),
    ask("series", { "match[]": "no_such_metric", ...WITHIN }),
  ),
  series(
    "series-posted",
    "Selectors may be posted as a form.",
    data(requests, all),
    ask("series", { "match[]": "requests", ...WITHIN }, { form: true }),
  ),
  series(
    "series-rfc3339",
    "Times may be written as in RFC 3339.",
    data(requests, all),
    ask("series", { "match[]": "requests", start: "2025-06-01T00:00:00Z", end: "2025-06-01T02:00:00Z" }),
  ),
  series(
    "series-outside",
    "Series that have no samples near the times are not told.",
    data([]),
    ask("series", { "match[]": "requests", start: "1000", end: "2000" }),
  ),
  series(
    "series-without-a-selector",
    "Series are not told without a selector.",
    refused(400, "bad_data"),
    ask("series", WITHIN),
    ask("series", { "match[]": "requests", ...WITHIN }),
  ),
  series(
    "series-malformed",
    "A selector that is none is refused.",
    refused(400, "bad_data"),
    ask("series", { "match[]": "requests{", ...WITHIN }),
    ask("series", { "match[]": "requests{}", ...WITHIN }),
  ),
  series(
    "series-of-an-expression",
    "An expression is no selector.",
    refused(400, "bad_data"),
    ask("series", { "match[]": "sum(requests)", ...WITHIN }),
    ask("series", { "match[]": "requests", ...WITHIN }),
  ),
  series(
    "series-of-everything",
    "A selector that takes the empty value alone is refused.",
    refused(400, "bad_data"),
    ask("series", { "match[]": '{method=~".*"}', ...WITHIN }),
    ask("series", { "match[]": '{method=~".+"}', ...WITHIN }),
  ),
  series(
    "series-of-a-range",
    "A range is no selector of series.",
    refused(400, "bad_data"),
    ask("series", { "match[]": "requests[5m]", ...WITHIN }),
    ask("series", { "match[]": "requests", ...WITHIN }),
  ),
  series(
    "series-start-malformed",
    "A start that is no time is refused.",
    refused(400, "bad_data"),
    ask("series", { "match[]": "requests", start: "dawn" }),
    ask("series", { "match[]": "requests", ...WITHIN }),
  ),
  series(
    "series-end-malformed",
    "An end that is no time is refused.",
    refused(400, "bad_data"),
    ask("series", { "match[]": "requests", end: "dusk" }),
    ask("series", { "match[]": "requests", ...WITHIN }),
  ),
  series(
    "series-second-malformed",
    "One of several selectors that is none is refused.",
    refused(400, "bad_data"),
    ask("series", { "match[]": ["requests", "{"], ...WITHIN }),
    ask("series", { "match[]": ["requests", "twins"], ...WITHIN }),
  ),
  labels(
    "labels-of-a-selector",
    "The names of labels are those of the series that a selector finds.",
    data(["__name__", "method", "n"], all),
    ask("labels", { "match[]": "twins", ...WITHIN }),
  ),
  labels(
    "labels-of-two-selectors",
    "The names of labels are those of all selectors.",
    data(["__name__", "code", "method", "owner"], all),
    ask("labels", { "match[]": ["limits", "errors"], ...WITHIN }),
  ),
  labels(
    "labels-of-nothing",
    "Where there is no series there is no label.",
    data([]),
    ask("labels", { "match[]": "no_such_metric", ...WITHIN }),
  ),
  labels(
    "labels-posted",
    "Selectors for labels may be posted as a form.",
    data(["__name__", "method", "n"], all),
    ask("labels", { "match[]": "twins", ...WITHIN }, { form: true }),
  ),
  labels("labels-sorted", "The names of labels are a list of texts.", data({ each: { is: "string" } }), ask("labels", WITHIN)),
  labels(
    "labels-malformed",
    "A selector for labels that is none is refused.",
    refused(400, "bad_data"),
    ask("labels", { "match[]": "{", ...WITHIN }),
    ask("labels", { "match[]": "twins", ...WITHIN }),
  ),
  labels(
    "labels-start-malformed",
    "A start that is no time is refused for labels.",
    refused(400, "bad_data"),
    ask("labels", { start: "dawn" }),
    ask("labels", WITHIN),
  ),
  labels(
    "labels-outside",
    "Labels of series without samples near the times are not told.",
    data([]),
    ask("labels", { "match[]": "twins", start: "1000", end: "2000" }),
  ),
  values(
    "values-of-a-selector",
    "The values of a label are those of the series that a selector finds.",
    data(["del", "get", "post"], all),
    ask("label/method/values", { "match[]": "requests", ...WITHIN }),
  ),
  values(
    "values-of-two-selectors",
    "The values of a label are those of all selectors.",
    data(["del", "get", "patch", "post"], all),
    ask("label/method/values", { "match[]": ["requests", "limits"], ...WITHIN }),
  ),
  values(
    "values-of-the-name",
    "Names of metrics are values of a label.",
    data(["job:requests:rate5m"], all),
    ask("label/__name__/values", { "match[]": '{__name__=~"job:.*"}', ...WITHIN }),
  ),
  values("values-of-an-unknown-label", "A label that there is not has no values.", data([]), ask("label/no_such_label/values", WITHIN)),
  values(
    "values-of-nothing",
    "Where there is no series there are no values.",
    data([]),
    ask("label/method/values", { "match[]": "no_such_metric", ...WITHIN }),
  ),
  values(
    "values-of-utf8",
    "Values are told as they are.",
    data(["über"], all),
    ask("label/text/values", { "match[]": 'labelled{n="2"}', ...WITHIN }),
  ),
  values(
    "values-malformed",
    "A selector for values that is none is refused.",
    refused(400, "bad_data"),
    ask("label/method/values", { "match[]": "requests{", ...WITHIN }),
    ask("label/method/values", { "match[]": "requests", ...WITHIN }),
  ),
  values(
    "values-start-malformed",
    "A start that is no time is refused for values.",
    refused(400, "bad_data"),
    ask("label/method/values", { start: "dawn" }),
    ask("label/method/values", WITHIN),
  ),
  values(
    "values-of-an-escaped-label",
    "A name of a label may be escaped.",
    data(["x", "y"], all),
    ask("label/U__service_2e_name/values", WITHIN),
    PLAIN,
    UTF8,
  ),
  values(
    "values-of-an-escaped-plain-label",
    "A plain name of a label may be escaped too.",
    data(["del", "get", "post"], all),
    ask("label/U__method/values", { "match[]": "requests", ...WITHIN }),
    PLAIN,
    UTF8,
  ),
  cut(
    "series-limit",
    "A limit cuts the series.",
    data({ each: { __name__: "requests" } }, { most: 1 }),
    ask("series", { "match[]": "requests", limit: "1", ...WITHIN }),
  ),
  cut(
    "series-limit-zero",
    "A limit of 0 cuts no series.",
    data(requests, all),
    ask("series", { "match[]": "requests", limit: "0", ...WITHIN }),
  ),
  cut(
    "series-limit-malformed",
    "A limit of series that is no number is refused.",
    refused(400, "bad_data"),
    ask("series", { "match[]": "requests", limit: "few", ...WITHIN }),
    ask("series", { "match[]": "requests", limit: "2", ...WITHIN }),
  ),
  cut(
    "labels-limit",
    "A limit cuts the names of labels.",
    data({ each: { is: "string" } }, { most: 1 }),
    ask("labels", { "match[]": "twins", limit: "1", ...WITHIN }),
  ),
  cut(
    "values-limit",
    "A limit cuts the values of a label.",
    data({ each: { is: "string" } }, { most: 2 }),
    ask("label/method/values", { "match[]": "requests", limit: "2", ...WITHIN }),
  ),
  about("querying-metric-metadata/answers")("metadata", "What is known of metrics is an object.", data({ is: "object" }), ask("metadata")),
  about("querying-metric-metadata/answers")(
    "metadata-unknown",
    "Of a metric that there is not, nothing is known.",
    data({ is: "object" }, { text: '"data":{}' }),
    ask("metadata", { metric: "no_such_metric" }),
  ),
  about("querying-metric-metadata/answers")(
    "metadata-limit-malformed",
    "A limit of metadata that is no number is refused.",
    refused(400, "bad_data"),
    ask("metadata", { limit: "few" }),
    ask("metadata", { limit: "1" }),
  ),
  status("status-config", "The configuration is a text.", data({ yaml: { is: "string" } }), ask("status/config")),
  status("status-flags", "The flags are an object.", data({ is: "object" }), ask("status/flags")),
  status("status-buildinfo", "The version is a text.", data({ version: { is: "string" } }), ask("status/buildinfo")),
  status("status-runtimeinfo", "How it runs is an object.", data({ is: "object" }), ask("status/runtimeinfo")),
  tsdb(
    "status-tsdb-head",
    "The head is told in numbers.",
    data({
      headStats: { numSeries: { is: "number" }, chunkCount: { is: "number" }, minTime: { is: "number" }, maxTime: { is: "number" } },
    }),
    ask("status/tsdb"),
  ),
  tsdb(
    "status-tsdb-tables",
    "Each table has names and values.",
    data({
      seriesCountByMetricName: { is: "array" },
      labelValueCountByLabelName: { is: "array" },
      memoryInBytesByLabelName: { is: "array" },
      seriesCountByLabelValuePair: { is: "array" },
    }),
    ask("status/tsdb"),
  ),
  tsdb(
    "status-tsdb-limit-malformed",
    "A limit of tables that is no number is refused.",
    refused(400, "bad_data"),
    ask("status/tsdb", { limit: "few" }),
    ask("status/tsdb", { limit: "1" }),
  ),
  tsdb(
    "status-tsdb-limit-too-large",
    "A limit of tables beyond 10,000 is refused.",
    refused(400, "bad_data"),
    ask("status/tsdb", { limit: "10001" }),
    ask("status/tsdb", { limit: "10000" }),
  ),
  request(
    "endpoint-unknown",
    "What is not an endpoint is not found.",
    { see: "refused", status: [404], bare: true },
    ask("no_such_endpoint"),
    PLAIN,
  ),
  request(
    "method-unknown",
    "A query is not deleted.",
    { see: "refused", status: [404, 405], bare: true },
    ask("query", { query: "1" }, { method: "DELETE" }),
    ask("query", { query: "1" }),
  ),
  request(
    "gzip",
    "An answer to who takes gzip can be read.",
    data({ each: { __name__: "http_requests_total" } }),
    ask("series", { "match[]": "http_requests_total", ...WITHIN }, { fields: [["accept-encoding", "gzip"]] }),
  ),
  request(
    "identity",
    "An answer to who takes no coding has none.",
    data({ each: { __name__: "http_requests_total" } }, { fields: [{ name: "content-encoding", pattern: "^(?:identity)?$" }] }),
    ask("series", { "match[]": "http_requests_total", ...WITHIN }, { fields: [["accept-encoding", "identity"]] }),
  ),
  request(
    "next-is-answered",
    "After a query that was refused the next one is answered.",
    { see: "scalar", sample: [Number(NOW), "1"] },
    query("1"),
    PLAIN,
  ),
];
