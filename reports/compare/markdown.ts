import type { Verdict } from "../../conformance/harness/result.ts";
import { cleaned, cut } from "../clean.ts";
import { escapeMarkdown } from "../markdown.ts";
import { columnsFor, differenceOf, grouped, prose, sectionLink, sectionName, sectionOf, VERDICTS } from "../order.ts";
import { disagreements, type Cell, type Comparison, type Matrix, type Row } from "./matrix.ts";

/** The limits that keep a document readable: rows of the table of differences, causes, cases that a cause names, characters of a sentence. */
const ROWS = 60;
const CAUSES = 300;
const NAMED = 3;
const WORDS = 300;

const line = (...cells: string[]): string => `| ${cells.join(" | ")} |`;
const cellWord = (cell: Cell | undefined): string => (cell === undefined ? "·" : cell.verdict === "fail" ? "**fail**" : cell.verdict);
const sentence = (text: string): string => escapeMarkdown(cut(text, WORDS));

/** The comparison as Markdown: totals, the first rows that differ, and the findings by cause. */
export function comparisonMarkdown(dirty: Comparison): string {
  const { matrices } = cleaned(dirty);
  return `${["# Touchstone: implementations compared", ...matrices.flatMap(section)].join("\n")}\n`;
}

function section(matrix: Matrix): string[] {
  const shown = columnsFor(matrix.columns.map(({ summary }) => summary));
  return [
    "",
    `## ${escapeMarkdown(matrix.suite)}: ${matrix.columns.length} implementations, ${matrix.rows.length} cases`,
    "",
    line("implementation", ...shown, "target", "date"),
    line("---", ...shown.map(() => "--:"), "---", "---"),
    ...matrix.columns.map(({ name, summary, target, startedAt }) =>
      line(escapeMarkdown(name), ...shown.map((verdict) => String(summary[verdict])), escapeMarkdown(target), startedAt.slice(0, 10)),
    ),
    "",
    ...differences(matrix),
    ...findings(matrix),
  ];
}

/** The rows that differ, worst first: all, or as many as somebody reads. */
function differences(matrix: Matrix): string[] {
  const differ = disagreements(matrix);
  if (differ.length === 0) return ["They agree on all cases."];
  const more = differ.length - ROWS;
  return [
    `### Where they differ (${differ.length})`,
    "",
    line("section", "case", "level", ...matrix.columns.map(({ name }) => escapeMarkdown(name))),
    line("---", "---", "---", ...matrix.columns.map(() => ":-:")),
    ...differ
      .slice(0, ROWS)
      .map((row) => line(place(row), `${escapeMarkdown(row.title)} <br> ${escapeMarkdown(row.id)}`, row.level, ...row.cells.map(cellWord))),
    ...(more > 0 ? ["", `And ${more} more: the page of this comparison lists them.`] : []),
  ];
}

function place(row: Row): string {
  const link = sectionLink(row.spec);
  return link === undefined ? escapeMarkdown(sectionName(row.spec)) : `[${escapeMarkdown(sectionName(row.spec))}](${link})`;
}

const TOLD: readonly Verdict[] = VERDICTS.filter((verdict) => verdict !== "pass" && verdict !== "skip");

/** A case that an implementation did not pass. */
type Told = { readonly row: Row; readonly cell: Cell; readonly name: string };

/** What was observed, once for each cause: one mistake may explain many cases, and several implementations may make it. */
function findings(matrix: Matrix): string[] {
  const told = matrix.rows.flatMap((row) =>
    row.cells.flatMap((cell, at): Told[] =>
      cell !== undefined && TOLD.includes(cell.verdict) ? [{ row, cell, name: matrix.columns[at]?.name ?? "" }] : [],
    ),
  );
  return TOLD.flatMap((verdict) => {
    const those = told.filter(({ cell }) => cell.verdict === verdict);
    const causes = [...grouped(those, causeOf).values()].sort((a, b) => b.length - a.length);
    if (causes.length === 0) return [];
    const left = causes.slice(CAUSES).flat();
    const words = `${those.length} ${those.length === 1 ? "verdict" : "verdicts"}, ${causes.length} ${causes.length === 1 ? "cause" : "causes"}`;
    return [
      "",
      `<details><summary>${verdict}: ${words}</summary>`,
      "",
      ...causes.slice(0, CAUSES).flatMap(finding),
      ...(left.length === 0 ? [] : [`- And ${causes.length - CAUSES} more causes of ${left.length} verdicts.`]),
      "",
      "</details>",
    ];
  });
}

/** Many mistakes end in one sentence, such as that the connection ended: the section keeps them apart. */
const causeOf = ({ row, cell }: Told): string => `${sectionOf(row.spec)} ${cell.cause ?? row.id}`;

/** The first case in full, then who else shows the same in which cases. */
function finding(same: readonly Told[]): string[] {
  const [first] = same;
  if (first === undefined) return [];
  const { row, cell } = first;
  const reason = differenceOf(cell);
  const seen = reason.toLowerCase().includes(cell.observed.toLowerCase()) ? "" : ` Observed: ${sentence(cell.observed)}`;
  return [
    `- ${place(row)}, ${row.level}: ${escapeMarkdown(row.title)} ${sentence(prose(reason))}${seen}`,
    ...[...grouped(same, ({ name }) => name)].map(([name, those]) => `  - ${escapeMarkdown(name)}: ${idsOf(those)}`),
  ];
}

function idsOf(those: readonly Told[]): string {
  const named = those.slice(0, NAMED).map(({ row }) => escapeMarkdown(row.id));
  const more = those.length - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}
