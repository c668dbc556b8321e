import { field, type Field, Writer } from "../core/index.ts";
import { Cursor, DynamicTable, entrySize, readLongInteger, readString } from "../field-coding/index.ts";
import { BlockedSections } from "./blocked.ts";
import { writeAcknowledgment, writeCancellation, writeIncrement } from "./decoder-stream.ts";
import { type EncoderInstruction, EncoderStreamReader, type NameReference } from "./encoder-stream.ts";
import { fault, type QpackFault, type QpackFaultName } from "./faults.ts";
import { readPrefix, type SectionPrefix } from "./section-prefix.ts";
import { STATIC_TABLE } from "./static-table.ts";

/** What a decoder allows its peer, in octets where nothing else is said. */
export type DecoderLimits = {
  /** Our SETTINGS_QPACK_MAX_TABLE_CAPACITY (rfc9204#5). 4,096 by default; 0 turns the table off. */
  readonly maxTableCapacity?: number;
  /** Our SETTINGS_QPACK_BLOCKED_STREAMS: the number of streams that may wait for insertions (rfc9204#2.1.2). 16 by default. */
  readonly maxBlockedStreams?: number;
  /** The sum of name, value and 32 for each field, as in SETTINGS_MAX_FIELD_SECTION_SIZE (rfc9114#4.2.2). 16,384 by default. */
  readonly maxListSize?: number;
  /** The length of one encoded string; a longer one is a fault (rfc9204#7.4). 65,536 by default. */
  readonly maxStringLength?: number;
};

/** A section that was read, or why it cannot be. */
export type Decoded =
  | { readonly is: "fields"; readonly fields: readonly Field[] }
  /** The list exceeds `maxListSize`: `fields` are those before the limit, `size` is that of the whole list. The connection can go on. */
  | { readonly is: "tooLarge"; readonly fields: readonly Field[]; readonly size: number }
  | QpackFault;

/** A section that had to wait. */
export type Unblocked = { readonly streamId: number; readonly decoded: Decoded };
/** What instructions led to: sections that need not wait any longer, in order, and the fault that follows them. */
export type Received = { readonly unblocked: readonly Unblocked[]; readonly fault?: QpackFault };

/**
 * Decodes the sections of one direction of one connection, and keeps the table that the encoder's stream fills (rfc9204#2.2). After any input,
 * send what `take()` returns on our decoder stream. Not usable after a fault of scope `connection`.
 */
export class Decoder {
  readonly #maxCapacity: number;
  readonly #maxBlocked: number;
  readonly #maxListSize: number;
  readonly #maxStringLength: number;
  readonly #table = new DynamicTable(0);
  readonly #instructions: EncoderStreamReader;
  readonly #blocked = new BlockedSections();
  readonly #cursor = new Cursor();
  readonly #out = new Writer();
  /** The insertions that the encoder knows we have (rfc9204#2.1.4). */
  #known = 0;
  #unused = 0;
  /** Sections that the instructions of this call have freed. */
  #unblocked: Unblocked[] = [];
  /** A section that was freed has a fault of the connection. */
  #isOver = false;

  constructor(limits: DecoderLimits = {}) {
    this.#maxCapacity = limits.maxTableCapacity ?? 4_096;
    this.#maxBlocked = limits.maxBlockedStreams ?? 16;
    this.#maxListSize = limits.maxListSize ?? 16_384;
    this.#maxStringLength = limits.maxStringLength ?? 65_536;
    this.#instructions = new EncoderStreamReader(this.#maxStringLength, (instruction) => this.#apply(instruction));
  }

  /** Insertions so far (rfc9204#1.1, Insert Count). */
  get inserted(): number {
    return this.#table.inserted;
  }
  /** The entries of the dynamic table, newest first, for tests and tools. */
  get table(): readonly Field[] {
    return Array.from({ length: this.#table.count }, (_, age) => this.#table.get(age)!);
  }
  /** The size of the dynamic table (rfc9204#3.2.1). */
  get tableSize(): number {
    return this.#table.size;
  }
  /** Instructions of the encoder since a section last referred to the table: work that nothing needed. */
  get unused(): number {
    return this.#unused;
  }
  /** The number of streams that wait for insertions. */
  get blockedStreams(): number {
    return this.#blocked.count;
  }

  /**
   * Decodes one complete section of a stream. `blocked`: it waits, and `receive` returns it; the decoder keeps a copy, so do not read on from
   * that stream before (rfc9204#2.2.1). Never throws, whatever the octets.
   */
  decode(streamId: number, section: Uint8Array): Decoded | { readonly is: "blocked" } {
    const cursor = this.#cursor.open(section);
    const prefix = readPrefix(cursor, { maxCapacity: this.#maxCapacity, inserted: this.#table.inserted });
    if (cursor.fault !== undefined) return fault(cursor.fault, "section");
    if (typeof prefix === "string") return fault(prefix, "section");
    const waits = this.#blocked.has(streamId);
    if (!waits && prefix.required <= this.#table.inserted) return this.#lines(streamId, cursor, prefix);
    if (!waits && this.#blocked.count >= this.#maxBlocked) return fault("tooManyBlocked", "section");
    this.#blocked.add(streamId, { section: section.slice(), prefix, at: cursor.at });
    cursor.close();
    return { is: "blocked" };
  }

  /** Octets of the peer's encoder stream, cut anywhere. Nothing is read beyond a fault of a section or of the stream. */
  receive(octets: Uint8Array): Received {
    const wrong = this.#instructions.receive(octets);
    const unblocked = this.#unblocked;
    this.#unblocked = [];
    return wrong === undefined || this.#isOver ? { unblocked } : { unblocked, fault: wrong };
  }

  /** The stream was reset, or nobody reads it any longer: what it refers to is free (rfc9204#2.2.2.2). */
  cancel(streamId: number): void {
    this.#blocked.drop(streamId);
    // Without a table there are no references.
    if (this.#maxCapacity > 0) writeCancellation(this.#out, streamId);
  }

  /** Octets for our decoder stream. An increment covers the insertions that no acknowledgment does (rfc9204#2.2.2.3). */
  take(): Uint8Array {
    if (this.#table.inserted > this.#known) {
      writeIncrement(this.#out, this.#table.inserted - this.#known);
      this.#known = this.#table.inserted;
    }
    return this.#out.take();
  }

  #apply(instruction: EncoderInstruction): QpackFaultName | undefined {
    this.#unused += 1;
    switch (instruction.is) {
      case "capacity":
        if (instruction.capacity > this.#maxCapacity) return "capacityBeyondLimit";
        this.#table.resize(instruction.capacity);
        return undefined;
      case "duplicate": {
        const entry = this.#table.get(instruction.index);
        return entry === undefined ? "referenceEvicted" : this.#insert(entry);
      }
      case "insert": {
        const name = typeof instruction.name === "string" ? instruction.name : this.#nameAt(instruction.name);
        return name === undefined ? unknown(instruction.name) : this.#insert(field(name, instruction.value));
      }
    }
  }

  #nameAt({ table, index }: NameReference): string | undefined {
    return (table === "static" ? STATIC_TABLE[index] : this.#table.get(index))?.name;
  }

  #insert(entry: Field): QpackFaultName | undefined {
    if (entrySize(entry) > this.#table.capacity) return "entryTooLarge";
    this.#table.insert(entry);
    return this.#free();
  }

  /** Decodes the sections that waited for the newest insertion. A fault of the connection ends the reading of instructions. */
  #free(): QpackFaultName | undefined {
    for (;;) {
      const next = this.#blocked.next(this.#table.inserted);
      if (next === undefined) return undefined;
      const cursor = this.#cursor.open(next.section);
      cursor.at = next.at;
      const decoded = this.#lines(next.streamId, cursor, next.prefix);
      this.#unblocked.push({ streamId: next.streamId, decoded });
      if (decoded.is !== "fault" || decoded.scope !== "connection") continue;
      this.#isOver = true;
      return decoded.name;
    }
  }

  #lines(streamId: number, cursor: Cursor, prefix: SectionPrefix): Decoded {
    const fields: Field[] = [];
    let size = 0;
    while (cursor.at < cursor.end) {
      const found = this.#line(cursor, prefix);
      if (typeof found === "string") return fault(found, "section");
      size += entrySize(found);
      if (size <= this.#maxListSize) fields.push(found);
    }
    cursor.close();
    if (prefix.required > 0) {
      this.#unused = 0;
      writeAcknowledgment(this.#out, streamId);
      this.#known = Math.max(this.#known, prefix.required);
    }
    return size <= this.#maxListSize ? { is: "fields", fields } : { is: "tooLarge", fields, size };
  }

  #line(cursor: Cursor, prefix: SectionPrefix): Field | QpackFaultName {
    const first = cursor.octets[cursor.at]!;
    // Indexed (rfc9204#4.5.2).
    if (first >= 0x80) {
      const index = readLongInteger(cursor, 6);
      return cursor.fault ?? ((first & 0x40) === 0 ? this.#relative(index, prefix) : fixed(index));
    }
    // Literal with name reference (rfc9204#4.5.4).
    if (first >= 0x40) {
      const index = readLongInteger(cursor, 4);
      const named = cursor.fault ?? ((first & 0x10) === 0 ? this.#relative(index, prefix) : fixed(index));
      return this.#literal(cursor, named, (first & 0x20) !== 0);
    }
    // Literal with literal name (rfc9204#4.5.6).
    if (first >= 0x20) {
      const name = readString(cursor, this.#maxStringLength, 4);
      return this.#literal(cursor, cursor.fault ?? { name }, (first & 0x10) !== 0);
    }
    // Indexed with post-base index (rfc9204#4.5.3).
    if (first >= 0x10) {
      const index = readLongInteger(cursor, 4);
      return cursor.fault ?? this.#at(prefix.base + index, prefix);
    }
    // Literal with post-base name reference (rfc9204#4.5.5).
    const index = readLongInteger(cursor, 3);
    return this.#literal(cursor, cursor.fault ?? this.#at(prefix.base + index, prefix), (first & 0x08) !== 0);
  }

  #literal(cursor: Cursor, named: { readonly name: string } | QpackFaultName, sensitive: boolean): Field | QpackFaultName {
    if (typeof named === "string") return named;
    const value = readString(cursor, this.#maxStringLength);
    return cursor.fault ?? field(named.name, value, sensitive);
  }

  /** The entry `index` before the base (rfc9204#3.2.5). */
  #relative(index: number, prefix: SectionPrefix): Field | QpackFaultName {
    // Numbers beyond 2^53 are not exact: a base may be that large, but nothing can be counted from it.
    if (prefix.base > Number.MAX_SAFE_INTEGER) return "integerTooLarge";
    return index < prefix.base ? this.#at(prefix.base - index - 1, prefix) : "referenceEvicted";
  }

  /** The entry with an absolute index (rfc9204#3.2.4). */
  #at(absolute: number, { required }: SectionPrefix): Field | QpackFaultName {
    if (absolute >= required) return "referenceBeyondRequired";
    return this.#table.get(this.#table.inserted - 1 - absolute) ?? "referenceEvicted";
  }
}

const fixed = (index: number): Field | QpackFaultName => STATIC_TABLE[index] ?? "staticIndexUnknown";
const unknown = (name: string | NameReference): QpackFaultName =>
  typeof name !== "string" && name.table === "static" ? "staticIndexUnknown" : "referenceEvicted";
