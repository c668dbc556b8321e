import type { Matcher } from "../../model/index.ts";
import type { Postings } from "./postings.ts";
import type { SeriesTable } from "./series-table.ts";

/** A matcher prepared for one selection. */
type Prepared = {
  readonly matcher: Matcher;
  /** The symbol of its name; `-1` if no series has that name. */
  readonly name: number;
  /** By symbol of a value: 1 matches, 2 does not, 0 unknown. */
  readonly verdicts: Uint8Array | undefined;
  /** The symbols that match, if the matcher lists its values. */
  readonly symbols: readonly number[] | undefined;
};

/**
 * The rows below `rows` that match all matchers, ascending. The postings answer the most selective matcher; the others are tested on its result, once
 * for each value of a name.
 */
export function selectRows(table: SeriesTable, postings: Postings, matchers: readonly Matcher[], rows: number): Uint32Array {
  postings.refresh();
  const covered = Math.min(postings.covered, rows);
  const prepared = matchers.map((matcher) => prepare(table, matcher));
  // No series has the label or the value.
  if (prepared.some((one) => !one.matcher.matchesEmpty && (one.name < 0 || one.symbols?.length === 0))) return new Uint32Array(0);

  let best: { readonly prepared: Prepared; readonly symbols: readonly number[]; readonly size: number } | undefined;
  for (const one of prepared) {
    if (one.matcher.matchesEmpty) continue;
    const symbols = one.symbols ?? [...postings.valuesOf(one.name)].filter((symbol) => verdict(table, one, symbol));
    const size = symbols.reduce((sum, symbol) => sum + postings.countOf(symbol), 0);
    if (best === undefined || size < best.size) best = { prepared: one, symbols, size };
  }

  const found = best === undefined ? everyRow(covered) : gathered(postings, best.symbols, best.size, covered);
  const others = best === undefined ? prepared : prepared.filter((one) => one !== best.prepared);
  let count = 0;
  for (const row of found) if (others.every((one) => holds(table, one, row))) found[count++] = row;
  const beside: number[] = [];
  for (let row = covered; row < rows; row++) if (prepared.every((one) => holds(table, one, row))) beside.push(row);
  if (beside.length === 0) return found.subarray(0, count);
  const all = new Uint32Array(count + beside.length);
  all.set(found.subarray(0, count));
  all.set(beside, count);
  return all;
}

/** The symbols of the values of a name in these rows. */
export function valuesIn(table: SeriesTable, rows: Iterable<number>, name: number): Set<number> {
  const values = new Set<number>();
  for (const row of rows) {
    const symbol = table.symbolOf(row, name);
    if (symbol > 0) values.add(symbol);
  }
  return values;
}

function prepare(table: SeriesTable, matcher: Matcher): Prepared {
  const { symbols } = table;
  const name = symbols.findName(matcher.name);
  if (name < 0) return { matcher, name, verdicts: undefined, symbols: undefined };
  const { values } = matcher;
  if (values !== undefined && !matcher.matchesEmpty) {
    const known = values.map((value) => symbols.findValue(name, value)).filter((symbol) => symbol >= 0);
    return { matcher, name, verdicts: undefined, symbols: known };
  }
  return { matcher, name, verdicts: new Uint8Array(symbols.end), symbols: undefined };
}

function verdict(table: SeriesTable, prepared: Prepared, symbol: number): boolean {
  const { verdicts, matcher } = prepared;
  if (verdicts === undefined) return prepared.symbols?.includes(symbol) ?? matcher.matchesEmpty;
  let known = verdicts[symbol];
  if (known !== 1 && known !== 2) verdicts[symbol] = known = matcher.matches(table.symbols.text(symbol)) ? 1 : 2;
  return known === 1;
}

function holds(table: SeriesTable, prepared: Prepared, row: number): boolean {
  const symbol = prepared.name < 0 ? 0 : table.symbolOf(row, prepared.name);
  return symbol === 0 ? prepared.matcher.matchesEmpty : verdict(table, prepared, symbol);
}

function everyRow(count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  return rows;
}

/** Joins lists of one name. They are disjoint: a series has one value of a name. */
function gathered(postings: Postings, symbols: readonly number[], size: number, below: number): Uint32Array {
  const rows = new Uint32Array(size);
  let count = 0;
  for (const symbol of symbols) {
    const list = postings.rowsOf(symbol);
    rows.set(list, count);
    count += list.length;
  }
  if (symbols.length > 1) rows.sort();
  let end = size;
  while (end > 0 && (rows[end - 1] ?? 0) >= below) end--;
  return rows.subarray(0, end);
}
