import { RE2JS } from "re2js";
import { BadPattern, Labels } from "../model/index.ts";
import { isLabelName, type NameScheme } from "./names.ts";

/** What a rule does (Prometheus docs, configuration/configuration.md, `<relabel_config>`). */
export const RELABEL_ACTIONS = [
  "replace",
  "keep",
  "drop",
  "keepequal",
  "dropequal",
  "hashmod",
  "labelmap",
  "labeldrop",
  "labelkeep",
  "lowercase",
  "uppercase",
] as const;
export type RelabelAction = (typeof RELABEL_ACTIONS)[number];

/** One rule, with the names of the configuration. */
export type RelabelConfig = {
  readonly source_labels: readonly string[];
  readonly separator: string;
  readonly regex: string;
  readonly modulus: bigint;
  readonly target_label: string;
  readonly replacement: string;
  readonly action: RelabelAction;
};

/** The values of fields that a rule leaves out. */
export const DEFAULT_RELABEL: RelabelConfig = {
  source_labels: [],
  separator: ";",
  regex: "(.*)",
  modulus: 0n,
  target_label: "",
  replacement: "$1",
  action: "replace",
};

/** Labels while rules change them. */
type Editable = Map<string, string>;
/** One rule, ready to run: false drops the labels. */
type Rule = (labels: Editable) => boolean;

/** Prepares the MD5 sum of octets: this folder has no crypto. */
export type Md5 = (octets: Uint8Array) => Uint8Array;

/** What one rule did: the labels after it; `keep` is false for the rule that drops the labels. */
export type RelabelStep = { readonly rule: RelabelConfig; readonly output: Labels; readonly keep: boolean };

/** The rules of one list, compiled. */
export class Relabelling {
  readonly #rules: readonly Rule[];
  readonly #configs: readonly RelabelConfig[];

  /** Throws `BadPattern`. */
  constructor(configs: readonly RelabelConfig[], options: { readonly md5: Md5; readonly scheme?: NameScheme }) {
    this.#configs = configs;
    this.#rules = configs.map((config) => compiled(config, { scheme: "utf8", ...options }));
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** The labels after all rules; undefined if a rule drops them. */
  apply(labels: Labels): Labels | undefined {
    if (this.isEmpty) return labels;
    const changed: Editable = new Map(labels);
    return this.change(changed) ? Labels.of(changed) : undefined;
  }

  /** The work of each rule in turn; nothing reaches those after a rule that drops the labels. */
  steps(labels: Labels): readonly RelabelStep[] {
    const changed: Editable = new Map(labels);
    const done: RelabelStep[] = [];
    for (const [at, rule] of this.#rules.entries()) {
      const keep = (done.at(-1)?.keep ?? true) && rule(changed);
      done.push({ rule: this.#configs[at]!, output: keep ? Labels.of(changed) : Labels.NONE, keep });
    }
    return done;
  }

  /** Changes labels in place; false if a rule drops them. A label with an empty value is removed. */
  change(labels: Editable): boolean {
    return this.#rules.every((rule) => rule(labels));
  }
}

const set = (labels: Editable, name: string, value: string): void => void (value === "" ? labels.delete(name) : labels.set(name, value));

type Options = { readonly md5: Md5; readonly scheme: NameScheme };
const encoder = new TextEncoder();

function compiled(config: RelabelConfig, { md5, scheme }: Options): Rule {
  const { action, source_labels: sources, separator, target_label: target } = config;
  const joined = (labels: Editable): string => sources.map((name) => labels.get(name) ?? "").join(separator);
  const pattern = new AnchoredPattern(config.regex);
  const always =
    (change: (labels: Editable) => void): Rule =>
    (labels) => (change(labels), true);
  switch (action) {
    case "keep":
      return (labels) => pattern.matches(joined(labels));
    case "drop":
      return (labels) => !pattern.matches(joined(labels));
    case "keepequal":
      return (labels) => (labels.get(target) ?? "") === joined(labels);
    case "dropequal":
      return (labels) => (labels.get(target) ?? "") !== joined(labels);
    case "lowercase":
      return always((labels) => set(labels, target, mapped(joined(labels), lower)));
    case "uppercase":
      return always((labels) => set(labels, target, mapped(joined(labels), upper)));
    case "hashmod":
      return always((labels) => set(labels, target, String(lastEight(md5(encoder.encode(joined(labels)))) % config.modulus)));
    case "labeldrop":
      return always((labels) => {
        for (const name of labels.keys()) if (pattern.matches(name)) labels.delete(name);
      });
    case "labelkeep":
      return always((labels) => {
        for (const name of labels.keys()) if (!pattern.matches(name)) labels.delete(name);
      });
    case "labelmap":
      return always((labels) => {
        const before = [...labels];
        for (const [name, value] of before) {
          const renamed = pattern.expand(name, config.replacement);
          if (renamed !== undefined && renamed !== "") set(labels, renamed, value);
        }
      });
    case "replace":
      return always((labels) => {
        const value = joined(labels);
        const name = pattern.expand(value, target);
        if (name === undefined || !isLabelName(name, scheme)) return;
        set(labels, name, pattern.expand(value, config.replacement) ?? "");
      });
  }
}

/** Go maps each code point on its own: no letter becomes two, and a final sigma is as any other. */
function mapped(text: string, change: (letter: string) => string): string {
  let result = "";
  for (const letter of text) {
    const changed = change(letter);
    result += [...changed].length === 1 ? changed : letter;
  }
  return result;
}
const lower = (letter: string): string => (letter === "\u0130" ? "i" : letter.toLowerCase());
const upper = (letter: string): string => letter.toUpperCase();

/** The last eight of sixteen octets, as a number. */
const lastEight = (octets: Uint8Array): bigint => new DataView(octets.buffer, octets.byteOffset + 8, 8).getBigUint64(0);

/** The most cached answers of a pattern. */
const MOST_KEPT = 4_096;

/** A regular expression of RE2 for the whole text, in which `.` matches every character. */
class AnchoredPattern {
  readonly #machine: RE2JS;
  readonly #isAny: boolean;
  readonly #matched = new Map<string, boolean>();

  /** Throws `BadPattern`. */
  constructor(source: string) {
    try {
      this.#machine = RE2JS.compile(`^(?s:${source})$`);
    } catch (error) {
      throw new BadPattern(`"${source}" is not a regular expression: ${error instanceof Error ? error.message : String(error)}.`);
    }
    this.#isAny = source === DEFAULT_RELABEL.regex;
  }

  matches(text: string): boolean {
    if (this.#isAny) return true;
    const known = this.#matched.get(text);
    if (known !== undefined) return known;
    const verdict = this.#machine.matches(text);
    if (this.#matched.size < MOST_KEPT) this.#matched.set(text, verdict);
    return verdict;
  }

  /** The template with the groups of a match in it; undefined if the text does not match. */
  expand(text: string, template: string): string | undefined {
    if (this.#isAny && !template.includes("$")) return template;
    if (this.#isAny && template === "$1") return text;
    const matcher = this.#machine.matcher(text);
    if (!matcher.find()) return undefined;
    const names = this.#machine.namedGroups();
    return expanded(template, (name) => {
      const group = /^\d+$/.test(name) ? Number(name) : (names[name] ?? -1);
      return group >= 0 && group <= matcher.groupCount() ? (matcher.group(group) ?? "") : "";
    });
  }
}

/** `$1`, `$name`, `${1}` and `${name}` stand for groups, and `$$` for a dollar; a name is as long as possible. An unfinished one stays as it is. */
function expanded(template: string, group: (name: string) => string): string {
  return template.replaceAll(/\$(?:(\$)|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu, (_, dollar?: string, braced?: string, bare?: string) =>
    dollar === undefined ? group(braced ?? bare ?? "") : "$",
  );
}

/** What is wrong with a rule, by field: the same checks that the published configuration demands. Undefined if nothing is. */
export function relabelFault(
  config: RelabelConfig,
  scheme: NameScheme,
): { readonly field: keyof RelabelConfig; readonly message: string } | undefined {
  const { action, target_label: target } = config;
  const differs = (...fields: (keyof RelabelConfig)[]): keyof RelabelConfig | undefined =>
    fields.find((field) => JSON.stringify(String(config[field])) !== JSON.stringify(String(DEFAULT_RELABEL[field])));
  if (action === "hashmod" && config.modulus === 0n)
    return { field: "modulus", message: "the action hashmod needs a modulus greater than 0" };
  if (NEEDS_TARGET.has(action) && target === "") return { field: "target_label", message: `the action ${action} needs a target_label` };
  const isTemplate = action === "replace" && target.includes("$");
  if (NEEDS_TARGET.has(action) && !(isTemplate ? isTemplateName(target, scheme) : isLabelName(target, scheme)))
    return { field: "target_label", message: `${JSON.stringify(target)} is not a label name` };
  if (action === "labelmap" && !isTemplateName(config.replacement, scheme))
    return { field: "replacement", message: `${JSON.stringify(config.replacement)} does not make label names` };
  if (action === "lowercase" || action === "uppercase") {
    const field = differs("replacement");
    if (field !== undefined) return { field, message: `the action ${action} does not use it` };
  }
  if (action === "keepequal" || action === "dropequal") {
    const field = differs("regex", "modulus", "separator", "replacement");
    if (field !== undefined) return { field, message: `the action ${action} uses only source_labels and target_label` };
  }
  if (action === "labeldrop" || action === "labelkeep") {
    const field = differs("source_labels", "target_label", "modulus", "separator", "replacement");
    if (field !== undefined) return { field, message: `the action ${action} uses only regex` };
  }
  return undefined;
}

const NEEDS_TARGET: ReadonlySet<RelabelAction> = new Set(["replace", "hashmod", "lowercase", "uppercase", "keepequal", "dropequal"]);
const isTemplateName = (text: string, scheme: NameScheme): boolean =>
  scheme === "legacy" ? /^(?:(?:[a-zA-Z_]|\$(?:\{\w+\}|\w+))+\w*)+$/.test(text) : isLabelName(text, scheme);

/** Whether a pattern can be compiled; otherwise why not. */
export function patternFault(source: string): string | undefined {
  try {
    void new AnchoredPattern(source);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
