import { styleText } from "node:util";
import Table from "cli-table3";
import type { CaseResult, Result, Verdict } from "../conformance/harness/result.ts";
import { cleaned, oneLine } from "./clean.ts";
import {
  address,
  baselineWords,
  beforeWords,
  bySection,
  columnsFor,
  differenceOf,
  compareRefs,
  duration,
  failWords,
  type Finding,
  findings,
  grouped,
  isExcused,
  partialWords,
  prose,
  sectionName,
  sumOf,
  subjectName,
  suiteName,
  total,
  troubles,
  VERDICT_WORDS,
  VERDICTS,
} from "./order.ts";
import { endText } from "./terminal-end.ts";
import { counted } from "./words.ts";

const STYLES = { pass: "green", warn: "yellow", fail: "red", skip: "dim", error: "magenta", unproved: "cyan" } as const satisfies Record<
  Verdict,
  string
>;
/** Warnings and skips beyond these are counted, not listed. */
const LISTED = 12;
/** Known failures beyond these are counted. */
const MOST_KNOWN = 200;
/** The columns of a terminal that does not say how many it has. */
const USUAL = 120;
/** The name of a section is not cut below this. */
const LEAST = 12;
/** Longer section titles are cut, so that the table fits a window of usual width. */
const WIDE = 36;
/** Ids of cases with the same cause. */
const NAMED = 4;

/** A verdict in its colour, if the terminal has colours and NO_COLOR is not set. */
export const coloured = (verdict: Verdict, words: string = verdict): string => styleText(STYLES[verdict], words);

/**
 * Results as a terminal shows them: failures spelled out, warnings, known failures and skips in short, verdicts by section, the counts, and last what
 * the baseline got wrong and what to do next.
 */
export function toText(
  dirty: readonly Result[],
  { strict = false, width = process.stdout.columns ?? USUAL }: { readonly strict?: boolean; readonly width?: number } = {},
): string {
  const results = cleaned(dirty);
  const cases = results.flatMap((result) => result.cases);
  const parts = [
    ...results.map((result) => partialHead(result)),
    ...results.flatMap((result) =>
      findings(troubles(result.cases).filter(({ baseline }) => baseline !== "unexpected-pass")).map((finding) =>
        findingText(finding, againFor(result)),
      ),
    ),
    unprovedText(cases.filter((c) => c.verdict === "unproved" && !isExcused(c))),
    warningsText(cases.filter((c) => c.verdict === "warn" && !isExcused(c))),
    knownText(bySection(cases.filter(isExcused))),
    skipsText(cases.filter(({ verdict }) => verdict === "skip")),
    ...(cases.length === 0 ? [] : [sectionTable(results, width)]),
    ...results.map(countsText),
    endText(results, strict),
  ];
  return `${parts.filter((part) => part !== "").join("\n")}\n`;
}

/** Says above everything that the run is partial. */
function partialHead(result: Result): string {
  const words = partialWords(result);
  return words === undefined ? "" : `${coloured("fail", "PARTIAL")}  ${suiteName(result)}: ${words}.\n`;
}

/** The command that runs the subject again. */
function againFor({ subject, suite, settings = {} }: Result): string {
  const flags = Object.entries(settings).map(([name, value]) => ` --${name} ${shellWord(String(value))}`);
  const isEmbedded = subject.target.startsWith("embedded");
  const target = subject.role === "server" ? subject.target : `--${subject.role} ${quoted(subject.target)}`;
  return `touchstone check ${suite}${isEmbedded ? "" : ` ${target}`}${flags.join("")}`;
}
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const shellWord = (text: string): string => (/^[\w./:=@-]+$/.test(text) ? text : quoted(text));

/** One case in full, and the names of those with the same cause. */
function findingText([c, ...more]: Finding, again: string): string {
  const note = baselineWords(c);
  const before = beforeWords(c);
  return [
    `${c.baseline === "moved" ? coloured("fail", "MOVED") : coloured(c.verdict, c.verdict.toUpperCase())}  ${styleText("bold", c.id)}  ${sectionName(c.spec)}, ${c.level}${note === undefined ? "" : ` (${note})`}`,
    `      ${c.title}`,
    `      expected  ${c.expected.map((words) => oneLine(prose(words))).join("\n            or  ")}`,
    `      observed  ${oneLine(c.observed)}`,
    ...(before === undefined ? [] : [`      before    ${oneLine(before)}`]),
    `      ${oneLine(prose(differenceOf(c)))}`,
    ...(more.length === 0 ? [] : [`      the same in ${more.length} more: ${named(more)}`]),
    `      look closer: ${again} --only ${c.id} --trace`,
    "",
  ].join("\n");
}

/** The ids of a few cases; the rest is counted. */
const named = (cases: readonly CaseResult[]): string =>
  cases
    .slice(0, NAMED)
    .map(({ id }) => id)
    .join(", ") + (cases.length > NAMED ? `, … and ${cases.length - NAMED} more` : "");

/** One line for each cause, up to a bound. */
function warningsText(cases: readonly CaseResult[]): string {
  if (cases.length === 0) return "";
  const found = findings(cases);
  const lines = found
    .slice(0, LISTED)
    .map(
      ([c, ...same]) => `  ${coloured("warn")}  ${c.id}${same.length === 0 ? "" : ` and ${same.length} more`}  ${oneLine(prose(c.reason))}`,
    );
  const more = found.length > LISTED ? [`  … and ${found.length - LISTED} more causes: --json, --html or --markdown has all of them`] : [];
  return ["Warnings (a SHOULD not followed, or a MUST met in a discouraged way):", ...lines, ...more, ""].join("\n");
}

/** The failures that the baseline or the list of flaky cases has: one line each, up to a bound. */
function knownText(cases: readonly CaseResult[]): string {
  if (cases.length === 0) return "";
  const lines = cases
    .slice(0, MOST_KNOWN)
    .map((c) => `  ${coloured(c.verdict)}  ${c.id}  ${baselineWords(c)}: ${oneLine(prose(differenceOf(c)))}`);
  const more = cases.length > MOST_KNOWN ? [`  … and ${cases.length - MOST_KNOWN} more`] : [];
  return ["Known failures:", ...lines, ...more, ""].join("\n");
}

/** The cases that proved nothing, by reason. */
function unprovedText(cases: readonly CaseResult[]): string {
  if (cases.length === 0) return "";
  const groups = [...grouped(cases, ({ reason }) => reason)];
  const lines = groups
    .slice(0, LISTED)
    .map(
      ([reason, those]) =>
        `  ${coloured("unproved", `${those.length} ×`)} ${oneLine(prose(reason))}\n        ${those[0]?.id}${those.length > 1 ? ", …" : ""}`,
    );
  const more = groups.length > LISTED ? [`  … and ${groups.length - LISTED} more reasons`] : [];
  return ["Unproved (neither a pass nor a failure):", ...lines, ...more, ""].join("\n");
}

/** Each reason once, with the number of cases. */
function skipsText(cases: readonly CaseResult[]): string {
  if (cases.length === 0) return "";
  const lines = [...grouped(cases, ({ reason }) => reason)]
    .slice(0, LISTED)
    .map(([reason, those]) => `  ${coloured("skip", `${those.length} ×`)} ${oneLine(prose(reason))}`);
  return ["Skipped:", ...lines, ""].join("\n");
}

/** Document and the first two numbers: `rfc9113#6.9` of `rfc9113#6.9.1/…`. */
function rowOf(spec: string): string {
  const { doc, section } = address(spec);
  return `${doc}#${section.split(".").slice(0, 2).join(".")}`;
}

const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Verdicts by section. */
function sectionTable(results: readonly Result[], width: number): string {
  const sections = [
    ...grouped(
      results.flatMap(({ cases }) => cases),
      ({ spec }) => rowOf(spec),
    ),
  ].sort(([a], [b]) => compareRefs(a, b));
  const names: Readonly<Record<string, string>> = Object.assign({}, ...results.map(({ titles = {} }) => titles));
  const sum = sumOf(results);
  const shown = columnsFor([sum]);
  const table = new Table({
    head: ["section", ...shown],
    colAligns: ["left", ...shown.map(() => "right" as const)],
    style: { head: [], border: [], compact: true },
  });
  // Each column has its border and a space on both sides.
  const room = Math.max(
    LEAST,
    width - shown.reduce((taken, verdict) => taken + Math.max(verdict.length, String(sum[verdict]).length) + 3, 4),
  );
  const cell = (verdict: Verdict, count: number): string => (count === 0 ? "" : coloured(verdict, String(count)));
  for (const [ref, those] of sections) {
    const name = names[ref];
    table.push([
      shortened(name === undefined ? sectionName(ref) : `${sectionName(ref)}  ${shortened(name, WIDE)}`, room),
      ...shown.map((verdict) => cell(verdict, those.filter((c) => c.verdict === verdict).length)),
    ]);
  }
  table.push([styleText("bold", "all"), ...shown.map((verdict) => cell(verdict, sum[verdict]))]);
  return table.toString();
}

function countsText(result: Result): string {
  const { summary, subject, ms } = result;
  const counts = VERDICTS.filter((verdict) => summary[verdict] > 0).map((verdict) =>
    coloured(verdict, verdict === "fail" ? failWords(result.cases) : `${summary[verdict]} ${VERDICT_WORDS[verdict]}`),
  );
  const moved = result.cases.filter(({ baseline }) => baseline === "moved").length;
  if (moved > 0) counts.push(coloured("fail", `${moved} moved`));
  const name = styleText("bold", `${subjectName(result)}, ${suiteName(result)}`);
  const amount =
    result.partial === undefined ? counted(total(summary), "case") : `${total(summary)} of ${counted(result.partial.of, "case")}`;
  return `${name}: ${counts.join(", ") || "no case ran"}; ${amount} in ${duration(ms)} · ${subject.target}`;
}
