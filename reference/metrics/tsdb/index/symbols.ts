import { checkSection, Damage, type PagedFile, Walk } from "../files/index.ts";

/** Memory keeps the place of every 32nd symbol; the others are found from there. */
const SAMPLED = 32;
const KEPT = 16_384;

/** The symbols of an index by number (Prometheus TSDB docs, format/index.md, "Symbol Table"), with a direct-mapped cache of texts. */
export class SymbolTable {
  readonly count: number;
  readonly #file: PagedFile;
  readonly #end: number;
  readonly #places: Float64Array;
  readonly #numbers: Int32Array;
  readonly #texts: string[];

  constructor(file: PagedFile, at: number) {
    const { from, to } = checkSection(file, at, "symbol table");
    this.#file = file;
    this.#end = to;
    const walk = new Walk(file, from, to, 262_144);
    this.count = walk.u32();
    // A symbol takes at least one octet, for its length.
    if (this.count > to - from) throw new Damage(file.path, at, `the symbol table is too short for ${this.count} symbols`);
    const slots = Math.min(KEPT, this.count);
    this.#numbers = new Int32Array(slots).fill(-1);
    this.#texts = Array.from({ length: slots }, () => "");
    this.#places = new Float64Array(Math.ceil(this.count / SAMPLED));
    for (let number = 0; number < this.count; number++) {
      if (number % SAMPLED === 0) this.#places[number / SAMPLED] = walk.position;
      walk.skip(walk.uvarint());
    }
  }

  text(number: number): string {
    const slot = number % this.#numbers.length;
    if (this.#numbers[slot] === number) return this.#texts[slot] ?? "";
    if (!(number < this.count)) throw new Damage(this.#file.path, this.#end, `symbol ${number} does not exist`);
    const walk = new Walk(this.#file, this.#places[Math.floor(number / SAMPLED)] ?? 0, this.#end, 1_024);
    for (let before = number % SAMPLED; before > 0; before--) walk.skip(walk.uvarint());
    const text = walk.text();
    this.#numbers[slot] = number;
    this.#texts[slot] = text;
    return text;
  }

  /** All symbols in order. */
  *all(): Generator<string> {
    const walk = new Walk(this.#file, this.#places[0] ?? 0, this.#end, 262_144);
    for (let number = 0; number < this.count; number++) yield walk.text();
  }
}
