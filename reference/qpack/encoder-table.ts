import type { Field } from "../core/index.ts";
import { DynamicTable, entrySize } from "../field-coding/index.ts";

/** An entry of the dynamic table, linked to an older one with the same name. */
export class Entry implements Field {
  readonly name: string;
  readonly value: string;
  readonly sensitive = false;
  /** The absolute index (rfc9204#3.2.4). */
  readonly number: number;
  /** The octets that were inserted before it, over the life of the table. */
  readonly offset: number;
  older: Entry | undefined;
  /** Sections without acknowledgment whose oldest reference this is: it cannot be evicted before. */
  holds = 0;

  constructor({ name, value }: Field, number: number, offset: number, older: Entry | undefined) {
    this.name = name;
    this.value = value;
    this.number = number;
    this.offset = offset;
    this.older = older;
  }
}

/** The share of the table, from its newest end, whose entries are still referred to. Older ones are about to be evicted (rfc9204#2.1.1.1). */
const KEPT = 0.75;

/** The dynamic table as an encoder uses it: finds entries by field or name, and evicts only what nobody needs. */
export class EncoderTable {
  readonly #table = new DynamicTable<Entry>(0);
  readonly #newest = new Map<string, Entry>();
  /** Octets of all insertions. */
  #offset = 0;

  get capacity(): number {
    return this.#table.capacity;
  }
  get inserted(): number {
    return this.#table.inserted;
  }
  /** The newest entry with this name. */
  named(name: string): Entry | undefined {
    return this.#newest.get(name);
  }
  /** The newest entry that equals the field. */
  find({ name, value }: Field): Entry | undefined {
    let entry = this.#newest.get(name);
    while (entry !== undefined && entry.value !== value) entry = entry.older;
    return entry;
  }
  /** Whether the table still has the entry. */
  has(entry: Entry): boolean {
    return entry.number >= this.#table.inserted - this.#table.count;
  }
  /** Whether later insertions will soon want the room of an entry. */
  isDraining(entry: Entry): boolean {
    return this.#offset - entry.offset > this.#table.capacity * KEPT;
  }
  /** Whether there is room for `size` octets, with no entry evicted whose number is `keptFrom` or greater, or that a section holds (rfc9204#2.1.1). */
  hasRoom(size: number, keptFrom: number): boolean {
    let free = this.#table.capacity - this.#table.size;
    for (let age = this.#table.count - 1; free < size; age--) {
      const oldest = this.#table.get(age);
      if (age < 0 || oldest === undefined || oldest.number >= keptFrom || oldest.holds > 0) return false;
      free += entrySize(oldest);
    }
    return true;
  }
  /** Inserts a field for which there is room. */
  insert(field: Field): Entry {
    const size = entrySize(field);
    this.#shrink(this.#table.capacity - size);
    const entry = new Entry(field, this.#table.inserted, this.#offset, this.#newest.get(field.name));
    this.#newest.set(field.name, entry);
    this.#offset += size;
    this.#table.add(entry, size);
    return entry;
  }
  /** Sets a capacity that nothing in the table exceeds. */
  resize(capacity: number): void {
    this.#table.capacity = capacity;
    this.#shrink(capacity);
  }

  /** The oldest entry of all is also the oldest with its name. */
  #shrink(size: number): void {
    while (this.#table.size > size && this.#table.count > 0) this.#unlink(this.#table.evict());
  }
  #unlink(evicted: Entry): void {
    let entry = this.#newest.get(evicted.name);
    if (entry === evicted) {
      this.#newest.delete(evicted.name);
      return;
    }
    while (entry !== undefined && entry.older !== evicted) entry = entry.older;
    if (entry !== undefined) entry.older = undefined;
  }
}
