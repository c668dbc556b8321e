import type { Result } from "../conformance/harness/result.ts";
import { cleaned, cut, oneLine } from "./clean.ts";
import {
  bySection,
  differenceOf,
  type Finding,
  findings,
  partialWords,
  sectionName,
  subjectName,
  suiteName,
  summaryWords,
  troubles,
} from "./order.ts";

/** GitHub shows ten annotations of each kind per step; the last one counts the rest. */
const SHOWN = 10;

/** Workflow commands for GitHub Actions: an `::error` for each failure, a `::warning` for each warning, and a `::notice` with the counts. */
export function toGithub(dirty: readonly Result[]): string {
  const results = cleaned(dirty);
  const errors = results.flatMap((result) => [
    ...(result.partial === undefined ? [] : [command("error", `${suiteName(result)}: partial`, `${partialWords(result)}.`)]),
    ...findings(troubles(result.cases)).map((finding) => annotation("error", result, finding)),
    ...(result.stale ?? []).map((entry) =>
      command("error", `${suiteName(result)}: stale baseline entry`, `There is no case "${entry}": remove the entry.`),
    ),
  ]);
  const warnings = results.flatMap((result) =>
    findings(bySection(result.cases.filter((c) => c.verdict === "warn" && c.baseline === undefined))).map((finding) =>
      annotation("warning", result, finding),
    ),
  );
  const unproved = results.flatMap((result) => {
    const [first, ...more] = bySection(result.cases.filter((c) => c.verdict === "unproved" && c.baseline === undefined));
    if (first === undefined) return [];
    const text = `${more.length + 1} unproved, for example ${first.id}: ${first.reason}`;
    return [command("notice", `${suiteName(result)}: ${subjectName(result)}: unproved`, cut(text, 2000))];
  });
  const notices = results.map((result) =>
    command("notice", `${suiteName(result)}: ${subjectName(result)}`, `${summaryWords(result.summary)}.`),
  );
  return [...shown("error", errors), ...shown("warning", warnings), ...unproved, ...notices].map((line) => `${line}\n`).join("");
}

type Severity = "error" | "warning" | "notice";

function shown(severity: Severity, lines: readonly string[]): readonly string[] {
  if (lines.length <= SHOWN) return lines;
  const rest = lines.length - SHOWN + 1;
  return [...lines.slice(0, SHOWN - 1), command(severity, "and more", `${rest} more are in the report.`)];
}

function annotation(severity: Severity, result: Result, [c, ...more]: Finding): string {
  const text = [
    `${sectionName(c.spec)}, ${c.level}: ${c.title}`,
    `Expected: ${c.expected.join(", or ")}`,
    `Observed: ${c.observed}`,
    differenceOf(c),
    ...(more.length === 0 ? [] : [`The same in ${more.length} more: ${more.map(({ id }) => id).join(", ")}`]),
    `Again: touchstone check ${result.suite} … --only ${c.id} --trace`,
  ].join("\n");
  return command(severity, `${subjectName(result)}: ${c.id}`, cut(text, 2000));
}

/** The value of a command ends at the end of the line; a property also ends at a comma or a colon. */
const escapeData = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string): string => escapeData(oneLine(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
const command = (severity: Severity, title: string, message: string): string =>
  `::${severity} title=${escapeProperty(title)}::${escapeData(message)}`;
