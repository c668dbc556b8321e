import { Misuse } from "../../core/index.ts";
import { canonical, general } from "../model/index.ts";
import { escapeName, type EscapingScheme, isPlainName } from "./escaping.ts";

/** A sample to write; its name includes the suffix of its type. */
export type SampleToWrite = {
  readonly name: string;
  readonly labels?: readonly (readonly [name: string, value: string])[];
  readonly value: number;
  /** Milliseconds since 1970. */
  readonly timestamp?: number;
  /** OpenMetrics only. */
  readonly exemplar?: { readonly labels: readonly (readonly [string, string])[]; readonly value: number; readonly timestamp?: number };
};
/** A metric with all its samples. Without a type it is written as unknown. */
export type FamilyToWrite = {
  readonly name: string;
  readonly type?: "counter" | "gauge" | "histogram" | "gaugehistogram" | "stateset" | "info" | "summary" | "unknown";
  readonly help?: string;
  readonly unit?: string;
  readonly samples: readonly SampleToWrite[];
};
/** How to write names that are not plain; `allow-utf-8`, quoted, by default. */
export type WriteOptions = { readonly escaping?: EscapingScheme };

/** A number in its shortest form: exact integers as digits, others like `formatBound` without `.0`. */
export function formatValue(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return Object.is(value, -0) ? "-0" : String(value);
  return general(value);
}

/** A bound or a quantile. */
export const formatBound = canonical;

/** Escapes a label value, a quoted name or a help text of OpenMetrics. */
export const escaped = (text: string): string =>
  text.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
/** Escapes a help text of the text format, where quotes need no escape. */
export const escapedHelp = (text: string): string => text.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

/** The name in a line of metadata. */
export function writtenName(name: string, scheme: EscapingScheme): string {
  if (name === "") throw new Misuse("A metric needs a name: give one with at least one character.");
  const other = escapeName(name, scheme);
  return isPlainName(other, "metric") ? other : `"${escaped(other)}"`;
}

/** Name and labels; a name that is not plain is quoted within the braces. */
export function writtenSeries({ name, labels = [] }: SampleToWrite, scheme: EscapingScheme): string {
  const written = writtenName(name, scheme);
  const isQuoted = written.startsWith('"');
  const parts = [...(isQuoted ? [written] : []), ...writtenLabels(labels, scheme)];
  return parts.length === 0 ? written : `${isQuoted ? "" : written}{${parts.join(",")}}`;
}

/** Each label as `name="value"`, in the given order. Throws `Misuse` for a name that is empty, `__name__`, or equal to another after escaping. */
export function writtenLabels(labels: readonly (readonly [string, string])[], scheme: EscapingScheme): string[] {
  const seen = new Set<string>();
  return labels.map(([name, value]) => {
    const other = escapeName(name, scheme, "label");
    if (other === "" || other === "__name__") throw new Misuse(`A label cannot be called "${name}": give it another name.`);
    if (seen.has(other)) throw new Misuse(`The label ${other} is given twice, as names are escaped here: rename one of them.`);
    seen.add(other);
    return `${isPlainName(other, "label") ? other : `"${escaped(other)}"`}="${escaped(value)}"`;
  });
}
