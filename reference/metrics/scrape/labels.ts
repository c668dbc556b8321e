import { Labels, METRIC_NAME } from "../model/index.ts";
import { isLabelName, type NameScheme } from "./names.ts";
import type { Relabelling } from "./relabel.ts";

/** The limits on labels of a job; 0 is none (Prometheus docs, configuration/configuration.md, `<scrape_config>`). */
export type LabelLimits = {
  readonly label_limit: number;
  readonly label_name_length_limit: number;
  readonly label_value_length_limit: number;
};

/** How the labels of a sample become those of a series. */
export type LabelRules = LabelLimits & {
  /** The labels of the target. */
  readonly target: Labels;
  readonly honor_labels: boolean;
  readonly metric_relabel: Relabelling;
  readonly scheme: NameScheme;
};

/** A rule dropped the sample. */
export const DROPPED = "dropped";

/** The labels of a series from those of a sample; `DROPPED`, or what is wrong with them. */
export function labelsOfSeries(
  sample: Iterable<readonly [string, string]>,
  rules: LabelRules,
): Labels | typeof DROPPED | { readonly fault: string } {
  const labels = new Map(sample);
  attach(labels, rules);
  for (const [name, value] of labels) if (value === "") labels.delete(name);
  if (!rules.metric_relabel.change(labels)) return DROPPED;
  const metric = labels.get(METRIC_NAME) ?? "";
  if (metric === "") return { fault: "a sample has no metric name after relabelling" };
  if (rules.scheme === "legacy" && !/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(metric))
    return { fault: `${JSON.stringify(metric)} is not a name of the older kind` };
  return beyond(labels, rules) ?? Labels.of(labels);
}

/**
 * Adds the labels of the target. Where labels are honoured, an empty one keeps that of the target away, as gateways expect. Elsewhere a label with the
 * name of one of the target is renamed to `exported_…`.
 */
function attach(labels: Map<string, string>, { target, honor_labels }: LabelRules): void {
  if (honor_labels) {
    for (const [name, value] of target) if (!labels.has(name)) labels.set(name, value);
    return;
  }
  const renamed: [string, string][] = [];
  for (const [name, value] of target) {
    const own = labels.get(name);
    if (own !== undefined && own !== "") renamed.push([name, own]);
    labels.set(name, value);
  }
  for (const [name, value] of renamed.sort(([a], [b]) => a.length - b.length)) {
    let other = `exported_${name}`;
    while (labels.has(other)) other = `exported_${other}`;
    labels.set(other, value);
  }
}

const encoder = new TextEncoder();
const octets = (text: string): number => encoder.encode(text).length;

function beyond(labels: ReadonlyMap<string, string>, rules: LabelRules): { readonly fault: string } | undefined {
  const { label_limit: most, label_name_length_limit: name, label_value_length_limit: value } = rules;
  const metric = labels.get(METRIC_NAME) ?? "";
  if (most > 0 && labels.size > most) return { fault: `${metric} has ${labels.size} labels; the label_limit is ${most}` };
  if (name > 0 || value > 0)
    for (const [label, text] of labels) {
      if (name > 0 && octets(label) > name)
        return { fault: `${metric} has a label name of ${octets(label)} octets; the label_name_length_limit is ${name}` };
      if (value > 0 && octets(text) > value)
        return { fault: `${metric} has a value of ${label} of ${octets(text)} octets; the label_value_length_limit is ${value}` };
    }
  if (rules.scheme === "legacy")
    for (const label of labels.keys())
      if (!isLabelName(label, "legacy")) return { fault: `${JSON.stringify(label)} is not a name of the older kind` };
  return undefined;
}
