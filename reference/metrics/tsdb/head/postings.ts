import type { SeriesTable } from "./series-table.ts";

/** Series made since the lists were made are looked at one by one; with more than this, and more than an eighth of all, the lists are made again. */
const MOST_BESIDE = 1_024;

/**
 * Which series have a label with a value, by lists of ascending rows, and which values a name has. The lists lie in one array without gaps, made in one pass
 * over all series when a query first asks, and again when there are many new series: so they cost nothing while series come in, and four octets a label.
 */
export class Postings {
  readonly #table: SeriesTable;
  /** By symbol, where its list begins. */
  #starts = new Uint32Array(2);
  #rows = new Uint32Array(0);
  /** By name, where its values begin among `#values`. */
  #nameStarts = new Uint32Array(2);
  #values = new Uint32Array(0);
  #covered = 0;
  /** Symbols that had series when the lists were made. */
  #symbols = 1;

  constructor(table: SeriesTable) {
    this.#table = table;
  }

  /** Rows below this are in the lists. */
  get covered(): number {
    return this.#covered;
  }

  /** Rows moved, or are gone: the lists are void. */
  forget(): void {
    this.#covered = 0;
    this.#symbols = 1;
    this.#rows = new Uint32Array(0);
    this.#values = new Uint32Array(0);
    this.#starts = new Uint32Array(2);
    this.#nameStarts = new Uint32Array(2);
  }

  /** Makes the lists again where too many series are not in them. */
  refresh(): void {
    const beside = this.#table.count - this.#covered;
    if (beside > MOST_BESIDE && beside > this.#table.count / 8) this.#make();
  }

  /** The rows below `covered` with a symbol. */
  rowsOf(symbol: number): Uint32Array {
    if (symbol >= this.#symbols) return this.#rows.subarray(0, 0);
    return this.#rows.subarray(this.#starts[symbol], this.#starts[symbol + 1]);
  }

  countOf(symbol: number): number {
    return symbol >= this.#symbols ? 0 : (this.#starts[symbol + 1] ?? 0) - (this.#starts[symbol] ?? 0);
  }

  /** The symbols of the values that a name has in rows below `covered`. */
  valuesOf(name: number): Uint32Array {
    if (name >= this.#symbols) return this.#values.subarray(0, 0);
    return this.#values.subarray(this.#nameStarts[name], this.#nameStarts[name + 1]);
  }

  #make(): void {
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
    for (let symbol = 1; symbol < end; symbol++) {
      if (starts[symbol] === 0) continue;
      const name = symbols.nameOf(symbol);
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
    this.#covered = count;
    this.#symbols = end;
  }
}

/** Turns how many there are of each into where each ends; filled from behind, that becomes where each begins. Returns the sum. */
function ends(counts: Uint32Array): number {
  let sum = 0;
  for (let at = 0; at < counts.length; at++) counts[at] = sum += counts[at] ?? 0;
  return sum;
}
