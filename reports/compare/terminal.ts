import { styleText } from "node:util";
import Table from "cli-table3";
import { cleaned, oneLine } from "../clean.ts";
import { sectionName, VERDICTS } from "../order.ts";
import { coloured } from "../terminal.ts";
import { agreements, disagreements, type Cell, type Comparison, type Matrix, type Row } from "./matrix.ts";

const cellWord = (cell: Cell | undefined): string => (cell === undefined ? styleText("dim", "·") : coloured(cell.verdict));

const table = (head: string[]): InstanceType<typeof Table> => new Table({ head, style: { head: ["bold"], border: ["dim"] } });

/** The comparison as tables: totals, then the rows in which the implementations differ; `everything` adds the rest. */
export function comparisonTerminal(dirty: Comparison, { everything = false }: { readonly everything?: boolean } = {}): string {
  const { matrices } = cleaned(dirty);
  return `${matrices.map((matrix) => matrixText(matrix, everything)).join("\n\n")}\n`;
}

function matrixText(matrix: Matrix, everything: boolean): string {
  const differ = disagreements(matrix);
  const parts = [
    styleText("bold", `${matrix.suite}: ${matrix.columns.length} implementations, ${matrix.rows.length} cases`),
    totals(matrix),
    differ.length === 0 ? "They agree on every case." : `They differ on ${differ.length}:\n${rowsTable(matrix, differ)}`,
    ...agreements(matrix).map(({ verdict, rows }) =>
      everything
        ? `They agree on ${coloured(verdict)}:\n${rowsTable(matrix, rows)}`
        : `They agree on ${coloured(verdict)} in ${rows.length} more${verdict === "pass" ? "" : `: ${rows.map((row) => row.id).join(", ")}`}.`,
    ),
  ];
  return parts.join("\n");
}

function totals({ columns }: Matrix): string {
  const made = table(["implementation", ...VERDICTS]);
  for (const { name, summary } of columns)
    made.push([oneLine(name), ...VERDICTS.map((verdict) => (summary[verdict] === 0 ? "0" : coloured(verdict, String(summary[verdict]))))]);
  return made.toString();
}

function rowsTable({ columns }: Matrix, rows: readonly Row[]): string {
  const made = table(["section", "case", ...columns.map(({ name }) => oneLine(name))]);
  for (const row of rows) made.push([sectionName(row.spec), row.id, ...row.cells.map(cellWord)]);
  return made.toString();
}
