import type { Field } from "../core/index.ts";
import { Cursor, DynamicTable, entrySize, readInteger, readString } from "../field-coding/index.ts";
import { fault, type HpackFault, type HpackFaultName } from "./faults.ts";
import { STATIC_TABLE } from "./static-table.ts";

/** What a decoder allows its peer, in bytes. */
export type DecoderLimits = {
  /** SETTINGS_HEADER_TABLE_SIZE that the encoder assumes at the start (rfc9113#6.5.2). 4,096 by default. */
  readonly maxTableSize?: number;
  /** The sum of name, value and 32 for each field, as in SETTINGS_MAX_HEADER_LIST_SIZE (rfc9113#6.5.2). 16,384 by default. */
  readonly maxListSize?: number;
  /** The length of one string in the block; a longer one is a fault. 65,536 by default. */
  readonly maxStringLength?: number;
};

export type Decoded =
  | { readonly is: "fields"; readonly fields: readonly Field[] }
  /** The list exceeds `maxListSize`: `fields` are those before the limit, `size` is that of the whole list. The tables are in step, so decoding can go on. */
  | { readonly is: "tooLarge"; readonly fields: readonly Field[]; readonly size: number }
  | HpackFault;

/** Decodes the blocks of one direction of one connection, in the order of their arrival (rfc7541#2.2). Not usable after a fault. */
export class Decoder {
  readonly #table: DynamicTable;
  /** Created with the first block: an idle connection has none. */
  #cursor: Cursor | undefined;
  readonly #maxListSize: number;
  readonly #maxStringLength: number;
  #maxTableSize: number;
  /** The smallest limit set since the last block, if the table exceeds it: the encoder must send a size update. */
  #owed: number | undefined;

  constructor(limits: DecoderLimits = {}) {
    this.#maxTableSize = limits.maxTableSize ?? 4_096;
    this.#maxListSize = limits.maxListSize ?? 16_384;
    this.#maxStringLength = limits.maxStringLength ?? 65_536;
    this.#table = new DynamicTable(this.#maxTableSize);
  }

  get maxTableSize(): number {
    return this.#maxTableSize;
  }
  /** Our SETTINGS_HEADER_TABLE_SIZE, once acknowledged. If the table is larger, the next block must begin with a size update (rfc7541#4.2). */
  set maxTableSize(size: number) {
    this.#maxTableSize = size;
    if (size < (this.#owed ?? this.#table.capacity)) this.#owed = size;
  }

  /** The entries of the dynamic table, newest first, for tests and tools. */
  get table(): readonly Field[] {
    return Array.from({ length: this.#table.count }, (_, age) => this.#table.get(age)!);
  }
  /** The size of the dynamic table (rfc7541#4.1). */
  get tableSize(): number {
    return this.#table.size;
  }

  /** Decodes one complete block. Never throws, whatever the bytes. */
  decode(block: Uint8Array): Decoded {
    const cursor = (this.#cursor ??= new Cursor()).open(block);
    const fields: Field[] = [];
    let size = 0;
    const late = this.#sizeUpdates(cursor);
    if (late !== undefined) return fault(late);
    while (cursor.at < cursor.end) {
      const found = this.#representation(cursor);
      if (typeof found === "string") return fault(found);
      size += entrySize(found);
      if (size <= this.#maxListSize) fields.push(found);
    }
    cursor.close();
    return size <= this.#maxListSize ? { is: "fields", fields } : { is: "tooLarge", fields, size };
  }

  /** The size updates that a block may begin with (rfc7541#4.2, rfc7541#6.3). */
  #sizeUpdates(cursor: Cursor): HpackFaultName | undefined {
    while (cursor.at < cursor.end && (cursor.octets[cursor.at]! & 0xe0) === 0x20) {
      const size = readInteger(cursor, 5);
      if (cursor.fault !== undefined) return cursor.fault;
      if (size > this.#maxTableSize) return "sizeUpdateBeyondLimit";
      this.#table.resize(size);
      if (this.#owed !== undefined && size <= this.#owed) this.#owed = undefined;
    }
    return this.#owed === undefined ? undefined : "sizeUpdateMissing";
  }

  #representation(cursor: Cursor): Field | HpackFaultName {
    const first = cursor.octets[cursor.at]!;
    // Indexed field (rfc7541#6.1).
    if (first >= 0x80) {
      const entry = this.#entry(readInteger(cursor, 7));
      return cursor.fault ?? entry;
    }
    // Literal with incremental indexing (rfc7541#6.2.1).
    if (first >= 0x40) {
      const field = this.#literal(cursor, 6, false);
      if (typeof field !== "string") this.#table.insert(field);
      return field;
    }
    if (first >= 0x20) return "sizeUpdateLate";
    // Literal never indexed, or without indexing (rfc7541#6.2.3, rfc7541#6.2.2).
    return this.#literal(cursor, 4, first >= 0x10);
  }

  #literal(cursor: Cursor, prefix: number, sensitive: boolean): Field | HpackFaultName {
    const index = readInteger(cursor, prefix);
    let name: string;
    if (index === 0) name = readString(cursor, this.#maxStringLength);
    else {
      const named = this.#entry(index);
      if (typeof named === "string") return named;
      name = named.name;
    }
    const value = readString(cursor, this.#maxStringLength);
    return cursor.fault ?? { name, value, sensitive };
  }

  /** The entry at an index, counted over both tables (rfc7541#2.3.3). */
  #entry(index: number): Field | HpackFaultName {
    if (index === 0) return "indexZero";
    if (index <= STATIC_TABLE.length) return STATIC_TABLE[index - 1]!;
    return this.#table.get(index - STATIC_TABLE.length - 1) ?? "indexBeyondTables";
  }
}
