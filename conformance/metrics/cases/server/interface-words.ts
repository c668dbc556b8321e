import { BEGIN } from "../../data/data-set.ts";
import { AT } from "./question.ts";
import type { OneSight, Pair, ServerCase, Sight, Step, Template } from "../../vocabulary.ts";

/** Helpers for the cases about the query API. */

export const NOW = String(BEGIN + AT);
type Params = Readonly<Record<string, string | readonly string[]>>;

const pairs = (params: Params): Pair[] =>
  Object.entries(params).flatMap(([name, value]): Pair[] =>
    typeof value === "string" ? [[name, value]] : value.map((one): Pair => [name, one]),
  );
export const ask = (path: string, params: Params = {}, more: Partial<Step> = {}): Step => ({
  do: "ask",
  path,
  params: pairs(params),
  ...more,
});
export const query = (expr: string, more: Params = {}): Step => ask("query", { query: expr, time: NOW, ...more });
export const range = (expr: string, more: Params = {}): Step =>
  ask("query_range", { query: expr, start: String(BEGIN + 3_011), end: String(BEGIN + 3_611), step: "300", ...more });
/** A step without some of its parameters. */
export const without = (step: Step, ...names: readonly string[]): Step => ({
  ...step,
  params: (step.params ?? []).filter(([name]) => !names.includes(name)),
});

export const PLAIN = query("vector(1)");
export const data = (template: Template, more: Partial<Extract<OneSight, { see: "data" }>> = {}): OneSight => ({
  see: "data",
  data: template,
  ...more,
});
export const refused = (status: number | readonly number[], ...type: readonly string[]): OneSight => ({
  see: "refused",
  status: typeof status === "number" ? [status] : status,
  ...(type.length === 0 ? {} : { type }),
});

/** A case about the interface. Its control is a plain query unless it names another. */
export type InterfaceCase = {
  /** The id without its beginning. */
  readonly words: string;
  readonly title: string;
  readonly ask: Step;
  readonly control?: Step;
  readonly see: Sight;
  readonly covers?: ServerCase["covers"];
  readonly level?: ServerCase["level"];
  readonly needs?: readonly string[];
};

/** Makes cases about one entry of `conformance/requirements/prometheus-api.json`. */
export const about =
  (rule: `${string}/${string}`) =>
  ({
    words,
    title,
    ask: step,
    control = PLAIN,
    see,
    covers = [`prometheus-api#${rule}`],
    level = "MUST",
    needs,
  }: InterfaceCase): ServerCase => ({
    id: `metrics/api-${words}`,
    spec: `prometheus-api#${rule.split("/")[0] ?? ""}`,
    covers,
    level,
    role: "server",
    title,
    ...(needs === undefined ? {} : { needs }),
    steps: [step],
    control: [control],
    allowed: [{ see }],
  });
