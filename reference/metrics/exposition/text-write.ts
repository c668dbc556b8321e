import { Misuse } from "../../core/index.ts";
import { escapedHelp, type FamilyToWrite, formatValue, type WriteOptions, writtenName, writtenSeries } from "./families-write.ts";

/** Types that the text format has; any other is untyped there, and an info or a stateset a gauge. */
const TYPES: Readonly<Record<NonNullable<FamilyToWrite["type"]>, string>> = {
  counter: "counter",
  gauge: "gauge",
  histogram: "histogram",
  summary: "summary",
  unknown: "untyped",
  gaugehistogram: "untyped",
  stateset: "gauge",
  info: "gauge",
};
/** Of which the samples carry a suffix, and are metrics of their own in the text format. */
const SUFFIX: Readonly<Record<string, string>> = { counter: "_total", info: "_info" };

/**
 * A page in the text format 0.0.4 (prometheus-exposition#text): a group a family, its metadata first. What only OpenMetrics has is left out: exemplars,
 * units, `_created` samples, which would be metrics of their own.
 */
export function writeText(families: readonly FamilyToWrite[], { escaping = "allow-utf-8" }: WriteOptions = {}): string {
  const lines: string[] = [];
  const written = new Set<string>();
  for (const family of families) {
    if (written.has(family.name)) throw new Misuse(`The metric ${family.name} is given twice: put its samples into one family.`);
    written.add(family.name);
    const { type = "unknown", help = "" } = family;
    const suffix = SUFFIX[type] ?? "";
    // What was read as text has the suffix in the metric's name, or has none.
    const isBare = family.name.endsWith(suffix) || family.samples.some(({ name }) => name === family.name);
    const name = writtenName(isBare ? family.name : family.name + suffix, escaping);
    if (help !== "") lines.push(`# HELP ${name} ${escapedHelp(help, false)}`);
    lines.push(`# TYPE ${name} ${TYPES[type]}`);
    for (const sample of family.samples) {
      if (sample.name === `${family.name}_created` && type !== "gauge" && type !== "unknown") continue;
      const time = sample.timestamp === undefined ? "" : ` ${Math.trunc(sample.timestamp)}`;
      lines.push(`${writtenSeries(sample, escaping)} ${formatValue(sample.value)}${time}`);
    }
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
