import type { CaseResult, Result } from "../conformance/harness/result.ts";
import { cleaned, oneLine } from "./clean.ts";
import { baselineWords, bySection, differenceOf, isExcused, partialWords, sectionName, subjectName, suiteName } from "./order.ts";

/**
 * The Test Anything Protocol, version 14 (testanything.org): one test point for each case, with a YAML block where it did not pass. A known failure has the
 * directive that consumers do not count as a failure; a skip and an unproved case are a SKIP.
 */
export function toTap(dirty: readonly Result[]): string {
  const results = cleaned(dirty);
  const points = results.flatMap((result) => [
    ...bySection(result.cases).map((c) => point(result, c)),
    ...(result.stale ?? []).map((entry): Point => ({
      ok: false,
      name: `${result.suite}: the baseline entry ${entry}`,
      block: { message: "No case has this id: remove the entry." },
    })),
  ]);
  const cut = results.flatMap((result) => partialWords(result) ?? []);
  return `${[
    "TAP version 14",
    ...results.map((result) => `# ${escaped(`${suiteName(result)}: ${subjectName(result)}`)}`),
    `1..${points.length}`,
    ...points.flatMap((one, at) => lines(one, at + 1)),
    // A run that was cut proves nothing about the rest.
    ...cut.map((words) => `Bail out! ${escaped(words)}`),
  ].join("\n")}\n`;
}

type Point = {
  readonly ok: boolean;
  readonly name: string;
  readonly directive?: string;
  readonly block?: Readonly<Record<string, string>>;
};

function point(result: Result, c: CaseResult): Point {
  const name = `${result.suite} ${result.subject.role} ${c.id}`;
  const block = { message: c.reason, severity: c.verdict, section: sectionName(c.spec), level: c.level, observed: c.observed };
  if (isExcused(c)) return { ok: false, name, directive: `TODO ${baselineWords(c)}: ${differenceOf(c)}`, block };
  if (c.verdict === "skip" || c.verdict === "unproved") return { ok: true, name, directive: `SKIP ${c.reason}` };
  const ok = (c.verdict === "pass" || c.verdict === "warn") && (c.baseline === undefined || c.baseline === "unexpected");
  return { ok, name, ...(ok && c.verdict === "pass" ? {} : { block }) };
}

function lines({ ok, name, directive, block }: Point, number: number): string[] {
  const line = `${ok ? "ok" : "not ok"} ${number} - ${escaped(name)}${directive === undefined ? "" : ` # ${escaped(directive)}`}`;
  if (block === undefined) return [line];
  // A JSON string is a YAML string.
  return [line, "  ---", ...Object.entries(block).map(([key, value]) => `  ${key}: ${JSON.stringify(oneLine(value))}`), "  ..."];
}

/** A description ends at "#": both it and the backslash are escaped. */
const escaped = (text: string): string => oneLine(text).replaceAll("\\", "\\\\").replaceAll("#", "\\#");
