import { Misuse } from "../../core/index.ts";
import { escapedHelp, type FamilyToWrite, formatValue, type WriteOptions, writtenName, writtenSeries } from "./families-write.ts";

/** The types in the text format: info and stateset become gauges, other types that it lacks become untyped. */
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
/** Types whose samples have a suffix; in the text format the suffix is part of the metric name. */
const SUFFIX: Readonly<Record<string, string>> = { counter: "_total", info: "_info" };

/**
 * Writes a page in the text format 0.0.4 (prometheus-exposition#text): one group per family, metadata first. Omits exemplars, units and `_created`
 * samples, which only OpenMetrics has.
 */
export function writeText(families: readonly FamilyToWrite[], { escaping = "allow-utf-8" }: WriteOptions = {}): string {
  const lines: string[] = [];
  const written = new Set<string>();
  for (const family of families) {
    if (written.has(family.name)) throw new Misuse(`The metric ${family.name} is given twice: put its samples into one family.`);
    written.add(family.name);
    const { type = "unknown", help = "" } = family;
    const suffix = SUFFIX[type] ?? "";
    // Families read from text have the suffix in their name, or none at all.
    const isBare = family.name.endsWith(suffix) || family.samples.some(({ name }) => name === family.name);
    const name = writtenName(isBare ? family.name : family.name + suffix, escaping);
    if (help !== "") lines.push(`# HELP ${name} ${escapedHelp(help)}`);
    lines.push(`# TYPE ${name} ${TYPES[type]}`);
    for (const sample of family.samples) {
      if (sample.name === `${family.name}_created` && type !== "gauge" && type !== "unknown") continue;
      const time = sample.timestamp === undefined ? "" : ` ${Math.trunc(sample.timestamp)}`;
      lines.push(`${writtenSeries(sample, escaping)} ${formatValue(sample.value)}${time}`);
    }
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
