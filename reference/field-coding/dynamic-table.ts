import type { Field } from "../core/index.ts";

/** What an entry counts in addition to its bytes (rfc7541#4.1). */
const ENTRY_OVERHEAD = 32;
export const entrySize = (field: Field): number => field.name.length + field.value.length + ENTRY_OVERHEAD;

/** The number of slots when the first entry is inserted. */
const FIRST_LENGTH = 16;

/** First in, first out, limited by the sum of sizes (rfc7541#2.3.2, rfc7541#4). A ring: an entry is in the slot of its insertion number, modulo the length. */
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
  /** Evicts until the entry fits, then inserts it; an entry larger than the table only empties it (rfc7541#4.4). */
  insert(field: Entry): void {
    const size = entrySize(field);
    this.shrink(this.capacity - size);
    if (size <= this.capacity) this.add(field, size);
  }
  /** Sets a new capacity, and evicts what exceeds it (rfc7541#4.3). */
  resize(capacity: number): void {
    this.capacity = capacity;
    this.shrink(capacity);
  }
  /** Inserts an entry that is known to fit. */
  add(field: Entry, size: number): void {
    if (this.count === this.#ring.length) this.#grow();
    this.#ring[this.inserted & (this.#ring.length - 1)] = field;
    this.inserted++;
    this.count++;
    this.size += size;
  }
  /** Evicts the oldest entries until at most `size` is used. */
  shrink(size: number): void {
    while (this.size > size && this.count > 0) this.evict();
  }
  /** Evicts the oldest entry; there must be one. */
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
    // An entry keeps its number, which determines its new slot.
    for (let number = this.inserted - this.count; number < this.inserted; number++)
      grown[number & (grown.length - 1)] = this.#ring[number & (this.#ring.length - 1)];
    this.#ring = grown;
  }
}
