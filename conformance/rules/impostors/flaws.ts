import type { Group, Rule } from "../vocabulary.ts";

/** Servers that are wrong on purpose: our own with a flaw in its rule files, or in what it shows. */

/** A part of an answer of the API. */
export type Json = Readonly<Record<string, unknown>>;
/** A request to the server, and whether features are still probed. */
export type Ask = { readonly url: URL; readonly isProbe: boolean };

export type Flaw = {
  readonly about: string;
  readonly group?: (group: Group) => readonly Group[];
  readonly rule?: (rule: Rule) => Rule;
  /** Changes the address of a request. */
  readonly ask?: (ask: Ask) => void;
  /** Changes the groups of /rules, each of their rules, the alerts of /alerts (given all rules), and the series of queries. */
  readonly groups?: (groups: readonly Json[], ask: Ask) => readonly Json[];
  readonly rules?: (rule: Json, ask: Ask) => Json;
  readonly alerts?: (alerts: readonly Json[], rules: readonly Json[]) => readonly Json[];
  readonly series?: (series: readonly Json[], ask: Ask) => readonly Json[];
  /** Changes `data` of /rules. */
  readonly data?: (data: Json, ask: Ask) => Json;
  /** Begins without data after a restart. */
  readonly forgets?: true;
  readonly isSilent?: true;
};

/** A group or a rule without some settings. */
const without = <T extends object>(one: T, ...names: readonly (keyof T)[]): T =>
  Object.fromEntries(Object.entries(one).filter(([name]) => !names.some((other) => other === name))) as T;
const isFiltered = ({ url, isProbe }: Ask): boolean => !isProbe && url.pathname.endsWith("/rules") && url.search !== "";
const isRange = ({ url }: Ask): boolean => url.searchParams.get("query")?.endsWith("]") === true;
/** The question for what a query shows in the end. */
const isLast = ({ url }: Ask): boolean => /^\{case="[^"]*"\}$/.test(url.searchParams.get("query") ?? "");
const seconds = (text: string | undefined): number =>
  text === undefined
    ? 0
    : Number.parseFloat(text) * (text.endsWith("ms") ? 0.001 : text.endsWith("m") ? 60 : text.endsWith("h") ? 3_600 : 1);
const metricOf = (series: Json): Readonly<Record<string, string>> => series["metric"] as Readonly<Record<string, string>>;
type Values = readonly (readonly [number, string])[];
const rulesIn = (group: Json): readonly Json[] => group["rules"] as readonly Json[];
const withRules = (group: Json, rules: readonly Json[]): Json => ({ ...group, rules });
const changedTexts = (texts: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts ?? {}).map(([name, text]) => [name, name === "case" ? text : `not ${text}`]));
const twoStates = (one: Json): readonly Json[] =>
  metricOf(one)["__name__"] === "ALERTS"
    ? ["pending", "firing"].map((alertstate) => ({ ...one, metric: { ...metricOf(one), alertstate } }))
    : [one];

export const FLAWS: Readonly<Record<string, Flaw>> = {
  blank: {
    about: "shows rules without what is said of them",
    groups: (all) => all.map((group) => ({ ...group, interval: 1, limit: 1, rules: rulesIn(group).toReversed() })),
    rules: (rule) => ({
      ...rule,
      type: "rule",
      query: 1,
      duration: "long",
      labels: {},
      annotations: {},
      lastError: "",
      health: rule["health"] === "ok" ? "fine" : rule["health"],
      alerts: [],
      evaluationTime: "short",
    }),
  },
  ghosts: {
    about: "shows alerts of every rule, with the wrong values",
    alerts: (all, rules) => [
      ...all.map((one) => ({
        ...one,
        state: "suppressed",
        value: 1,
        activeAt: "2200-01-01T00:00:00Z",
        labels: { ...(one["labels"] as Json), name: "ghost" },
      })),
      ...rules
        .filter((rule) => rule["type"] === "alerting")
        .map((rule) => ({
          labels: { alertname: rule["name"], case: (rule["labels"] as Json)["case"] },
          annotations: {},
          state: "resolved",
          activeAt: "2200-01-01T00:00:00Z",
          value: 1,
        })),
    ],
  },
  unfiltered: {
    about: "ignores filters",
    ask: (ask) => {
      if (isFiltered(ask)) ask.url.search = "";
    },
  },
  empty: { about: "shows nothing where there are filters", groups: (all, ask) => (isFiltered(ask) ? [] : all) },
  emptied: {
    about: "shows groups without rules",
    ask: (ask) => {
      if (isFiltered(ask)) ask.url.searchParams.delete("rule_name[]");
    },
    groups: (all, ask) => (isFiltered(ask) ? all.map((group) => withRules(group, [])) : all),
  },
  paging: {
    about: "has no token, or one too many",
    data: (data, ask) =>
      isFiltered(ask) ? { ...data, groupNextToken: ask.url.searchParams.get("group_limit") === "1" ? "" : "more" } : data,
  },
  forgetful: { about: "forgets everything when it is ended", forgets: true },
  values: {
    about: "shows other values, labels and series than it stored",
    series: (all, ask) =>
      isRange(ask)
        ? [
            ...all.map((one) => ({
              ...one,
              metric: { ...metricOf(one), name: "invented", summary: "x", alertstate: "none" },
              values: (one["values"] as Values).map(([time, value]) => [time, `${value}1`] as const),
            })),
            { metric: { __name__: "out", invented: "x" }, values: [[1, "1"]] },
          ]
        : all,
  },
  times: {
    about: "shows other times than it stored",
    series: (all, ask) =>
      isRange(ask)
        ? all.map((one, at) => ({
            ...one,
            values: (one["values"] as Values).map(([time, value], nth) => [time + ((at * 7 + nth * 13) % 10) / 97, value] as const),
          }))
        : all,
  },
  "two-states": { about: "shows alerts in two states at once", series: (all, ask) => (isRange(ask) ? all.flatMap(twoStates) : all) },
  early: {
    about: "shows times long before",
    series: (all, ask) =>
      isRange(ask)
        ? all.map((one) => ({
            ...one,
            values: (one["values"] as Values).map(
              ([time, value]) => [time, metricOf(one)["__name__"] === "ALERTS_FOR_STATE" ? "5" : value] as const,
            ),
          }))
        : all,
  },
  undying: {
    about: "shows series that have ended",
    ask: ({ url }) => {
      const query = url.searchParams.get("query") ?? "";
      if (query.startsWith("{case")) url.searchParams.set("query", query.endsWith("]") ? query : `last_over_time(${query}[1h])`);
    },
  },
  mortal: { about: "shows nothing in the end", series: (all, ask) => (isLast(ask) ? [] : all) },
  texts: {
    about: "changes labels and annotations of rules, and drops those of groups",
    group: (group) => [without(group, "labels")],
    rule: (rule) => ({
      ...rule,
      labels: changedTexts(rule.labels),
      ...(rule.annotations !== undefined && { annotations: changedTexts(rule.annotations) }),
    }),
  },
  reversed: { about: "evaluates the last rule first", group: (group) => [{ ...group, rules: group.rules.toReversed() }] },
  scattered: {
    about: "evaluates every rule by itself",
    group: ({ name, rules, ...group }) => rules.map((rule, at) => ({ ...group, name: `${name} ${at}`, rules: [rule] })),
  },
  patient: {
    about: "has too much patience, and lower limits",
    group: ({ limit, ...group }) => [{ ...group, limit: Math.max(1, (limit ?? 0) - 1), ...(limit === undefined && { limit: 0 }) }],
    rule: (rule) =>
      rule.alert === undefined
        ? rule
        : {
            ...rule,
            for: `${Math.round(seconds(rule.for) * 2_000) + 700}ms`,
            ...(rule.keep_firing_for !== undefined && { keep_firing_for: `${seconds(rule.keep_firing_for) * 3}s` }),
          },
  },
  hasty: {
    about: "has no patience: no durations, no limits, no offsets, and intervals of its own",
    group: (group) => [
      { ...without(group, "limit", "query_offset"), interval: `${Math.round(seconds(group.interval ?? "250ms") * 600)}ms` },
    ],
    rule: (rule) => without(rule, "for", "keep_firing_for"),
  },
  "first-group": {
    about: "knows only the first file and the first group of a name",
    group: (group) => [{ ...group, rules: group.rules.map((rule) => (rule.record === "other" ? { ...rule, record: "another" } : rule)) }],
  },
  misfiled: { about: "shows groups of another file", groups: (all) => all.map((group) => ({ ...group, file: "elsewhere" })) },
  silent: { about: "does nothing", isSilent: true },
};
