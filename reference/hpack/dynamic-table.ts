import type { Field } from "../core/index.ts";

/** What an entry counts beyond its octets (rfc7541#4.1). */
export const ENTRY_OVERHEAD = 32;
export const entrySize = (field: Field): number => field.name.length + field.value.length + ENTRY_OVERHEAD;

/** First in, first out, bounded by a sum of sizes (rfc7541#2.3.2, rfc7541#4). A ring: slot = number of insertion, modulo its length. */
export class DynamicTable {
  /** A power of two long. */
  #ring: (Field | undefined)[] = [];
  /** Insertions so far: the number of the next entry. */
  inserted = 0;
  count = 0;
  size = 0;
  capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** The entry `age` insertions ago, 0 the newest; undefined beyond the oldest. */
  get(age: number): Field | undefined {
    return age < this.count ? this.#ring[(this.inserted - 1 - age) & (this.#ring.length - 1)] : undefined;
  }
  /** Evicts until the entry fits, then inserts it; one that is larger than the table only empties it (rfc7541#4.4). */
  insert(field: Field): void {
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
  add(field: Field, size: number): void {
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
  evict(): Field {
    const slot = (this.inserted - this.count) & (this.#ring.length - 1);
    const oldest = this.#ring[slot] as Field;
    this.#ring[slot] = undefined;
    this.count--;
    this.size -= entrySize(oldest);
    return oldest;
  }

  #grow(): void {
    const entries = Array.from({ length: this.count }, (_, i) => this.get(this.count - 1 - i));
    const grown: (Field | undefined)[] = Array.from({ length: Math.max(8, this.#ring.length * 2) });
    // An entry keeps its number, and so gets its slot anew.
    entries.forEach((entry, i) => (grown[(this.inserted - this.count + i) & (grown.length - 1)] = entry));
    this.#ring = grown;
  }
}
