import { compareText } from "../../model/index.ts";
import { checkSection, Damage, type PagedFile, textOf, Walk } from "../files/index.ts";
import { uvarintLength } from "../codec/index.ts";

/** Memory keeps every 32nd value of a name. */
const SAMPLED = 32;
const encoder = new TextEncoder();

/** The entries of one name: some of its values in ascending order with their places, and the end of its entries. */
type Column = { readonly values: string[]; readonly places: number[]; readonly head: number; end: number };

/** The places of postings by label, with a part of the table in memory (Prometheus TSDB docs, format/index.md, "Postings Offset Table"). */
export class PostingsTable {
  readonly #file: PagedFile;
  readonly #columns = new Map<string, Column>();
  /** The place of the list of all series; -1 if there is none. */
  readonly all: number;

  constructor(file: PagedFile, at: number) {
    this.#file = file;
    const { from, to } = checkSection(file, at, "postings table");
    const walk = new Walk(file, from, to, 262_144);
    let all = -1;
    let name = "";
    let column: Column | undefined;
    let row = 0;
    for (let left = walk.u32(); left > 0; left--) {
      const place = walk.position;
      if (walk.u8() !== 2) throw new Damage(file.path, place, "an entry of the postings table is not a name and a value");
      const length = walk.uvarint();
      const next = textOf(walk.octets(length));
      if (column === undefined || next !== name) {
        column = { values: [], places: [], head: 1 + uvarintLength(length) + length, end: 0 };
        name = next;
        row = 0;
        // The empty name has one entry, for all series.
        if (name !== "") this.#columns.set(name, column);
      }
      const value = walk.octets(walk.uvarint());
      if (row % SAMPLED === 0 || name === "") {
        column.values.push(textOf(value));
        column.places.push(place);
      }
      const offset = walk.uvarint();
      if (name === "") all = offset;
      column.end = walk.position;
      row += 1;
    }
    this.all = all;
  }

  names(): string[] {
    return [...this.#columns.keys()];
  }

  /** The place of a label's list of series. */
  find(name: string, value: string): number | undefined {
    const column = this.#columns.get(name);
    if (column === undefined) return undefined;
    const at = lastNotAfter(column.values, value);
    if (at < 0) return undefined;
    const wanted = encoder.encode(value);
    const walk = new Walk(this.#file, column.places[at] ?? 0, column.end);
    for (let row = 0; row < SAMPLED && walk.position < column.end; row++) {
      walk.skip(column.head);
      const order = compareOctets(walk.octets(walk.uvarint()), wanted);
      const place = walk.uvarint();
      if (order === 0) return place;
      if (order > 0) return undefined;
    }
    return undefined;
  }

  /** The values of a name with this prefix, ascending, with the places of their lists. */
  *entries(name: string, prefix = ""): Generator<readonly [value: string, place: number]> {
    const column = this.#columns.get(name);
    if (column === undefined) return;
    const walk = new Walk(this.#file, column.places[Math.max(0, lastNotAfter(column.values, prefix))] ?? 0, column.end, 32_768);
    while (walk.position < column.end) {
      walk.skip(column.head);
      const value = walk.text();
      const place = walk.uvarint();
      if (value.startsWith(prefix)) yield [value, place];
      else if (compareText(value, prefix) > 0) return;
    }
  }
}

/** The last of the sorted values that is not after `value`; -1 if all are. */
function lastNotAfter(values: readonly string[], value: string): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareText(values[middle] ?? "", value) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function compareOctets(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
}
