import type { CaseResult, Result } from "../conformance/harness/result.ts";
import { cleaned, cut, oneLine } from "./clean.ts";
import { all, coverageByDocument, coverageWords, STATES } from "./coverage.ts";
import {
  baselineWords,
  beforeWords,
  bySection,
  differenceOf,
  docName,
  duration,
  type Finding,
  findings,
  partialWords,
  prose,
  sectionLink,
  sectionName,
  subjectName,
  suiteName,
  summaryWords,
  troubles,
  VERDICT_WORDS,
} from "./order.ts";

/** The number of failures in full; the rest get one line each, up to a bound that keeps a job page under its megabyte. */
const IN_FULL = 50;
const LISTED = 500;

/** A summary for a job page: the counts, what failed and why, the warnings, and coverage by section. */
export function toMarkdown(dirty: readonly Result[]): string {
  const results = cleaned(dirty);
  return `${[
    "# Touchstone",
    ...results.flatMap(partial),
    ...summaryTable(results),
    ...results.flatMap(failures),
    ...results.flatMap((result) => folded(result, "unproved")),
    ...results.flatMap((result) => folded(result, "warn")),
    ...coverage(results),
  ].join("\n")}\n`;
}

/** Escapes text so that nothing in it is markup or ends a table cell. */
export const escapeMarkdown = (text: string): string =>
  oneLine(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[\\`*_{}[\]#|~$@]/g, (char) => `\\${char}`);

const line = (text: string): string => escapeMarkdown(cut(text, 600));

function summaryTable(results: readonly Result[]): string[] {
  const rows = results.map((result) => {
    const { summary: s } = result;
    const cells = [subjectName(result), suiteName(result), s.pass, s.warn, s.fail, s.unproved, s.skip, s.error, duration(result.ms)];
    return `| ${cells.map((cell) => line(String(cell))).join(" | ")} |`;
  });
  return [
    "",
    "| subject | suite | pass | warn | fail | unproved | skip | error | time |",
    "| --- | --- | --: | --: | --: | --: | --: | --: | --: |",
    ...rows,
  ];
}

function partial(result: Result): string[] {
  const words = partialWords(result);
  return words === undefined ? [] : ["", `**Partial:** ${line(suiteName(result))}: ${line(words)}.`];
}

function failures(result: Result): string[] {
  const wrong = troubles(result.cases);
  const stale = result.stale ?? [];
  const heading = `## ${line(subjectName(result))}, ${line(suiteName(result))}: ${summaryWords(result.summary)}`;
  if (wrong.length === 0 && stale.length === 0) return ["", heading];
  const found = findings(wrong);
  const rest = found.slice(IN_FULL).flat();
  return [
    "",
    heading,
    ...found.slice(0, IN_FULL).flatMap(failure),
    ...(rest.length === 0 ? [] : ["", `And ${rest.length} more:`, "", ...rest.slice(0, LISTED).map(short)]),
    ...(stale.length === 0
      ? []
      : ["", "Remove these baseline entries, which match no case:", "", ...stale.map((entry) => `- ${line(entry)}`)]),
  ];
}

/** One case in full, and those with the same cause folded. */
function failure([c, ...more]: Finding): string[] {
  const note = baselineWords(c);
  const before = beforeWords(c);
  return [
    "",
    `### ${c.verdict}: ${line(c.id)}${note === undefined ? "" : ` (${line(note)})`}`,
    "",
    `${place(c)}, ${c.level}: ${line(c.title)}`,
    "",
    `- expected: ${c.expected.map((words) => line(prose(words))).join("; or ")}`,
    `- observed: ${line(c.observed)}`,
    ...(before === undefined ? [] : [`- before: ${line(before)}`]),
    `- ${line(prose(differenceOf(c)))}`,
    ...(more.length === 0
      ? []
      : [
          "",
          `<details><summary>The same in ${more.length} more</summary>`,
          "",
          ...more.slice(0, LISTED).map((other) => `- ${line(other.id)} (${place(other)}): ${line(other.title)}`),
          "",
          "</details>",
        ]),
  ];
}

const short = (c: CaseResult): string => `- ${c.verdict}: ${line(c.id)} (${place(c)}): ${line(prose(c.reason))}`;

function place(c: CaseResult): string {
  const link = sectionLink(c.spec);
  const name = line(sectionName(c.spec));
  return link === undefined ? name : `[${name}](${link})`;
}

/** The cases with one verdict, folded. */
function folded(result: Result, verdict: "unproved" | "warn"): string[] {
  const those = bySection(result.cases.filter((c) => c.verdict === verdict));
  if (those.length === 0) return [];
  const title = `${those.length} ${VERDICT_WORDS[verdict]}: ${line(subjectName(result))}, ${line(suiteName(result))}`;
  return ["", `<details><summary>${title}</summary>`, "", ...those.slice(0, LISTED).map(short), "", "</details>"];
}

function coverage(results: readonly Result[]): string[] {
  return coverageByDocument(results).flatMap((document) => [
    "",
    `<details><summary>Requirements of ${docName(document.doc)}: ${coverageWords(document.counts)}</summary>`,
    "",
    `| section | requirements | ${STATES.join(" | ")} |`,
    `| --- | --: | ${STATES.map(() => "--:").join(" | ")} |`,
    ...document.sections.map(({ ref, title, counts }) => {
      const name = title === undefined ? sectionName(ref) : `${sectionName(ref)} ${title}`;
      return `| ${line(name)} | ${all(counts)} | ${STATES.map((state) => counts[state]).join(" | ")} |`;
    }),
    "",
    "</details>",
  ]);
}
