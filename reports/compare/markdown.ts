import type { Verdict } from "../../conformance/harness/result.ts";
import { cleaned } from "../clean.ts";
import { escapeMarkdown } from "../markdown.ts";
import { columnsFor, sectionLink, sectionName } from "../order.ts";
import { agreements, disagreements, type Cell, type Comparison, type Matrix, type Row } from "./matrix.ts";

const line = (...cells: string[]): string => `| ${cells.join(" | ")} |`;
const cellWord = (cell: Cell | undefined): string => (cell === undefined ? "·" : cell.verdict === "fail" ? "**fail**" : cell.verdict);

/** The comparison as Markdown: totals, the differing rows with reasons, and the rest folded. */
export function comparisonMarkdown(dirty: Comparison): string {
  const { matrices } = cleaned(dirty);
  return `${["# Touchstone: implementations compared", ...matrices.flatMap(section)].join("\n")}\n`;
}

function section(matrix: Matrix): string[] {
  const differ = disagreements(matrix);
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
    ...(differ.length === 0
      ? ["They agree on all cases."]
      : [`### Where they differ (${differ.length})`, "", ...rowsTable(matrix, differ), ...reasons(matrix, differ)]),
    ...agreements(matrix).flatMap(({ verdict, rows }) => [
      "",
      `<details><summary>All agree on ${verdict} (${rows.length})</summary>`,
      "",
      ...rowsTable(matrix, rows),
      "",
      "</details>",
    ]),
  ];
}

function rowsTable({ columns }: Matrix, rows: readonly Row[]): string[] {
  return [
    line("section", "case", "level", ...columns.map(({ name }) => escapeMarkdown(name))),
    line("---", "---", "---", ...columns.map(() => ":-:")),
    ...rows.map((row) =>
      line(place(row), `${escapeMarkdown(row.title)} <br> ${escapeMarkdown(row.id)}`, row.level, ...row.cells.map(cellWord)),
    ),
  ];
}

function place(row: Row): string {
  const link = sectionLink(row.spec);
  return link === undefined ? escapeMarkdown(sectionName(row.spec)) : `[${escapeMarkdown(sectionName(row.spec))}](${link})`;
}

const TOLD: ReadonlySet<Verdict> = new Set(["fail", "error", "unproved"]);

/** What was observed for each implementation that failed or was not judged. */
function reasons({ columns }: Matrix, rows: readonly Row[]): string[] {
  const told = rows.flatMap((row) =>
    row.cells.flatMap((cell, at) =>
      cell === undefined || !TOLD.has(cell.verdict)
        ? []
        : [
            `- ${escapeMarkdown(row.id)}, ${escapeMarkdown(columns[at]?.name ?? "")}: observed ${escapeMarkdown(cell.observed)}. ${escapeMarkdown(cell.reason)}`,
          ],
    ),
  );
  return told.length === 0 ? [] : ["", `<details><summary>What was observed (${told.length})</summary>`, "", ...told, "", "</details>"];
}
