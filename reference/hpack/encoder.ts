import type { Field, Writer } from "../core/index.ts";
import { entrySize, isSecret, isWorthAnEntry, STRING_ROOM, writeInteger, writeString } from "../field-coding/index.ts";
import { EncoderTable } from "./encoder-table.ts";
import { STATIC_NAMES } from "./static-names.ts";

export type EncoderOptions = {
  /** The largest dynamic table to use, whatever the peer allows. 4,096 by default; 0 turns it off. */
  readonly tableSize?: number;
  /** The peer's SETTINGS_HEADER_TABLE_SIZE at the start. 4,096 by default (rfc9113#6.5.2). */
  readonly maxTableSize?: number;
};

/** The most bytes that an integer takes. */
const INTEGER = 6;

/** Encodes the field lists of one direction of one connection, in the order in which they are sent (rfc7541#2.2). */
export class Encoder {
  readonly #table: EncoderTable;
  readonly #own: number;
  #maxTableSize: number;
  /** The smallest capacity since the last block, if the decoder must learn of it (rfc7541#4.2). */
  #smallest: number | undefined;

  constructor(options: EncoderOptions = {}) {
    this.#own = options.tableSize ?? 4_096;
    this.#maxTableSize = options.maxTableSize ?? 4_096;
    this.#table = new EncoderTable(this.#maxTableSize);
    if (this.#own < this.#maxTableSize) this.#resize(this.#own);
  }

  get maxTableSize(): number {
    return this.#maxTableSize;
  }
  /** The peer's SETTINGS_HEADER_TABLE_SIZE, once we acknowledge it. The next block carries the size update. */
  set maxTableSize(size: number) {
    const capacity = Math.min(size, this.#own);
    if (capacity !== this.#table.capacity || size < this.#maxTableSize) this.#resize(capacity);
    this.#maxTableSize = size;
  }

  /** Encodes one block. Each character of a name or value is one byte, U+0000 to U+00FF: others throw `Misuse`, and nothing is written. */
  encode(fields: readonly Field[], writer: Writer): void {
    let room = 2 * INTEGER + fields.length * (INTEGER + 2 * STRING_ROOM);
    for (const { name, value } of fields) room += name.length + value.length;
    const begin = writer.claim(room);
    const { octets } = writer;
    try {
      let at = this.#sizeUpdates(octets, begin);
      for (const field of fields) at = this.#representation(octets, at, field);
      writer.settle(at);
    } catch (cause) {
      // The peer never sees this block, but the table already has its entries: the next block empties both tables.
      writer.settle(begin);
      this.#clear();
      throw cause;
    }
  }

  #resize(capacity: number): void {
    this.#table.resize(capacity);
    this.#smallest = Math.min(this.#smallest ?? capacity, capacity);
  }

  #clear(): void {
    const { capacity } = this.#table;
    this.#resize(0);
    this.#resize(capacity);
  }

  /** The smallest capacity since the last block, then the current one (rfc7541#4.2). */
  #sizeUpdates(octets: Uint8Array, at: number): number {
    if (this.#smallest === undefined) return at;
    const { capacity } = this.#table;
    if (this.#smallest < capacity) at = writeInteger(octets, at, 0x20, 5, this.#smallest);
    this.#smallest = undefined;
    return writeInteger(octets, at, 0x20, 5, capacity);
  }

  #representation(octets: Uint8Array, at: number, field: Field): number {
    const known = STATIC_NAMES.get(field.name);
    const secret = isSecret(field, known);
    const found = this.#table.find(field, known);
    // Indexed (rfc7541#6.1).
    if (found > 0 && !secret) return writeInteger(octets, at, 0x80, 7, found);
    const name = Math.abs(found);
    const size = entrySize(field);
    if (!secret && isWorthAnEntry(known, size, this.#table.capacity)) {
      // Literal with incremental indexing (rfc7541#6.2.1).
      at = writeInteger(octets, at, 0x40, 6, name);
      this.#table.insert(field, known, size);
    } else {
      // Literal never indexed (rfc7541#6.2.3), or without indexing (rfc7541#6.2.2).
      at = writeInteger(octets, at, secret ? 0x10 : 0x00, 4, name);
    }
    if (name === 0) at = writeString(octets, at, field.name);
    return writeString(octets, at, field.value);
  }
}
