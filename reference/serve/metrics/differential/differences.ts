import type { ApiResponse } from "./exchange.ts";
import type { ApiRequest } from "./requests.ts";

/** An intended difference from Prometheus 2.42; `where` is the passage that requires or permits it. */
export type Difference = {
  readonly reason: string;
  readonly where: string;
  readonly when: (request: ApiRequest, ours: ApiResponse, theirs: ApiResponse) => boolean;
};

const isRefused = ({ status, envelope }: ApiResponse): boolean => status === 400 && envelope?.errorType === "bad_data";
const hasError = ({ envelope }: ApiResponse, message: RegExp): boolean => message.test(String(envelope?.error));
/** The values of the named parameters, from the target and the form. */
function valuesOf({ path, body = "" }: ApiRequest, ...names: string[]): string[] {
  const parameters = new URLSearchParams(`${path.split("?").slice(1).join("?")}&${body}`);
  return names.flatMap((name) => parameters.getAll(name));
}
const isTime = (text: string): boolean => {
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Math.abs(number) <= 9e12 || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):\d\d)$/i.test(text);
};

export const DIFFERENCES: readonly Difference[] = [
  {
    reason:
      "a time is decimal seconds or RFC 3339; Prometheus also accepts NaN, Inf, 1_000, one-digit hours, a comma, +24:00, and times that overflow",
    where: "Prometheus docs, querying/api.md, Format overview: <rfc3339 | unix_timestamp>",
    when: (request, ours) => isRefused(ours) && valuesOf(request, "time", "start", "end").some((text) => !isTime(text)),
  },
  {
    reason: "T and Z of RFC 3339 may be lowercase; Prometheus accepts only uppercase",
    where: "rfc3339#5.6",
    when: (request, _, theirs) => isRefused(theirs) && valuesOf(request, "time", "start", "end").some((text) => /\dt\d.*z$/.test(text)),
  },
  {
    reason: "a time beyond 64-bit nanoseconds is accepted; in Prometheus it overflows to another time",
    where: "Prometheus docs, querying/api.md, Format overview: <rfc3339 | unix_timestamp>",
    when: (request, ours, theirs) =>
      ours.status === 200 &&
      theirs.status === 200 &&
      valuesOf(request, "time", "start", "end").some(
        (text) => Math.abs(Number(text)) > 9_223_372_036 || /^(?:0000|9999|-?2922\d{5})-/.test(text),
      ),
  },
  {
    reason: "an end before the start is refused at every endpoint; Prometheus refuses it only at query_range",
    where: "Prometheus docs, querying/api.md, Format overview: 400 when parameters are incorrect",
    when: (_, ours, theirs) => isRefused(ours) && hasError(ours, /end timestamp must not be before/) && theirs.status < 300,
  },
  {
    reason: "lookback_delta is newer than 2.42",
    where: "Prometheus docs, querying/api.md, Instant queries",
    when: (request) => valuesOf(request, "lookback_delta").length > 0,
  },
  {
    reason: "limit of queries, limit_per_metric and limit of status/tsdb are newer than 2.42, which also accepts negative limits",
    where: "Prometheus docs, querying/api.md, Instant queries, Querying metric metadata, TSDB Stats",
    when: (request) => valuesOf(request, "limit", "limit_per_metric").length > 0,
  },
  {
    reason: "NaN and 1_0 are not durations",
    where: "Prometheus docs, querying/api.md, Format overview: <duration>",
    when: (request, ours) => isRefused(ours) && valuesOf(request, "timeout", "step").some((text) => /^nan$|_/i.test(text)),
  },
  {
    reason: "quoted names and arbitrary UTF-8 names are newer than 2.42",
    where: "Prometheus docs, querying/basics.md, Time series selectors; querying/functions.md, label_join",
    when: (request, ours, theirs) =>
      ours.status === 200 &&
      theirs.status >= 400 &&
      valuesOf(request, "query", "match[]").some((text) => /\{"|label_(?:join|replace)/.test(text)),
  },
  {
    reason: "UTF-8 label names, and their ASCII escape with U__, are newer than 2.42",
    where: "Prometheus docs, querying/api.md, Querying label values",
    when: ({ path }, ours, theirs) =>
      /^api\/v1\/label\/.*\/values/.test(path) &&
      ours.status === 200 &&
      (theirs.status === 400 || theirs.status === 404 || path.includes("U__")),
  },
  {
    reason: "a missing or badly encoded label name is reported in the envelope",
    where: "Prometheus docs, querying/api.md, Format overview",
    when: ({ path }, ours, theirs) =>
      path.startsWith("api/v1/label/") && isRefused(ours) && (theirs.envelope === undefined || path.includes("/U__/")),
  },
  {
    reason: "a large number is formatted with all its digits",
    where: "Prometheus docs, querying/basics.md, Float literals",
    when: ({ path }, ours, theirs) =>
      path.startsWith("api/v1/format_query") && /\de\+\d/.test(String(theirs.envelope?.data)) && ours.status === 200,
  },
  {
    reason: "a metric name given twice is refused in match[], as in a query",
    where: "Prometheus docs, querying/basics.md, Time series selectors",
    when: (_, ours) => isRefused(ours) && hasError(ours, /metric name must not be set twice/),
  },
  {
    reason: "holt_winters was renamed after 2.42",
    where: "Prometheus docs, querying/functions.md, double_exponential_smoothing",
    when: (_, ours) => isRefused(ours) && hasError(ours, /unknown function with name "holt_winters"/),
  },
  {
    reason: "the nesting depth of an expression is limited",
    where: "Prometheus docs, querying/api.md, Format overview: 400 when parameters are incorrect",
    when: (_, ours) => isRefused(ours) && hasError(ours, /deeper than/),
  },
  {
    reason: "delete_series refuses a selector that matches every series",
    where: "Prometheus docs, querying/basics.md, Time series selectors: one matcher that does not match the empty string",
    when: ({ path }, ours) => path.includes("delete_series") && hasError(ours, /at least one non-empty matcher/),
  },
  {
    reason: "parameters in multipart/form-data are not supported",
    where: "Prometheus docs, querying/api.md, Instant queries",
    when: ({ type }, ours) => isRefused(ours) && type === "multipart/form-data; boundary=b",
  },
  {
    reason: "the HTTP server refuses an invalid request target",
    where: "rfc9112#3.2",
    when: ({ path }, ours) => ours.status === 400 && path.includes("#"),
  },
  {
    reason: "HEAD is supported wherever GET is",
    where: "rfc9110#9.3.2",
    when: ({ method }, ours, theirs) => method === "HEAD" && theirs.status === 405 && ours.status !== 405,
  },
  {
    reason: "an unsupported method is 405 everywhere; Prometheus responds to DELETE with 500, not implemented",
    where: "Prometheus docs, querying/api.md, Finding series by label matchers; rfc9110#15.5.6",
    when: ({ method }, ours, theirs) => method === "DELETE" && ours.status === 405 && theirs.status === 500,
  },
  {
    reason: "OPTIONS is answered with 204 and without content",
    where: "rfc9110#9.3.7",
    when: ({ method }, ours, theirs) => method === "OPTIONS" && ours.status === 204 && theirs.status === 200,
  },
  {
    reason: "unclean paths are not redirected",
    where: "Prometheus docs, querying/api.md names the paths",
    when: (_, ours, theirs) => ours.status === 404 && theirs.status === 301,
  },
  {
    reason: "404 below /api/v1/ has an envelope",
    where: "Prometheus docs, querying/api.md, Format overview: other codes before the endpoint is reached",
    when: (_, ours, theirs) => ours.status === 404 && theirs.status === 404 && theirs.envelope === undefined,
  },
  {
    reason: "parse_query and a few statistics are newer than 2.42",
    where: "Prometheus docs, querying/api.md, Parsing a PromQL expressions, Query statistics",
    when: ({ path }, ours, theirs) =>
      (path.startsWith("api/v1/parse_query") && theirs.status === 404) ||
      (path.includes("stats=") && ours.status === 200 && theirs.status === 200),
  },
  {
    reason: "status pages differ between servers",
    where: "Prometheus docs, querying/api.md, Status",
    when: ({ path }, ours, theirs) => path.startsWith("api/v1/status/") && ours.status === 200 && theirs.status === 200,
  },
];
