import { compareLabels, compareText } from "../model/index.ts";
import type { SeriesTable } from "./series.ts";

/** Fewer series than this are sorted by their texts; for more, all texts are sorted once, and series then by the places of theirs. */
const FEW = 512;

/** Sorts rows by the labels of their series, in place. */
export function sortRows(table: SeriesTable, rows: Uint32Array): void {
  if (rows.length < FEW) {
    const labels = new Map(Array.from(rows, (row) => [row, table.labels(row)]));
    const sorted = [...labels].sort(([, a], [, b]) => compareLabels(a, b)).map(([row]) => row);
    rows.set(sorted);
    return;
  }
  const ranks = ranksOf(table, rows);
  rows.sort((a, b) => compareRows(table, ranks, a, b));
}

function compareRows(table: SeriesTable, ranks: Uint32Array, a: number, b: number): number {
  const size = table.sizeOf(a);
  const other = table.sizeOf(b);
  const least = Math.min(size, other);
  for (let place = 0; place < least; place++) {
    const one = table.symbolAt(a, place);
    const two = table.symbolAt(b, place);
    if (one !== two) return (ranks[one] ?? 0) - (ranks[two] ?? 0);
  }
  return size - other;
}

/** By symbol of a value: its place when all are sorted by name, then value. Only symbols of these rows have one. */
function ranksOf(table: SeriesTable, rows: Uint32Array): Uint32Array {
  const { symbols } = table;
  const isUsed = new Uint8Array(symbols.end);
  const byName = new Map<number, number[]>();
  for (const row of rows) {
    for (let place = table.sizeOf(row) - 1; place >= 0; place--) {
      const symbol = table.symbolAt(row, place);
      if (isUsed[symbol] === 1) continue;
      isUsed[symbol] = 1;
      const name = symbols.nameOf(symbol);
      const values = byName.get(name);
      if (values === undefined) byName.set(name, [symbol]);
      else values.push(symbol);
    }
  }
  const ranks = new Uint32Array(symbols.end);
  let rank = 0;
  for (const [, values] of [...byName].sort(([a], [b]) => compareText(symbols.text(a), symbols.text(b)))) {
    const texts = values.map((symbol) => ({ symbol, text: symbols.text(symbol) })).sort((a, b) => compareText(a.text, b.text));
    for (const { symbol } of texts) ranks[symbol] = rank++;
  }
  return ranks;
}
