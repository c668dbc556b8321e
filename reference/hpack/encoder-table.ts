import type { Field } from "../core/index.ts";
import { DynamicTable } from "./dynamic-table.ts";
import { STATIC_TABLE } from "./static-table.ts";

/** Where a name stands in the static table, and the values that stand there with it. */
type StaticName = { readonly index: number; readonly values: ReadonlyMap<string, number> };
const STATIC = new Map<string, StaticName>();
STATIC_TABLE.forEach(({ name, value }, i) => {
  const known = STATIC.get(name) ?? { index: i + 1, values: new Map<string, number>() };
  if (value !== "") (known.values as Map<string, number>).set(value, i + 1);
  STATIC.set(name, known);
});

/** An entry of the dynamic table, by the number of its insertion. */
type Entry = { readonly field: Field; readonly number: number; older: Entry | undefined };

/** The tables as an encoder asks them: what index has this field, or at least this name? */
export class EncoderTable {
  readonly #table: DynamicTable;
  /** The newest entry of each name; those of the same name follow by age. */
  readonly #newest = new Map<string, Entry>();

  constructor(capacity: number) {
    this.#table = new DynamicTable(capacity);
  }

  get capacity(): number {
    return this.#table.capacity;
  }

  /** The index of the field; or minus the index of an entry with its name; or 0. */
  find({ name, value }: Field): number {
    const fixed = STATIC.get(name);
    const whole = fixed?.values.get(value);
    if (whole !== undefined) return whole;
    const newest = this.#newest.get(name);
    for (let entry = newest; entry !== undefined; entry = entry.older) if (entry.field.value === value) return this.#index(entry);
    if (fixed !== undefined) return -fixed.index;
    return newest === undefined ? 0 : -this.#index(newest);
  }

  insert(field: Field, size: number): void {
    this.#shrink(this.#table.capacity - size);
    if (size > this.#table.capacity) return;
    this.#newest.set(field.name, { field, number: this.#table.inserted, older: this.#newest.get(field.name) });
    this.#table.add(field, size);
  }

  resize(capacity: number): void {
    this.#table.capacity = capacity;
    this.#shrink(capacity);
  }

  #index(entry: Entry): number {
    return STATIC_TABLE.length + this.#table.inserted - entry.number;
  }

  #shrink(size: number): void {
    while (this.#table.size > size && this.#table.count > 0) this.#forget(this.#table.evict());
  }

  /** The oldest entry of all is the oldest of its name: the last of that chain. */
  #forget({ name }: Field): void {
    const newest = this.#newest.get(name) as Entry;
    if (newest.older === undefined) {
      this.#newest.delete(name);
      return;
    }
    let entry = newest;
    while (entry.older?.older !== undefined) entry = entry.older;
    entry.older = undefined;
  }
}
