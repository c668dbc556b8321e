import { Misuse } from "../../core/index.ts";
import { escapeName, type EscapingScheme, isPlainName } from "./escaping.ts";

/** A sample of a family that is to be written; the name has the suffix that its type asks for. */
export type SampleToWrite = {
  readonly name: string;
  readonly labels?: readonly (readonly [name: string, value: string])[];
  readonly value: number;
  /** Milliseconds since 1970. */
  readonly timestamp?: number;
  /** OpenMetrics only. */
  readonly exemplar?: { readonly labels: readonly (readonly [string, string])[]; readonly value: number; readonly timestamp?: number };
};
/** A metric with all its samples, which stand together on the page; without a type it is written as one that is not known. */
export type FamilyToWrite = {
  readonly name: string;
  readonly type?: "counter" | "gauge" | "histogram" | "gaugehistogram" | "stateset" | "info" | "summary" | "unknown";
  readonly help?: string;
  readonly unit?: string;
  readonly samples: readonly SampleToWrite[];
};
/** How names are written that are no plain names; `allow-utf-8`, quoted, by default. */
export type WriteOptions = { readonly escaping?: EscapingScheme };

/** A number in its shortest form: integers as digits as long as they are exact, others as `formatBound` has them without `.0`. */
export function formatValue(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return Object.is(value, -0) ? "-0" : String(value);
  return general(value);
}

/** A bucket's bound or a quantile as everybody writes it, so that it is the same label everywhere (prometheus-openmetrics#text.canonical-numbers). */
export function formatBound(value: number): string {
  const text = general(value);
  return /[.eIN]/.test(text) ? text : `${text}.0`;
}

/** The fewest digits that bring the number back; with an exponent of two digits below 0.0001 and from a million on. */
function general(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

const escaped = (text: string): string => text.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
/** As a help text has it: in the text format a quote stands for itself. */
export const escapedHelp = (text: string, withQuotes: boolean): string =>
  withQuotes ? escaped(text) : text.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

/** A name in front of a type or a help text. */
export function writtenName(name: string, scheme: EscapingScheme): string {
  if (name === "") throw new Misuse("A metric needs a name: give one with at least one character.");
  const other = escapeName(name, scheme);
  return isPlainName(other, "metric") ? other : `"${escaped(other)}"`;
}

/** Name and labels; a name that is no plain one stands quoted within the braces. */
export function writtenSeries({ name, labels = [] }: SampleToWrite, scheme: EscapingScheme): string {
  const written = writtenName(name, scheme);
  const isQuoted = written.startsWith('"');
  const parts = [...(isQuoted ? [written] : []), ...writtenLabels(labels, scheme)];
  return parts.length === 0 ? written : `${isQuoted ? "" : written}{${parts.join(",")}}`;
}

/** Each label as `name="value"`, in the order given. `Misuse` for a name that is empty, `__name__`, or the same as another once it is escaped. */
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
