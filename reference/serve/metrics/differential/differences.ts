import type { Answered } from "./exchange.ts";
import type { Asked } from "./requests.ts";

/** Where we differ from Prometheus 2.42 and mean to; `where` is the passage that says so, or that leaves it open. */
export type Difference = {
  readonly reason: string;
  readonly where: string;
  readonly when: (asked: Asked, ours: Answered, theirs: Answered) => boolean;
};

const isRefused = ({ status, envelope }: Answered): boolean => status === 400 && envelope?.errorType === "bad_data";
const says = ({ envelope }: Answered, words: RegExp): boolean => words.test(String(envelope?.error));
/** The value of a parameter of the target or the form. */
function given({ path, body = "" }: Asked, ...names: string[]): string[] {
  const words = new URLSearchParams(`${path.split("?").slice(1).join("?")}&${body}`);
  return names.flatMap((name) => words.getAll(name));
}
const isTime = (text: string): boolean => {
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Math.abs(number) <= 9e12 || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):\d\d)$/i.test(text);
};

export const DIFFERENCES: readonly Difference[] = [
  {
    reason:
      "a time is a number of seconds with decimals, or RFC 3339; they also take NaN, Inf, 1_000, hours of one digit, a comma, +24:00, and times that overflow",
    where: "Prometheus docs, querying/api.md, Format overview: <rfc3339 | unix_timestamp>",
    when: (asked, ours) => isRefused(ours) && given(asked, "time", "start", "end").some((text) => !isTime(text)),
  },
  {
    reason: "the letters of RFC 3339 may be small; they take capitals alone",
    where: "rfc3339#5.6",
    when: (asked, _, theirs) => isRefused(theirs) && given(asked, "time", "start", "end").some((text) => /\dt\d.*z$/.test(text)),
  },
  {
    reason: "a time beyond what 64 bits of nanoseconds hold is taken; they answer for another one",
    where: "Prometheus docs, querying/api.md, Format overview: <rfc3339 | unix_timestamp>",
    when: (asked, ours, theirs) =>
      ours.status === 200 &&
      theirs.status === 200 &&
      given(asked, "time", "start", "end").some(
        (text) => Math.abs(Number(text)) > 9_223_372_036 || /^(?:0000|9999|-?2922\d{5})-/.test(text),
      ),
  },
  {
    reason: "an end before its start is a mistake at every endpoint; they say so at query_range alone",
    where: "Prometheus docs, querying/api.md, Format overview: 400 when parameters are incorrect",
    when: (_, ours, theirs) => isRefused(ours) && says(ours, /end timestamp must not be before/) && theirs.status < 300,
  },
  {
    reason: "names are told for the series of the asked time; they tell those of the whole head",
    where: "Prometheus docs, querying/api.md, Querying label values: start and end are approximate",
    when: ({ path }, ours, theirs) => ours.status === 200 && theirs.status === 200 && path.startsWith("api/v1/label/job/values?start="),
  },
  {
    reason: "lookback_delta is newer than 2.42",
    where: "Prometheus docs, querying/api.md, Instant queries",
    when: (asked) => given(asked, "lookback_delta").length > 0,
  },
  {
    reason: "limit of queries, limit_per_metric and limit of status/tsdb are newer than 2.42, which also takes less than none",
    where: "Prometheus docs, querying/api.md, Instant queries, Querying metric metadata, TSDB Stats",
    when: (asked) => given(asked, "limit", "limit_per_metric").length > 0,
  },
  {
    reason: "not a number is no duration, nor is 1_0",
    where: "Prometheus docs, querying/api.md, Format overview: <duration>",
    when: (asked, ours) => isRefused(ours) && given(asked, "timeout", "step").some((text) => /^nan$|_/i.test(text)),
  },
  {
    reason: "names in quotes, and any UTF-8 as a name, are newer than 2.42",
    where: "Prometheus docs, querying/basics.md, Time series selectors; querying/functions.md, label_join",
    when: (asked, ours, theirs) =>
      ours.status === 200 &&
      theirs.status >= 400 &&
      given(asked, "query", "match[]").some((text) => /\{"|label_(?:join|replace)/.test(text)),
  },
  {
    reason: "a label may have any name in UTF-8, and U__ begins one that is written in ASCII; in 2.42 it does not",
    where: "Prometheus docs, querying/api.md, Querying label values",
    when: ({ path }, ours, theirs) =>
      /^api\/v1\/label\/.*\/values/.test(path) &&
      ours.status === 200 &&
      (theirs.status === 400 || theirs.status === 404 || path.includes("U__")),
  },
  {
    reason: "a label's name that is missing or badly encoded is told in the envelope",
    where: "Prometheus docs, querying/api.md, Format overview",
    when: ({ path }, ours, theirs) =>
      path.startsWith("api/v1/label/") && isRefused(ours) && (theirs.envelope === undefined || path.includes("/U__/")),
  },
  {
    reason: "a large number is written with all its digits",
    where: "Prometheus docs, querying/basics.md, Float literals",
    when: ({ path }, ours, theirs) =>
      path.startsWith("api/v1/format_query") && /\de\+\d/.test(String(theirs.envelope?.data)) && ours.status === 200,
  },
  {
    reason: "a name that is given twice is a mistake in match[] as it is in a query",
    where: "Prometheus docs, querying/basics.md, Time series selectors",
    when: (_, ours) => isRefused(ours) && says(ours, /metric name must not be set twice/),
  },
  {
    reason: "holt_winters has another name since",
    where: "Prometheus docs, querying/functions.md, double_exponential_smoothing",
    when: (_, ours) => isRefused(ours) && says(ours, /unknown function with name "holt_winters"/),
  },
  {
    reason: "how deep an expression may be is limited, whoever wrote it",
    where: "Prometheus docs, querying/api.md, Format overview: 400 when parameters are incorrect",
    when: (_, ours) => isRefused(ours) && says(ours, /deeper than/),
  },
  {
    reason: "every series of a server is not deleted by a selector that says nothing",
    where: "Prometheus docs, querying/basics.md, Time series selectors: one matcher that does not match the empty string",
    when: ({ path }, ours) => path.includes("delete_series") && says(ours, /at least one non-empty matcher/),
  },
  {
    reason: "parameters come in the target or in a form, not in multipart/form-data",
    where: "Prometheus docs, querying/api.md, Instant queries",
    when: ({ type }, ours) => isRefused(ours) && type === "multipart/form-data; boundary=b",
  },
  {
    reason: "what is no address is refused by the server before the interface sees it",
    where: "rfc9112#3.2",
    when: ({ path }, ours) => ours.status === 400 && path.includes("#"),
  },
  {
    reason: "HEAD is answered wherever GET is",
    where: "rfc9110#9.3.2",
    when: ({ method }, ours, theirs) => method === "HEAD" && theirs.status === 405 && ours.status !== 405,
  },
  {
    reason: "a method that an endpoint has not is 405 everywhere; theirs for DELETE is there, and not implemented",
    where: "Prometheus docs, querying/api.md, Finding series by label matchers; rfc9110#15.5.6",
    when: ({ method }, ours, theirs) => method === "DELETE" && ours.status === 405 && theirs.status === 500,
  },
  {
    reason: "OPTIONS tells the methods, without content",
    where: "rfc9110#9.3.7",
    when: ({ method }, ours, theirs) => method === "OPTIONS" && ours.status === 204 && theirs.status === 200,
  },
  {
    reason: "what an address names is not guessed: none is redirected",
    where: "Prometheus docs, querying/api.md names the paths",
    when: (_, ours, theirs) => ours.status === 404 && theirs.status === 301,
  },
  {
    reason: "what there is not below the interface is told in its envelope",
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
    reason: "each server tells of itself",
    where: "Prometheus docs, querying/api.md, Status",
    when: ({ path }, ours, theirs) => path.startsWith("api/v1/status/") && ours.status === 200 && theirs.status === 200,
  },
];
