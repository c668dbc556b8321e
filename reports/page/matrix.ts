/** A comparison as the blocks that `script/matrix.js` reads. */
import type { Verdict } from "../../conformance/harness/result.ts";
import type { Comparison, Matrix } from "../compare/matrix.ts";
import { prose, sectionOf } from "../order.ts";
import { sectionWords, type Blocks } from "./blocks.ts";

type Titles = Comparison["titles"];

const LETTERS: Readonly<Record<Verdict, string>> = { fail: "f", error: "e", unproved: "u", warn: "w", pass: "p", skip: "s" };
const NOT_RUN = "-";

/** One block for what the matrices have in common, and one for each column. */
export function matrixBlocks({ matrices, titles }: Comparison): Blocks {
  const cells = matrices.flatMap((matrix, at) => matrix.columns.map((_, column) => [`cells-${at}-${column}`, cellsOf(matrix, column)]));
  return { frames: matrices.map((matrix) => frameOf(matrix, titles)), ...(Object.fromEntries(cells) as Blocks) };
}

function frameOf({ suite, columns, rows }: Matrix, titles: Titles): unknown {
  const refs = [...new Set(rows.map((row) => sectionOf(row.spec)))];
  const place = new Map(refs.map((ref, at) => [ref, at]));
  return {
    suite,
    columns: columns.map(({ name }) => name),
    ids: rows.map(({ id }) => id),
    titles: rows.map(({ title }) => title),
    levels: rows.map(({ level }) => level),
    section: rows.map(({ spec }) => place.get(sectionOf(spec))),
    sections: refs.map((ref) => sectionWords(ref, titles)),
  };
}

const cellsOf = ({ rows }: Matrix, column: number): unknown => {
  const cells = rows.map((row) => row.cells[column]);
  return {
    verdicts: cells.map((cell) => (cell === undefined ? NOT_RUN : LETTERS[cell.verdict])).join(""),
    reasons: cells.map((cell) => (cell === undefined ? "" : prose(cell.reason))),
    observed: cells.map((cell) => cell?.observed ?? ""),
  };
};
