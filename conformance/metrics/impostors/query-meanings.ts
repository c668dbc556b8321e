import { membersOf } from "../../harness/shapes.ts";
import type { MetricsFlaw, Reply } from "./query-flaw.ts";
import { type Binary, calls, orElse, rewrite } from "./query-rewrite.ts";

/** Flaws in the meaning of expressions. */

const COMPARISON = /^(?:[=!]=|[<>]=?)$/;
const UNKNOWN = "no_such_metric";
const binaries = (change: (part: Binary, whole: string, left: string, right: string) => string | undefined) =>
  rewrite((part, textOf) => (part.is === "binary" ? change(part, textOf(part), textOf(part.left), textOf(part.right)) : undefined));
/** The length of a fixed range in seconds. */
const secondsOf = (range: { readonly is: string; readonly ms?: number }): number | undefined =>
  range.is === "fixed" && range.ms !== undefined ? range.ms / 1_000 : undefined;
/** The seconds between samples of most series. */
const INTERVAL = 15;
/** Evaluates counters with resets as gauges, and all others correctly. */
const ignoringResets = calls(/^(?:rate|increase|irate|resets)$/, ([over = ""], whole, { name, args: [ranged] }) => {
  if (ranged?.is !== "matrixSelector" && ranged?.is !== "subquery") return undefined;
  const seconds = name === "increase" ? 1 : secondsOf(ranged.range);
  if (name === "resets") return `${whole} * 0`;
  if (seconds === undefined) return undefined;
  return name === "irate"
    ? `(idelta(${over}) < 0) / ${INTERVAL} or ${whole}`
    : `(delta(${over}) / ${seconds} and resets(${over}) > 0) or ${whole}`;
});
const nullForNothing = ({ envelope }: Reply): void => {
  const data = membersOf(envelope.data);
  if (Array.isArray(data["result"]) && data["result"].length === 0) envelope.data = { ...data, result: null };
};

export const METRICS_MEANING_FLAWS: Readonly<Record<string, MetricsFlaw>> = {
  "ignores-resets": { about: "ignores counter resets", expression: ignoringResets },
  "zero-over-nothing": {
    about: "returns a value for a range without samples",
    expression: calls(/_over_time$|^resets$|^changes$/, (_args, whole, { name }) =>
      name.startsWith("absent") ? undefined : orElse(whole, "vector(0)"),
    ),
  },
  "absence-of-what-is-there": {
    about: "returns 0 if the series is present",
    expression: calls(/^absent/, (_args, whole) => orElse(whole, "vector(0)")),
  },
  "clamps-to-either-bound": {
    about: "clamps to the other bound if they cross",
    expression: calls(/^clamp$/, ([vector, least, most]) => `clamp_max(clamp_min(${vector}, ${least}), ${most})`),
  },
  "quantiles-without-buckets": {
    about: "returns a quantile without buckets",
    expression: calls(
      /^histogram_quantile$/,
      ([, vector], whole) => `${whole} or NaN * (${vector} and on (le) vector(1)) or (vector(NaN) unless on () ${vector})`,
    ),
  },
  "comparisons-are-numbers": {
    about: "returns 0 and 1 instead of filtering",
    expression: binaries(({ op, bool, matching }, _whole, left, right) => {
      if (!COMPARISON.test(op) || bool || (matching !== undefined && matching.card !== "one-to-one")) return undefined;
      const by = matching === undefined ? "" : `${matching.on ? "on" : "ignoring"} (${matching.labels.join(", ")})`;
      return `${left} ${op} bool ${by} ${right}`;
    }),
  },
  "comparisons-keep-all": {
    about: "filters nothing",
    expression: binaries(({ op, bool, left: { is } }, _whole, left) =>
      COMPARISON.test(op) && !bool && is !== "number" ? left : undefined,
    ),
  },
  "keeps-those-without-a-partner": {
    about: "keeps elements without a match",
    expression: binaries(({ op, matching }, whole, left, right) =>
      matching !== undefined && !/^(?:and|or|unless)$/.test(op) ? `${whole} or ${left} or ${right}` : undefined,
    ),
  },
  "knows-every-name": {
    about: "returns zero for an unknown name",
    expression: rewrite((part) => {
      if (part.is === "vectorSelector" && part.name === UNKNOWN) return "vector(0)";
      return part.is === "matrixSelector" && part.selector.name === UNKNOWN ? "vector(0)[5m:1m]" : undefined;
    }),
  },
  "no-infos": { about: "returns no infos", answers: ({ envelope }) => void delete envelope.infos },
  "null-for-nothing": { about: "returns null instead of an empty list", answers: nullForNothing },
};
