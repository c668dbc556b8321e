import { Labels } from "../model/index.ts";
import { describeFault, parse, print } from "../promql/index.ts";
import { ALERT_VARIABLES, parseTemplate, type Rule, type RuleGroup, TemplateFault, type TemplatedText } from "../rules/index.ts";
import { isLabelName, type NameScheme } from "../scrape/index.ts";
import { duration, integer, list, map, text, type ValueOf } from "./kinds.ts";
import { type Place, type Problem, Source } from "./source.ts";
import { optional, preset, required, struct } from "./struct.ts";

/** Rule files: Prometheus docs, configuration/recording_rules.md and configuration/alerting_rules.md. */

const RULE = struct({
  record: preset(text, ""),
  alert: preset(text, ""),
  expr: required(text),
  for: preset(duration, 0),
  keep_firing_for: preset(duration, 0),
  labels: preset(map(text), {}),
  annotations: preset(map(text), {}),
});
const GROUP = struct({
  name: required(text),
  interval: optional(duration),
  query_offset: optional(duration),
  limit: preset(integer, 0),
  labels: preset(map(text), {}),
  rules: preset(list(RULE, "rule"), []),
});
const RULES = struct({ groups: preset(list(GROUP, "group"), []) });
type WrittenRule = ValueOf<typeof RULE>;
type WrittenGroup = ValueOf<typeof GROUP>;

/** What a rule file takes from the configuration. Times in milliseconds. */
export type RuleDefaults = {
  readonly evaluationIntervalMs: number;
  readonly queryOffsetMs: number;
  readonly scheme: NameScheme;
};

/** Reads and checks a rule file. The groups are empty if there is any problem: a file is loaded as a whole or not at all. */
export function loadRules(
  written: string,
  file: string,
  defaults: RuleDefaults,
): { readonly groups: readonly RuleGroup[]; readonly problems: readonly Problem[] } {
  const source = new Source(file);
  const root = source.parse(written);
  const read = root === undefined ? undefined : RULES.read(root);
  const seen = new Set<string>();
  const groups = (read?.groups ?? []).map((group) => {
    if (seen.has(group.name)) source.placeOf(group, "name").fail(`there is another group named ${JSON.stringify(group.name)}`);
    seen.add(group.name);
    return groupOf(source, group, defaults);
  });
  const problems = [...source.problems].sort((a, b) => a.line - b.line);
  return { groups: problems.length === 0 ? groups : [], problems };
}

function groupOf(source: Source, group: WrittenGroup, { evaluationIntervalMs, queryOffsetMs, scheme }: RuleDefaults): RuleGroup {
  checkLabels(source.placeOf(group, "labels"), group.labels, scheme);
  return {
    file: source.file,
    name: group.name,
    intervalMs: group.interval || evaluationIntervalMs,
    limit: group.limit,
    queryOffsetMs: group.query_offset ?? queryOffsetMs,
    rules: group.rules.flatMap((rule) => ruleOf(source, rule, { ...group.labels, ...rule.labels }, scheme) ?? []),
  };
}

// oxlint-disable-next-line max-params -- a rule, and what surrounds it
function ruleOf(source: Source, rule: WrittenRule, labels: Readonly<Record<string, string>>, scheme: NameScheme): Rule | undefined {
  const at = (field: keyof WrittenRule): Place => source.placeOf(rule, field);
  const isRecording = rule.record !== "";
  if (isRecording && rule.alert !== "") return at("alert").fail("a rule has either record or alert, not both");
  if (!isRecording && rule.alert === "") return at("record").fail("a rule needs record or alert");
  checkLabels(at("labels"), rule.labels, scheme);
  const expr = parse(rule.expr);
  if (expr.is === "fault") return at("expr").fail(`could not parse expression: ${describeFault(rule.expr, expr)}`);
  const common = { expr, query: print(expr) };
  if (!isRecording) {
    if (!rule.alert.isWellFormed()) at("alert").fail("the name is not well-formed text");
    const alert = rule.alert;
    return {
      is: "alerting",
      name: alert,
      ...common,
      forMs: rule.for,
      keepFiringForMs: rule.keep_firing_for,
      labels: templates(at("labels"), labels, rule.labels),
      annotations: annotationsOf(at("annotations"), rule.annotations, scheme),
    };
  }
  for (const field of ["annotations", "for", "keep_firing_for"] as const)
    if (typeof rule[field] === "number" ? rule[field] !== 0 : Object.keys(rule[field]).length > 0)
      at(field).fail("it is for alerting rules: a recording rule does not use it");
  const fault = nameFault(rule.record, scheme);
  if (fault !== undefined) at("record").fail(fault);
  return { is: "recording", name: rule.record, ...common, labels: Labels.of(labels) };
}

function nameFault(name: string, scheme: NameScheme): string | undefined {
  if (/[{}]/.test(name)) return `${JSON.stringify(name)} has braces: a selector belongs into expr`;
  const isValid = scheme === "legacy" ? /^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name) : name.isWellFormed();
  return isValid ? undefined : `${JSON.stringify(name)} is not a metric name`;
}

function checkLabels(at: Place, labels: Readonly<Record<string, string>>, scheme: NameScheme): void {
  for (const [name, value] of Object.entries(labels)) {
    if (name === "__name__" || !isLabelName(name, scheme))
      entryAt(at, name).fail(`${JSON.stringify(name)} cannot be the name of a label of a rule`);
    if (!value.isWellFormed()) entryAt(at, name).fail("the value is not well-formed text");
  }
}

/** The place of an entry of a map. */
const entryAt = (at: Place, name: string): Place => at.entries()?.find(({ key }) => key === name)?.at ?? at.child(name);

function annotationsOf(at: Place, annotations: Readonly<Record<string, string>>, scheme: NameScheme): TemplatedText[] {
  for (const name of Object.keys(annotations))
    if (!isLabelName(name, scheme)) entryAt(at, name).fail(`${JSON.stringify(name)} cannot be the name of an annotation`);
  return templates(at, annotations, annotations);
}

/** Compiled templates of texts; `own` are those whose faults belong here. */
function templates(at: Place, texts: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>): TemplatedText[] {
  return Object.entries(texts).flatMap(([name, value]) => {
    try {
      return [{ name, text: value, template: parseTemplate(value, ALERT_VARIABLES) }];
    } catch (error) {
      if (!(error instanceof TemplateFault)) throw error;
      const line = error.line > 1 ? ` (line ${error.line} of the template)` : "";
      entryAt(at, name).fail(
        `${own[name] === undefined ? "the label of the group " : ""}the template cannot be parsed: ${error.message}${line}`,
      );
      return [];
    }
  });
}
