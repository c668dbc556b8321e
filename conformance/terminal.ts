import { styleText } from "node:util";
import Table from "cli-table3";
import { near } from "./harness/select.ts";
import type { CaseResult, Result, Verdict } from "./harness/result.ts";

export { near };

const STYLE = { pass: "green", warn: "yellow", fail: "red", skip: "dim", error: "magenta" } as const;
export const VERDICTS = ["pass", "warn", "fail", "skip", "error"] as const satisfies readonly Verdict[];
/** Warnings and skips beyond these are counted, not listed. */
const LISTED = 12;
/** Longer titles of sections are cut, so that the table fits a window of usual width. */
const WIDE = 36;

/** `RFC 9113 §6.9` of `rfc9113#6.9.1/…`: document and the first two numbers. */
export function sectionOf(spec: string): string {
  const [document = "", path = ""] = spec.split("#");
  const section = (path.split("/")[0] ?? "").split(".").slice(0, 2).join(".");
  return `${document.replace(/^rfc/, "RFC ")} §${section}`;
}

const paint = (verdict: Verdict, text: string): string => styleText(STYLE[verdict], text);
const bySection = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

/** Verdicts by section, as a table. */
export function sectionTable(results: readonly Result[]): string {
  const counts = new Map<string, Record<Verdict, number>>();
  for (const c of results.flatMap((result) => result.cases)) {
    const section = sectionOf(c.spec);
    const row = counts.get(section) ?? { pass: 0, warn: 0, fail: 0, skip: 0, error: 0 };
    row[c.verdict] += 1;
    counts.set(section, row);
  }
  const table = new Table({
    head: ["section", ...VERDICTS],
    colAligns: ["left", "right", "right", "right", "right", "right"],
    style: { head: [], border: [], compact: true },
  });
  const cell = (verdict: Verdict, count: number): string => (count === 0 ? "" : paint(verdict, String(count)));
  const names = Object.assign({}, ...results.map((result) => result.titles ?? {})) as Record<string, string>;
  for (const [section, row] of [...counts].sort(([a], [b]) => bySection(a, b))) {
    const [, document = "", number = ""] = /^(\S.*) §(.*)$/.exec(section) ?? [];
    const name = names[`${document.replace(/^RFC /, "rfc")}#${number}`];
    table.push([
      name === undefined ? section : `${section}  ${name.length > WIDE ? `${name.slice(0, WIDE - 1)}…` : name}`,
      ...VERDICTS.map((verdict) => cell(verdict, row[verdict])),
    ]);
  }
  const total = (verdict: Verdict): number => results.reduce((sum, { summary }) => sum + summary[verdict], 0);
  table.push([styleText("bold", "all"), ...VERDICTS.map((verdict) => cell(verdict, total(verdict)))]);
  return table.toString();
}

function caseText(c: CaseResult, again: string): string {
  const known =
    c.baseline === "expected" ? " (known, by the baseline)" : c.baseline === "unexpected-pass" ? " (the baseline expects it to fail)" : "";
  return [
    `${paint(c.verdict, c.verdict.toUpperCase())}  ${styleText("bold", c.id)}  ${sectionOf(c.spec)}, ${c.level}${known}`,
    `      ${c.title}`,
    `      expected  ${c.expected.join("\n            or  ")}`,
    `      observed  ${c.observed}`,
    `      ${c.reason}`,
    `      look closer: ${again} --only ${c.id} --trace`,
    "",
  ].join("\n");
}

/** One line each, up to a bound. */
function short(title: string, cases: readonly CaseResult[]): string {
  if (cases.length === 0) return "";
  const lines = cases.slice(0, LISTED).map((c) => `  ${paint(c.verdict, c.verdict)}  ${c.id}  ${c.reason}`);
  const more = cases.length > LISTED ? [`  … and ${cases.length - LISTED} more: --json, --html or --markdown has all of them`] : [];
  return [title, ...lines, ...more, ""].join("\n");
}

/** How the command that looks closer begins. */
export const againFor = ({ subject, suite }: Result): string => {
  if (subject.target.startsWith("embedded")) return `touchstone check ${suite}`;
  const quoted = `'${subject.target.replaceAll("'", `'\\''`)}'`;
  return `touchstone check ${suite} ${subject.role === "server" ? subject.target : `--${subject.role} ${quoted}`}`;
};

/** The whole summary for people: failures spelled out, then the table, the counts, and what to do next. */
export function summaryText(results: readonly Result[], strict: boolean): string {
  const parts: string[] = [];
  for (const result of results) {
    const again = againFor(result);
    const red = result.cases.filter((c) => c.verdict === "fail" || c.verdict === "error" || c.baseline === "unexpected-pass");
    parts.push(...red.map((c) => caseText(c, again)));
    parts.push(
      short(
        "Warnings (a SHOULD not followed, or a MUST met in a discouraged way):",
        result.cases.filter((c) => c.verdict === "warn"),
      ),
    );
    for (const entry of result.stale ?? [])
      parts.push(`${paint("fail", "STALE")}  the baseline's entry "${entry}" names no case: take it out.\n`);
  }
  const skips = results.flatMap((result) => result.cases.filter(({ verdict }) => verdict === "skip"));
  parts.push(skipsText(skips), sectionTable(results));
  for (const result of results) parts.push(oneLine(result));
  parts.push(nextStep(results, strict));
  return `${parts.filter((part) => part !== "").join("\n")}\n`;
}

function skipsText(skips: readonly CaseResult[]): string {
  if (skips.length === 0) return "";
  const reasons = new Map<string, number>();
  for (const { reason } of skips) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const lines = [...reasons].slice(0, LISTED).map(([reason, count]) => `  ${paint("skip", `${count} ×`)} ${reason}`);
  return ["Skipped:", ...lines, ""].join("\n");
}

function oneLine({ subject, suite, summary, ms }: Result): string {
  const counts = VERDICTS.filter((verdict) => summary[verdict] > 0).map((verdict) => paint(verdict, `${summary[verdict]} ${verdict}`));
  const version = subject.version === undefined ? "" : ` (${subject.version})`;
  const total = VERDICTS.reduce((sum, verdict) => sum + summary[verdict], 0);
  return `${styleText("bold", `${suite} ${subject.role}`)}  ${subject.name}${version}: ${counts.join(", ") || "nothing ran"}; ${total} cases in ${(ms / 1000).toFixed(1)} s`;
}

function nextStep(results: readonly Result[], strict: boolean): string {
  const cases = results.flatMap((result) => result.cases);
  const failed = cases.filter((c) => c.verdict === "fail" && c.baseline !== "expected");
  if (failed.length > 0) {
    return "Next: read one failure with --only ID --trace beside its section. Failures to live with for now go into a file: --write-baseline known.json, then --baseline known.json.";
  }
  if (cases.some(({ verdict }) => verdict === "error"))
    return "Next: the errors are about reaching the subject, not about what it did: see the reasons above.";
  if (strict && cases.some(({ verdict }) => verdict === "warn")) return "Next: --strict makes warnings red; without it they are allowed.";
  return cases.length === 0 ? "" : styleText("green", "Nothing failed.");
}
