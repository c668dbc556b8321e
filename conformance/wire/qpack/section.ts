/** Splits an encoded field section into its lines, without any table (rfc9204#4.5). */

export type Line = {
  /** Whether its value stands in the section. */
  readonly literal: boolean;
  /** The N bit of a literal (rfc9204#4.5.4). */
  readonly never: boolean;
  /** What it refers to: an entry of the static table, one of the dynamic table by its absolute index, or nothing. */
  readonly refersTo: { readonly table: "static" | "dynamic"; readonly index: number } | undefined;
};
export type Section = { readonly required: number; readonly base: number; readonly lines: readonly Line[] };

/** What the prefix of a section is relative to. */
export type Table = { readonly maxCapacity: number; readonly inserted: number };

/** The section, or undefined if it breaks off within a line. Its references are not checked. */
export function sectionOf(octets: Uint8Array, table: Table): Section | undefined {
  const cursor = new Cursor(octets);
  const required = requiredOf(cursor.integer(8), table);
  const sign = cursor.peek() >= 0x80;
  const delta = cursor.integer(7);
  const base = sign ? required - delta - 1 : required + delta;
  const lines: Line[] = [];
  while (cursor.left > 0 && !cursor.broken) lines.push(lineOf(cursor, base));
  return cursor.broken ? undefined : { required, base, lines };
}

function lineOf(cursor: Cursor, base: number): Line {
  const head = cursor.peek();
  const before = (isStatic: boolean, index: number): Line["refersTo"] =>
    isStatic ? { table: "static", index } : { table: "dynamic", index: base - index - 1 };
  if (head >= 0x80) return { literal: false, never: false, refersTo: before((head & 0x40) !== 0, cursor.integer(6)) };
  if (head >= 0x40) {
    const refersTo = before((head & 0x10) !== 0, cursor.integer(4));
    cursor.string(8);
    return { literal: true, never: (head & 0x20) !== 0, refersTo };
  }
  if (head >= 0x20) {
    cursor.string(4);
    cursor.string(8);
    return { literal: true, never: (head & 0x10) !== 0, refersTo: undefined };
  }
  if (head >= 0x10) return { literal: false, never: false, refersTo: { table: "dynamic", index: base + cursor.integer(4) } };
  const refersTo = { table: "dynamic", index: base + cursor.integer(3) } as const;
  cursor.string(8);
  return { literal: true, never: (head & 0x08) !== 0, refersTo };
}

/** The insert count that is nearest to the insertions so far (rfc9204#4.5.1.1). */
function requiredOf(encoded: number, { maxCapacity, inserted }: Table): number {
  const entries = Math.floor(maxCapacity / 32);
  if (encoded === 0 || entries === 0) return 0;
  const range = 2 * entries;
  const most = inserted + entries;
  const found = Math.floor(most / range) * range + encoded - 1;
  return found > most ? found - range : found;
}

/** The most octets of an integer after its prefix. */
const INTEGER_OCTETS = 9;

class Cursor {
  readonly #octets: Uint8Array;
  #at = 0;
  broken = false;

  constructor(octets: Uint8Array) {
    this.#octets = octets;
  }
  get left(): number {
    return this.#octets.length - this.#at;
  }
  peek(): number {
    return this.#octets[this.#at] ?? 0;
  }
  integer(prefix: number): number {
    const full = 2 ** prefix - 1;
    let value = this.#next() & full;
    if (value < full) return value;
    for (let at = 0; at < INTEGER_OCTETS; at++) {
      const octet = this.#next();
      value += (octet & 0x7f) * 2 ** (7 * at);
      if (octet < 0x80) return value;
    }
    this.broken = true;
    return value;
  }
  /** Passes over a string. */
  string(prefix: number): void {
    const length = this.integer(prefix - 1);
    if (length > this.left) this.broken = true;
    this.#at += length;
  }
  #next(): number {
    if (this.left <= 0) this.broken = true;
    return this.#octets[this.#at++] ?? 0;
  }
}
