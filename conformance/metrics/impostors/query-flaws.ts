import { METRICS_AGGREGATION_FLAWS } from "./query-aggregates.ts";
import { METRICS_FUNCTION_FLAWS } from "./query-functions.ts";
import { METRICS_HISTOGRAM_FLAWS } from "./query-histograms.ts";
import { METRICS_MEANING_FLAWS } from "./query-meanings.ts";
import type { Asked, Envelope, MetricsFlaw, Reply } from "./query-flaw.ts";

/** All flaws of metrics servers, and those in requests and responses. */

type Element = { metric?: Record<string, string>; value?: [number, unknown]; values?: [number, unknown][] };
type Result = { resultType?: string; result?: unknown };

const isQuery = ({ path }: Asked): boolean => path === "query" || path === "query_range";
const resultOf = ({ envelope }: Reply): Result => (envelope.data ?? {}) as Result;
const elementsOf = (reply: Reply): Element[] => {
  const { resultType, result } = resultOf(reply);
  return (resultType === "vector" || resultType === "matrix") && Array.isArray(result) ? (result as Element[]) : [];
};
/** Every sample of a response, whatever its result type. */
function samplesOf(reply: Reply): [number, unknown][] {
  const { resultType, result } = resultOf(reply);
  if (resultType === "scalar" || resultType === "string") return [result as [number, unknown]];
  return elementsOf(reply).flatMap(({ value, values }) => (value === undefined ? (values ?? []) : [value]));
}
const value =
  (change: (text: string) => unknown) =>
  (reply: Reply): void => {
    for (const sample of samplesOf(reply)) sample[1] = change(String(sample[1]));
  };
const number = (change: (value: number) => number): ((reply: Reply) => void) =>
  value((text) => (Number.isFinite(Number(text)) && text !== "" ? String(change(Number(text))) : text));
const labels =
  (change: (metric: Record<string, string>) => void) =>
  (reply: Reply): void => {
    for (const { metric } of elementsOf(reply)) if (metric !== undefined) change(metric);
  };
const failure =
  (change: (reply: Reply, envelope: Envelope) => void) =>
  (reply: Reply): void => {
    if (reply.envelope.status !== "success") change(reply, reply.envelope);
  };
const replace =
  (pattern: RegExp, by: string | ((...found: string[]) => string)) =>
  (expr: string): string =>
    typeof by === "string" ? expr.replace(pattern, by) : expr.replace(pattern, by);
const nothing: Envelope = { status: "success", data: { resultType: "vector", result: [] } };

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const RANGE_CALL = /\b(rate|increase|delta)\(([^()]*\[(\d+)([smhd])\][^()]*)\)/g;
/** The last sample of a range minus the first, without extrapolation. */
const differences = replace(RANGE_CALL, (_whole, ...[call = "", range = "", count = "", unit = ""]) => {
  const seconds = call === "rate" ? Number(count) * (UNITS[unit] ?? 1) : 1;
  return `((last_over_time(${range}) - first_over_time(${range})) / ${seconds})`;
});
const without =
  (...names: readonly string[]) =>
  (asked: Asked): void =>
    names.forEach((name) => asked.params.delete(name));
/** Replaces all values of a parameter, if the request has it, by one that is computed from the first. */
const replaced =
  (name: string, by: (first: string) => string) =>
  ({ params }: Asked): void => {
    const first = params.get(name);
    if (first !== null) params.set(name, by(first));
  };
const about =
  (path: RegExp, change: (reply: Reply) => void) =>
  (reply: Reply, asked: Asked): void => {
    if (path.test(asked.path) && reply.envelope.status === "success") change(reply);
  };

/** Impostors that must pass no case. */
export const MUTE: readonly string[] = ["slams", "refuses-all", "empty"];

export const METRICS_QUERY_FLAWS: Readonly<Record<string, MetricsFlaw>> = {
  "one-more": {
    about: "returns wrong numbers and longer strings",
    answers: (reply) =>
      value((text) =>
        Number.isFinite(Number(text)) && text !== ""
          ? String(Number(text) * 1.01 + 1)
          : text === "NaN"
            ? "0"
            : text.endsWith("Inf")
              ? "NaN"
              : `${text}x`,
      )(reply),
  },
  "answers-all": {
    about: "returns an empty result instead of an error",
    answers: failure((reply) => Object.assign(reply, { status: 200, envelope: nothing, bare: undefined })),
  },
  "nothing-is-something": {
    about: "returns an element instead of an empty result",
    answers: (reply) => {
      const { resultType, result } = resultOf(reply);
      if (Array.isArray(result) && result.length === 0)
        result.push(resultType === "vector" ? { metric: {}, value: [0, "0"] } : { metric: {}, values: [[0, "0"]] });
    },
  },
  "wrong-data": {
    about: "returns the same number at every endpoint without expressions",
    answers: (reply, asked) => {
      if (!isQuery(asked) && reply.envelope.status === "success") reply.envelope.data = 1;
    },
  },
  "sorts-backwards": { about: "reverses its results", answers: (reply) => void elementsOf(reply).reverse() },
  "no-notes": {
    about: "returns no warnings and no infos",
    answers: ({ envelope }) => {
      delete envelope.warnings;
      delete envelope.infos;
    },
  },
  "packs-everything": { about: "compresses even if the client does not accept it", packs: true },
  "knows-every-endpoint": {
    about: "answers unknown endpoints and methods with success",
    answers: (reply) => {
      if (reply.status === 404 || reply.status === 405) Object.assign(reply, { status: 200, envelope: nothing });
    },
  },
  "few-points": {
    about: "refuses ranges of more than a thousand steps",
    asks: ({ params }) => {
      const numberOf = (name: string): number => Number(params.get(name));
      if (params.has("step") && numberOf("end") - numberOf("start") > 1_000 * numberOf("step")) params.set("end", "never");
    },
  },
  "says-it-is-a-page": { about: "labels its responses as HTML", type: "text/html" },
  slams: { about: "drops every connection", slams: true },
  "refuses-all": {
    about: "refuses everything",
    answers: (reply) => Object.assign(reply, { status: 400, envelope: { status: "error", errorType: "bad_data", error: "no" } }),
  },
  empty: {
    about: "returns an empty result for every request",
    answers: (reply) =>
      Object.assign(reply, { status: 200, envelope: { status: "success", data: { resultType: "vector", result: [] } }, bare: undefined }),
  },
  ...METRICS_AGGREGATION_FLAWS,
  ...METRICS_MEANING_FLAWS,
  ...METRICS_FUNCTION_FLAWS,
  ...METRICS_HISTOGRAM_FLAWS,
  "does-not-extrapolate": { about: "does not extrapolate", expression: differences },
  "drops-offset": { about: "ignores offsets", expression: replace(/\boffset\s+(?:-?\w+|\([^)]*\))/gi, "") },
  "drops-at": { about: "ignores the @ modifier", expression: replace(/@\s*(?:(?:start|end)\(\)|[-+\d.e]+)/gi, "") },
  "ignores-stale-marks": {
    about: "returns stale series",
    expression: replace(/(?<!absent\(|")\bmarked(?:\{[^}]*\})?(?!\w|\{|\[|\s*offset)/g, (whole = "") => `last_over_time(${whole}[5m])`),
  },
  "short-look-back": { about: "looks back a minute", asks: ({ params }) => params.set("lookback_delta", "1m") },
  "long-look-back": { about: "looks back an hour", asks: ({ params }) => params.set("lookback_delta", "1h") },
  "closed-look-back": { about: "looks back a millisecond too far", asks: ({ params }) => params.set("lookback_delta", "300001ms") },
  "closed-ranges": {
    about: "selects ranges that are a millisecond too long",
    expression: replace(/\[(\d+)m([:\]])/g, (_whole = "", count = "", end = "") => `[${count}m1ms${end}`),
  },
  "whole-numbers": { about: "keeps the whole part of a value", answers: number(Math.round) },
  "floats-of-32-bits": { about: "keeps 32 bits of a value", answers: number(Math.fround) },
  "six-digits": { about: "writes values with six digits", answers: number((one) => Number(one.toPrecision(6))) },
  "no-infinities": { about: "does not support infinities and NaN", answers: value((text) => (/Inf$|^NaN$/.test(text) ? "0" : text)) },
  "numbers-not-texts": {
    about: "writes values as numbers",
    answers: value((text) => (Number.isFinite(Number(text)) && text !== "" ? Number(text) : text)),
  },
  "whole-seconds": {
    about: "supports whole seconds only",
    answers: (reply) => samplesOf(reply).forEach((sample) => (sample[0] = Math.floor(sample[0]))),
  },
  "keeps-names": { about: "keeps names that must be dropped", answers: labels((metric) => (metric["__name__"] ??= "kept")) },
  "drops-names": { about: "drops every name", answers: labels((metric) => delete metric["__name__"]) },
  "drops-a-label": { about: "loses the label method", answers: labels((metric) => delete metric["method"]) },
  "ignores-by": { about: "ignores by and without", expression: replace(/\b(?:by|without)\s*\([^)]*\)/gi, "") },
  "swaps-and-or": { about: "evaluates and as or", expression: replace(/\b(and|or)\b/g, (word = "") => (word === "and" ? "or" : "and")) },
  "unless-is-and": { about: "evaluates unless as and", expression: replace(/\bunless\b/g, "and") },
  "ignores-bool": { about: "ignores bool", expression: replace(/\bbool\b/g, "") },
  "ignores-on": {
    about: "matches by all labels",
    expression: replace(/\b(?:on|ignoring)\s*\([^)]*\)(?:\s*group_(?:left|right)\s*(?:\([^)]*\))?)?/g, ""),
  },
  "drops-group-labels": { about: "copies no labels from the one side", expression: replace(/\b(group_(?:left|right))\s*\([^)]*\)/g, "$1") },
  "from-the-left": { about: "evaluates powers from the left", expression: replace(/\b(\d+) \^ (\d+) \^ (\d+)\b/g, "($1 ^ $2) ^ $3") },
  "no-precedence": { about: "adds before it multiplies", expression: replace(/\b(\d+) \+ (\d+) \* (\d+)\b/g, "($1 + $2) * $3") },
  "quantiles-of-bounds": {
    about: "does not interpolate within a bucket",
    answers: (reply, asked) =>
      /quantile/.test(asked.params.get("query") ?? "") ? number((one) => Math.ceil(one * 4) / 4)(reply) : undefined,
  },
  "subqueries-of-a-minute": { about: "uses one step for all subqueries", expression: replace(/:[^\]:]*\]/g, ":1m]") },
  "patterns-within": { about: "matches patterns anywhere in a value", expression: replace(/([=!]~)\s*"([^"]*)"/g, '$1".*(?:$2).*"') },
  "takes-matchers-for-names": { about: "ignores the braces after a name", expression: replace(/\b(\w+)\{[^}]*\}/g, "$1") },
  "days-begin-at-one": {
    about: "computes parts of a date an hour late",
    expression: replace(/\b((?:day|days|hour|month|year)\w*)\((\w+)\)/g, "$1($2 + 3600)"),
  },
  "topk-of-one-more": {
    about: "returns one element too many",
    expression: replace(/\b(topk|bottomk)( by \([^)]*\)| without \([^)]*\))?\((\d+),/g, "$1$2($3 + 1,"),
  },
  "ignores-time": {
    about: "evaluates an hour too early",
    asks: replaced("time", () => "1748736111"),
  },
  "drops-the-last-step": {
    about: "drops the last step of a range",
    answers: (reply) => elementsOf(reply).forEach(({ values }) => values?.pop()),
  },
  "ignores-step": {
    about: "uses another step",
    asks: replaced("step", () => "37"),
  },
  "wrong-type-of-error": {
    about: "returns every error as internal",
    answers: failure((_reply, envelope) => (envelope.errorType = "internal")),
  },
  "wrong-status-of-error": { about: "answers every error with 500", answers: failure((reply) => (reply.status = 500)) },
  "errors-in-words": { about: "answers errors as plain text", answers: failure((reply) => (reply.bare = true)) },
  "executes-what-is-malformed": {
    about: "returns execution errors as bad requests",
    answers: failure((reply, envelope) =>
      reply.status === 422 ? Object.assign(reply, { status: 400, envelope: { ...envelope, errorType: "bad_data" } }) : undefined,
    ),
  },
  "does-not-read-forms": {
    about: "ignores parameters in forms",
    asks: (asked) => (asked.form ? [...asked.params.keys()].forEach((name) => asked.params.delete(name)) : undefined),
  },
  "ignores-limits": { about: "ignores limits", asks: without("limit") },
  "ignores-look-back": { about: "ignores the look-back of a request", asks: without("lookback_delta") },
  "ignores-timeouts": { about: "ignores timeouts", asks: without("timeout") },
  "ignores-selectors": {
    about: "returns all series for every selector",
    asks: replaced("match[]", () => '{__name__=~".+"}'),
  },
  "first-selector": {
    about: "reads only the first selector",
    asks: replaced("match[]", (first) => first),
  },
  "ignores-times": { about: "returns series of any time", asks: (asked) => (isQuery(asked) ? undefined : without("start", "end")(asked)) },
  "formats-nothing": {
    about: "returns an expression unformatted",
    answers: (reply, asked) => about(/^format_query$/, ({ envelope }) => (envelope.data = asked.params.get("query")))(reply, asked),
  },
  "labels-are-objects": {
    about: "returns objects instead of label names",
    answers: about(/^labels$/, ({ envelope }) => (envelope.data = (envelope.data as string[]).map((name) => ({ name })))),
  },
  "empty-is-a-value": {
    about: "treats an unknown label as an empty one",
    answers: about(/^label\//, ({ envelope }) => Array.isArray(envelope.data) && envelope.data.length === 0 && envelope.data.push("")),
  },
  "reads-no-escapes": {
    about: "does not unescape label names",
    asks: (asked) => void (asked.path = asked.path.replace(/^label\/U__/, "label/U___")),
  },
  "tells-no-state": { about: "returns an empty status", answers: about(/^status\/|^metadata$/, ({ envelope }) => (envelope.data = [])) },
  "tells-no-statistics": { about: "returns no statistics", asks: without("stats") },
  "counts-samples-once": {
    about: "counts the samples of one series in one step",
    answers: about(/^query/, ({ envelope }) => {
      const { stats } = envelope.data as { readonly stats?: { readonly samples: Record<string, number> } };
      if (stats !== undefined) stats.samples["totalQueryableSamples"] = 1;
    }),
  },
};
