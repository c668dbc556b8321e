import { field, type Field } from "../core/index.ts";

/** The input of `Fields.from`: pairs, another `Fields`, a `Headers` or a `Map`. */
export type FieldsInit = Iterable<readonly [name: string, value: string]>;

const NONE: readonly Field[] = [];

/**
 * The fields of one message in their order (rfc9110#5). Names are case-insensitive. It is immutable, and only a view of its list: creating
 * one is cheap.
 */
export class Fields implements Iterable<readonly [string, string]> {
  static readonly empty: Fields = new Fields(NONE);
  readonly list: readonly Field[];

  /** The names in `list` must be lower case, as in HTTP/2 and HTTP/3. */
  constructor(list: readonly Field[]) {
    this.list = list;
  }

  /** Converts names to lower case; every pair remains its own field line. */
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
  /** The value of the field; several lines are joined to one list (rfc9110#5.2). Use `all` for `set-cookie`, which is not a list. */
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
  /** The value of each line with that name. */
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
