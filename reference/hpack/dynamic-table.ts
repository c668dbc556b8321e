import type { Field } from "../core/index.ts";

/** What an entry counts beyond its octets (rfc7541#4.1). */
export const ENTRY_OVERHEAD = 32;
export const entrySize = (field: Field): number => field.name.length + field.value.length + ENTRY_OVERHEAD;

/** Slots of a table with its first entry. */
const FIRST_LENGTH = 16;

/** First in, first out, bounded by a sum of sizes (rfc7541#2.3.2, rfc7541#4). A ring: slot = number of insertion, modulo its length. */
export class DynamicTable<Entry extends Field = Field> {
  /** A power of two long. */
  #ring: (Entry | undefined)[] = [];
  /** Insertions so far: the number of the next entry. */
  inserted = 0;
  count = 0;
  size = 0;
  capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** The entry `age` insertions ago, 0 the newest; undefined beyond the oldest. */
  get(age: number): Entry | undefined {
    return age < this.count ? this.#ring[(this.inserted - 1 - age) & (this.#ring.length - 1)] : undefined;
  }
  /** Evicts until the entry fits, then inserts it; one that is larger than the table only empties it (rfc7541#4.4). */
  insert(field: Entry): void {
    const size = entrySize(field);
    this.shrink(this.capacity - size);
    if (size <= this.capacity) this.add(field, size);
  }
  /** A new capacity, at once (rfc7541#4.3). */
  resize(capacity: number): void {
    this.capacity = capacity;
    this.shrink(capacity);
  }
  /** Inserts what is known to fit. */
  add(field: Entry, size: number): void {
    if (this.count === this.#ring.length) this.#grow();
    this.#ring[this.inserted & (this.#ring.length - 1)] = field;
    this.inserted++;
    this.count++;
    this.size += size;
  }
  /** Evicts the oldest entries until no more than `size` is taken, or nothing is left. */
  shrink(size: number): void {
    while (this.size > size && this.count > 0) this.evict();
  }
  /** Drops the oldest entry, of which there must be one. */
  evict(): Entry {
    const slot = (this.inserted - this.count) & (this.#ring.length - 1);
    const oldest = this.#ring[slot]!;
    this.#ring[slot] = undefined;
    this.count--;
    this.size -= entrySize(oldest);
    return oldest;
  }

  #grow(): void {
    const grown = Array.from<Entry | undefined>({ length: Math.max(FIRST_LENGTH, this.#ring.length * 2) });
    // An entry keeps its number, and so gets its slot anew.
    for (let number = this.inserted - this.count; number < this.inserted; number++)
      grown[number & (grown.length - 1)] = this.#ring[number & (this.#ring.length - 1)];
    this.#ring = grown;
  }
}
