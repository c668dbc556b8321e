import type { Field } from "../core/index.ts";
import { DynamicTable } from "../field-coding/index.ts";
import type { StaticName } from "./static-names.ts";
import { STATIC_TABLE } from "./static-table.ts";

/** An entry of the dynamic table, linked to those with the same name. */
class Entry implements Field {
  readonly name: string;
  readonly value: string;
  readonly sensitive = false;
  readonly known: StaticName | undefined;
  /** The number of its insertion. */
  readonly number: number;
  older: Entry | undefined;
  newer: Entry | undefined;

  constructor({ name, value }: Field, known: StaticName | undefined, number: number, older: Entry | undefined) {
    this.name = name;
    this.value = value;
    this.known = known;
    this.number = number;
    this.older = older;
    this.newer = undefined;
    if (older !== undefined) older.newer = this;
  }
}

/** Both tables as an encoder uses them: finds the index of a field, or at least of its name. */
export class EncoderTable {
  readonly #table: DynamicTable<Entry>;
  /** The newest entry for each name: by place for names of the static table, by name for others. Created with the first. */
  #newestKnown: (Entry | undefined)[] | undefined;
  #newestOther: Map<string, Entry> | undefined;

  constructor(capacity: number) {
    this.#table = new DynamicTable(capacity);
  }

  get capacity(): number {
    return this.#table.capacity;
  }

  /** The index of the field; or minus the index of an entry with its name; or 0. `known` is the entry of the name in the static table. */
  find({ name, value }: Field, known: StaticName | undefined): number {
    if (known !== undefined) {
      const { values, index } = known;
      for (let i = 0; i < values.length; i++) if (values[i] === value) return index + i;
    }
    const newest = this.#newest(name, known);
    for (let entry = newest; entry !== undefined; entry = entry.older) if (entry.value === value) return this.#index(entry);
    if (known !== undefined) return -known.index;
    return newest === undefined ? 0 : -this.#index(newest);
  }

  insert(field: Field, known: StaticName | undefined, size: number): void {
    this.#shrink(this.#table.capacity - size);
    if (size > this.#table.capacity) return;
    const entry = new Entry(field, known, this.#table.inserted, this.#newest(field.name, known));
    if (known === undefined) (this.#newestOther ??= new Map()).set(field.name, entry);
    else (this.#newestKnown ??= [])[known.place] = entry;
    this.#table.add(entry, size);
  }

  resize(capacity: number): void {
    this.#table.capacity = capacity;
    this.#shrink(capacity);
  }

  #newest(name: string, known: StaticName | undefined): Entry | undefined {
    return known === undefined ? this.#newestOther?.get(name) : this.#newestKnown?.[known.place];
  }

  #index(entry: Entry): number {
    return STATIC_TABLE.length + this.#table.inserted - entry.number;
  }

  /** The oldest entry of all is also the oldest with its name. */
  #shrink(size: number): void {
    while (this.#table.size > size && this.#table.count > 0) {
      const { name, known, newer } = this.#table.evict();
      if (newer !== undefined) newer.older = undefined;
      else if (known === undefined) this.#newestOther?.delete(name);
      else if (this.#newestKnown !== undefined) this.#newestKnown[known.place] = undefined;
    }
  }
}
