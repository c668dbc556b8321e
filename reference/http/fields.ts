import { field, type Field } from "../core/index.ts";

/** What `Fields.from` takes: pairs, another `Fields`, a `Headers`, a `Map`. */
export type FieldsInit = Iterable<readonly [name: string, value: string]>;

const NONE: readonly Field[] = [];

/**
 * The fields of one message in the order they came (rfc9110#5). Names are compared without regard to case. Immutable, and no more
 * than a view of its list: making one costs nothing.
 */
export class Fields implements Iterable<readonly [string, string]> {
  static readonly empty: Fields = new Fields(NONE);
  readonly list: readonly Field[];

  /** The names in `list` are lower case, as they are in HTTP/2 and HTTP/3. */
  constructor(list: readonly Field[]) {
    this.list = list;
  }

  /** Names become lower case; every pair stays a field line of its own. */
  static from(pairs: FieldsInit): Fields {
    const list: Field[] = [];
    for (const [name, value] of pairs) list.push(field(name.toLowerCase(), value));
    return list.length === 0 ? Fields.empty : new Fields(list);
  }

  get size(): number {
    return this.list.length;
  }
  has(name: string): boolean {
    return this.#first(name.toLowerCase()) !== undefined;
  }
  /** The value of the field; of several lines, their values as one list (rfc9110#5.2). Use `all` for `set-cookie`, which is no list. */
  get(name: string): string | undefined {
    const wanted = name.toLowerCase();
    const first = this.#first(wanted);
    if (first === undefined) return undefined;
    let value = first.value;
    let seen = false;
    for (const line of this.list) {
      if (line.name !== wanted) continue;
      if (seen) value += (wanted === "cookie" ? "; " : ", ") + line.value;
      seen = true;
    }
    return value;
  }
  /** The value of each line of that name. */
  all(name: string): string[] {
    const wanted = name.toLowerCase();
    const values: string[] = [];
    for (const line of this.list) if (line.name === wanted) values.push(line.value);
    return values;
  }
  *[Symbol.iterator](): IterableIterator<readonly [string, string]> {
    for (const { name, value } of this.list) yield [name, value];
  }

  #first(wanted: string): Field | undefined {
    for (const line of this.list) if (line.name === wanted) return line;
    return undefined;
  }
}
