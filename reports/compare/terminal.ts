import { styleText } from "node:util";
import Table from "cli-table3";
import { cleaned, oneLine } from "../clean.ts";
import { address, docName, columnsFor, grouped, sectionOf } from "../order.ts";
import { coloured } from "../terminal.ts";
import { CHANGE_WORDS, CHANGES, changesIn } from "./changes.ts";
import { agreements, disagreements, type Cell, type Comparison, type Matrix, type Row } from "./matrix.ts";

export type TerminalOptions = {
  /** Also list the rows on which all agree. */
  readonly everything?: boolean;
  /** The width of the terminal: if the names of the implementations do not fit, numbers replace them. */
  readonly width?: number;
};
type Whole = { readonly matrix: Matrix; readonly titles: Comparison["titles"]; readonly options: Required<TerminalOptions> };

// The colours of the table library are off, because it ignores NO_COLOR and output that is not a terminal.
const table = (head: string[]): InstanceType<typeof Table> =>
  new Table({ head: head.map((words) => styleText("bold", words)), style: { head: [], border: [], compact: true } });
const cellWord = (cell: Cell | undefined): string => (cell === undefined ? styleText("dim", "·") : coloured(cell.verdict));

/** The comparison as tables: totals, then the rows on which the implementations differ. */
export function comparisonTerminal(dirty: Comparison, { everything = false, width = 120 }: TerminalOptions = {}): string {
  const { matrices, titles } = cleaned(dirty);
  return `${matrices.map((matrix) => matrixText({ matrix, titles, options: { everything, width } })).join("\n\n")}\n`;
}

/** What changed between two runs: a line for each kind. */
function changeLines(matrix: Matrix): string[] {
  const changes = changesIn(matrix);
  if (changes === undefined) return [];
  return CHANGES.filter((kind) => changes[kind].length > 0).map(
    (kind) => `${styleText("bold", CHANGE_WORDS[kind])} (${changes[kind].length}): ${changes[kind].map(({ id }) => id).join(", ")}`,
  );
}

function matrixText(whole: Whole): string {
  const { matrix, options } = whole;
  const differ = disagreements(matrix);
  return [
    styleText("bold", `${matrix.suite}: ${matrix.columns.length} implementations, ${matrix.rows.length} cases`),
    totals(matrix),
    ...changeLines(matrix),
    differ.length === 0 ? "They agree on all cases." : `They differ on ${differ.length}:\n${rowsTable(whole, differ)}`,
    ...agreements(matrix).map(({ verdict, rows }) => {
      if (options.everything) return `They agree on ${coloured(verdict)}:\n${rowsTable(whole, rows)}`;
      const named = verdict === "pass" ? "" : `: ${rows.map((row) => row.id).join(", ")}`;
      return `They agree on ${coloured(verdict)} in ${rows.length} more${named}.`;
    }),
  ].join("\n");
}

function totals({ columns }: Matrix): string {
  const shown = columnsFor(columns.map(({ summary }) => summary));
  const made = table(["", "implementation", ...shown]);
  for (const [at, { name, summary }] of columns.entries()) {
    const counts = shown.map((verdict) => (summary[verdict] === 0 ? "0" : coloured(verdict, String(summary[verdict]))));
    made.push([String(at + 1), oneLine(name), ...counts]);
  }
  return made.toString();
}

/** One line for each section, followed by its cases. */
function rowsTable({ matrix: { columns }, titles, options }: Whole, rows: readonly Row[]): string {
  const names = columns.map(({ name }) => oneLine(name));
  // A cell has two spaces and a border beside its text.
  const needed = Math.max(...rows.map(({ id }) => id.length)) + 4 + names.reduce((sum, name) => sum + Math.max(name.length, 5) + 3, 0);
  const made = table(["case", ...(needed <= options.width ? names : names.map((_, at) => String(at + 1)))]);
  for (const [ref, inSection] of grouped(rows, (row) => sectionOf(row.spec))) {
    const { doc, section } = address(ref);
    const title = [`${docName(doc)} §${section}`, titles[ref]].filter(Boolean).join(" ");
    made.push([{ content: styleText("bold", title), colSpan: columns.length + 1 }]);
    for (const row of inSection) made.push([row.id, ...row.cells.map(cellWord)]);
  }
  return made.toString();
}
