import { Misuse } from "../../core/index.ts";
import {
  escaped,
  type FamilyToWrite,
  formatValue,
  type SampleToWrite,
  type WriteOptions,
  writtenLabels,
  writtenName,
  writtenSeries,
} from "./families-write.ts";
import { exemplarFault } from "./point.ts";

/** Writes a page of OpenMetrics 1.0 (prometheus-openmetrics#text): one group per family, TYPE, UNIT and HELP first, `# EOF` at the end. */
export function writeOpenMetrics(families: readonly FamilyToWrite[], { escaping = "allow-utf-8" }: WriteOptions = {}): string {
  const lines: string[] = [];
  const written = new Set<string>();
  for (const { name: plain, type, unit = "", help = "", samples } of families) {
    if (written.has(plain)) throw new Misuse(`The metric ${plain} is given twice: put its samples into one family.`);
    written.add(plain);
    const name = writtenName(plain, escaping);
    if (type !== undefined) lines.push(`# TYPE ${name} ${type}`);
    if (unit !== "") {
      if (!plain.endsWith(`_${unit}`)) throw new Misuse(`The name ${plain} does not end with _${unit}: a unit is part of the name.`);
      lines.push(`# UNIT ${name} ${unit}`);
    }
    if (help !== "") lines.push(`# HELP ${name} ${escaped(help)}`);
    for (const sample of samples) lines.push(line(sample, escaping));
  }
  return [...lines, "# EOF\n"].join("\n");
}

function line(sample: SampleToWrite, escaping: NonNullable<WriteOptions["escaping"]>): string {
  const { value, timestamp, exemplar } = sample;
  const text = `${writtenSeries(sample, escaping)} ${formatValue(value)}${seconds(timestamp)}`;
  if (exemplar === undefined) return text;
  if (exemplarFault(exemplar.labels, exemplar.value, undefined) !== undefined)
    throw new Misuse(`The exemplar of ${sample.name} has more than 128 characters in its labels: remove some of them.`);
  return `${text} # {${writtenLabels(exemplar.labels, escaping).join(",")}} ${formatValue(exemplar.value)}${seconds(exemplar.timestamp)}`;
}

/** Milliseconds as seconds, without an exponent: `1604676851.123`. */
function seconds(timestamp: number | undefined): string {
  if (timestamp === undefined) return "";
  if (!Number.isFinite(timestamp)) throw new Misuse("A timestamp is a finite number of milliseconds.");
  const whole = Math.trunc(timestamp);
  const digits = String(BigInt(Math.abs(whole))).padStart(4, "0");
  const text = `${timestamp < 0 ? "-" : ""}${digits.slice(0, -3)}.${digits.slice(-3)}`;
  return ` ${text.replace(/\.?0+$/, (zeros) => (zeros.startsWith(".") ? "" : zeros.replaceAll("0", "")))}`;
}
