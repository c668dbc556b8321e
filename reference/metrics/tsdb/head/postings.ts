import type { SeriesTable } from "./series-table.ts";

/** New series are tested one by one. Beyond this number and an eighth of all series, the lists are rebuilt. */
const MOST_BESIDE = 1_024;

/**
 * The series of each label, as lists of ascending rows, and the values of each name. One pass over all series builds the lists, in one array without
 * gaps, when a query first needs them and again after many new series. They cost nothing while series are added, and four octets per label.
 */
export class Postings {
  readonly #table: SeriesTable;
  /** By symbol, the start of its list. */
  #starts = new Uint32Array(2);
  #rows = new Uint32Array(0);
  /** By name, the start of its values in `#values`. */
  #nameStarts = new Uint32Array(2);
  #values = new Uint32Array(0);
  #names: readonly number[] = [];
  #covered = 0;
  /** The end of symbols when the lists were built. */
  #symbols = 1;

  constructor(table: SeriesTable) {
    this.#table = table;
  }

  /** Rows below this are in the lists. */
  get covered(): number {
    return this.#covered;
  }

  /** Rows have moved: drops the lists. */
  forget(): void {
    this.#covered = 0;
    this.#symbols = 1;
    this.#rows = new Uint32Array(0);
    this.#values = new Uint32Array(0);
    this.#names = [];
    this.#starts = new Uint32Array(2);
    this.#nameStarts = new Uint32Array(2);
  }

  /** Rebuilds the lists if too many series are missing from them. */
  refresh(): void {
    const beside = this.#table.count - this.#covered;
    if (beside > MOST_BESIDE && beside > this.#table.count / 8) this.#build();
  }

  /** The rows below `covered` that have a symbol. */
  rowsOf(symbol: number): Uint32Array {
    if (symbol >= this.#symbols) return this.#rows.subarray(0, 0);
    return this.#rows.subarray(this.#starts[symbol], this.#starts[symbol + 1]);
  }

  countOf(symbol: number): number {
    return symbol >= this.#symbols ? 0 : (this.#starts[symbol + 1] ?? 0) - (this.#starts[symbol] ?? 0);
  }

  /** The symbols of the names that rows below `covered` have. */
  get names(): readonly number[] {
    return this.#names;
  }

  /** The symbols of the values that a name has in rows below `covered`. */
  valuesOf(name: number): Uint32Array {
    if (name >= this.#symbols) return this.#values.subarray(0, 0);
    return this.#values.subarray(this.#nameStarts[name], this.#nameStarts[name + 1]);
  }

  #build(): void {
    const table = this.#table;
    const { symbols, count } = table;
    const end = symbols.end;
    const starts = new Uint32Array(end + 1);
    let total = 0;
    for (let row = 0; row < count; row++) {
      const size = table.sizeOf(row);
      total += size;
      for (let place = 0; place < size; place++) {
        const symbol = table.symbolAt(row, place);
        starts[symbol] = (starts[symbol] ?? 0) + 1;
      }
    }
    const nameStarts = new Uint32Array(end + 1);
    const names: number[] = [];
    for (let symbol = 1; symbol < end; symbol++) {
      if (starts[symbol] === 0) continue;
      const name = symbols.nameOf(symbol);
      if (nameStarts[name] === 0) names.push(name);
      nameStarts[name] = (nameStarts[name] ?? 0) + 1;
    }
    const values = new Uint32Array(ends(nameStarts));
    for (let symbol = end - 1; symbol > 0; symbol--) {
      if (starts[symbol] === 0) continue;
      const name = symbols.nameOf(symbol);
      values[(nameStarts[name] = (nameStarts[name] ?? 0) - 1)] = symbol;
    }
    ends(starts);
    const rows = new Uint32Array(total);
    for (let row = count - 1; row >= 0; row--) {
      for (let place = table.sizeOf(row) - 1; place >= 0; place--) {
        const symbol = table.symbolAt(row, place);
        rows[(starts[symbol] = (starts[symbol] ?? 0) - 1)] = row;
      }
    }
    this.#starts = starts;
    this.#rows = rows;
    this.#nameStarts = nameStarts;
    this.#values = values;
    this.#names = names;
    this.#covered = count;
    this.#symbols = end;
  }
}

/** Turns counts into end positions; filling each list from its end then turns them into starts. Returns the sum. */
function ends(counts: Uint32Array): number {
  let sum = 0;
  for (let at = 0; at < counts.length; at++) counts[at] = sum += counts[at] ?? 0;
  return sum;
}
