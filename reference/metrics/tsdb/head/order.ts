import { compareLabels, compareText } from "../../model/index.ts";
import type { SeriesTable } from "./series-table.ts";

/** Fewer series are sorted by their labels directly; for more, all texts are sorted first and series compared by text numbers. */
const FEW = 512;

/** The texts of some series, sorted, without duplicates. */
export type SortedTexts = {
  readonly texts: readonly string[];
  /** By symbol, the position of its text; only for symbols of these series. */
  readonly places: Uint32Array;
};

/** Every name and value of these series. */
export function textsOf(table: SeriesTable, rows: Uint32Array): SortedTexts {
  const { symbols } = table;
  const isUsed = new Uint8Array(symbols.end);
  const used: { symbol: number; text: string }[] = [];
  const use = (symbol: number): void => {
    isUsed[symbol] = 1;
    used.push({ symbol, text: symbols.text(symbol) });
  };
  for (const row of rows) {
    for (let place = table.sizeOf(row) - 1; place >= 0; place--) {
      const value = table.symbolAt(row, place);
      if (isUsed[value] === 1) continue;
      use(value);
      const name = symbols.nameOf(value);
      if (isUsed[name] === 0) use(name);
    }
  }
  const texts: string[] = [];
  const places = new Uint32Array(symbols.end);
  for (const { symbol, text } of used.sort((a, b) => compareText(a.text, b.text))) {
    // One text may be a name and a value of several names.
    if (texts.length === 0 || texts.at(-1) !== text) texts.push(text);
    places[symbol] = texts.length - 1;
  }
  return { texts, places };
}

/** Sorts rows by the labels of their series, in place. */
export function sortRows(table: SeriesTable, rows: Uint32Array): void {
  if (rows.length < FEW) {
    const labels = new Map(Array.from(rows, (row) => [row, table.labels(row)]));
    const sorted = [...labels].sort(([, a], [, b]) => compareLabels(a, b)).map(([row]) => row);
    rows.set(sorted);
  } else sortByPlaces(table, rows, textsOf(table, rows).places);
}

/** `sortRows` with known text positions. */
export function sortByPlaces(table: SeriesTable, rows: Uint32Array, places: Uint32Array): void {
  rows.sort((a, b) => compareRows(table, places, a, b));
}

function compareRows(table: SeriesTable, places: Uint32Array, a: number, b: number): number {
  const size = table.sizeOf(a);
  const other = table.sizeOf(b);
  const least = Math.min(size, other);
  for (let at = 0; at < least; at++) {
    const one = table.symbolAt(a, at);
    const two = table.symbolAt(b, at);
    if (one === two) continue;
    const [name, otherName] = [table.symbols.nameOf(one), table.symbols.nameOf(two)];
    return name === otherName ? (places[one] ?? 0) - (places[two] ?? 0) : (places[name] ?? 0) - (places[otherName] ?? 0);
  }
  return size - other;
}
