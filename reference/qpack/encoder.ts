import { Defaults, type Field, Writer } from "../core/index.ts";
import { entrySize, isSecret, isWorthAnEntry, STRING_ROOM, writeInteger, writePrefixedString, writeString } from "../field-coding/index.ts";
import { type DecoderInstruction, DecoderStreamReader } from "./decoder-stream.ts";
import { type Entry, EncoderTable } from "./encoder-table.ts";
import { insertRoom, type NameReference, writeCapacity, writeDuplicate, writeInsert } from "./encoder-stream.ts";
import { fault, type QpackFault, type QpackFaultName } from "./faults.ts";
import { Outstanding } from "./outstanding.ts";
import { PREFIX_ROOM, writePrefix } from "./section-prefix.ts";
import { STATIC_NAMES, type StaticName } from "./static-names.ts";

export type EncoderOptions = {
  /** The largest dynamic table to use, in octets, whatever the peer allows. 4,096 by default; 0 turns it off. */
  readonly tableCapacity?: number;
  /** The most streams that may risk waiting for insertions, whatever the peer allows (rfc9204#2.1.2). 100 by default; with 0 no stream ever waits. */
  readonly maxBlockedStreams?: number;
  /** The most sections with references that may lack an acknowledgment. 1,000 by default; above it sections refer to the static table only. */
  readonly maxOutstanding?: number;
};
const OPTIONS = new Defaults<Required<EncoderOptions>>({ tableCapacity: 4_096, maxBlockedStreams: 100, maxOutstanding: 1_000 });

/** The peer's settings (rfc9204#5). */
export type PeerSettings = { readonly maxTableCapacity: number; readonly maxBlockedStreams: number };

/** The most octets that an integer takes. */
const INTEGER = 6;

/** A section while it is written. */
type Section = {
  /** Whether it may refer to entries without acknowledgment, and to any entry at all. */
  readonly mayRisk: boolean;
  readonly mayRefer: boolean;
  readonly base: number;
  required: number;
  oldest: Entry | undefined;
};

/**
 * Encodes the sections of one direction of one connection (rfc9204#2.1), in one pass: an entry that a section inserts it can also refer to.
 * After any input, send what `take()` returns on our encoder stream, before the sections that were encoded.
 */
export class Encoder {
  readonly #options: Required<EncoderOptions>;
  readonly #table = new EncoderTable();
  readonly #outstanding = new Outstanding();
  readonly #instructions = new DecoderStreamReader((instruction) => this.#apply(instruction));
  readonly #out = new Writer();
  /** The field lines of the section, whose prefix is known at the end. */
  readonly #lines = new Writer();
  #maxCapacity = 0;
  #maxBlocked = 0;
  /**
   * Octets that the flow control of our encoder stream has room for, beside those that wait in `take()`. An instruction is only written if it
   * fits as a whole, so that no stream waits for the rest of it (rfc9204#2.1.3).
   */
  credit = Infinity;

  constructor(options?: EncoderOptions) {
    this.#options = OPTIONS.with(options);
  }

  /** Insertions so far. */
  get inserted(): number {
    return this.#table.inserted;
  }
  /** The insertions that the decoder is known to have (rfc9204#2.1.4). */
  get known(): number {
    return this.#outstanding.known;
  }
  /** The sections with references that the decoder has not acknowledged. */
  get outstanding(): number {
    return this.#outstanding.count;
  }

  /** The peer's settings have come, or are remembered for early data. Remembered ones may only grow from 0 (rfc9204#3.2.3). */
  settings({ maxTableCapacity, maxBlockedStreams }: PeerSettings): QpackFault | undefined {
    if (this.#maxCapacity > 0 && maxTableCapacity !== this.#maxCapacity) return fault("capacityChanged", "decoder stream");
    this.#maxBlocked = Math.min(maxBlockedStreams, this.#options.maxBlockedStreams);
    const isNew = this.#maxCapacity === 0;
    this.#maxCapacity = maxTableCapacity;
    const capacity = Math.min(maxTableCapacity, this.#options.tableCapacity);
    if (isNew && capacity > 0) {
      this.#table.resize(capacity);
      writeCapacity(this.#out, capacity);
    }
    return undefined;
  }

  /** Encodes one section of a stream. Each character of a name or value is one octet, U+0000 to U+00FF: others throw `Misuse`, and nothing is written. */
  encode(streamId: number, fields: readonly Field[], writer: Writer): void {
    const section: Section = {
      mayRisk: this.#outstanding.mayRisk(streamId, this.#maxBlocked),
      mayRefer: this.#outstanding.count < this.#options.maxOutstanding,
      base: this.#table.inserted,
      required: 0,
      oldest: undefined,
    };
    const lines = this.#lines;
    try {
      for (const field of fields) this.#line(section, field);
    } catch (cause) {
      lines.rewind(0);
      throw cause;
    }
    const at = writer.claim(PREFIX_ROOM);
    writer.settle(writePrefix(writer.octets, at, section, this.#maxCapacity));
    writer.bytes(lines.view(0));
    lines.rewind(0);
    if (section.oldest !== undefined) this.#outstanding.add(streamId, { required: section.required, oldest: section.oldest });
  }

  /** Octets of the peer's decoder stream, cut anywhere. */
  receive(octets: Uint8Array): QpackFault | undefined {
    return this.#instructions.receive(octets);
  }

  /** Octets for our encoder stream. */
  take(): Uint8Array {
    return this.#out.take();
  }

  #apply(instruction: DecoderInstruction): QpackFaultName | undefined {
    switch (instruction.is) {
      case "acknowledgment":
        return this.#outstanding.acknowledge(instruction.streamId) ? undefined : "acknowledgmentUnexpected";
      case "cancellation":
        this.#outstanding.cancel(instruction.streamId);
        return undefined;
      case "increment": {
        if (instruction.by === 0) return "incrementZero";
        const known = this.#outstanding.known + instruction.by;
        if (known > this.#table.inserted) return "incrementBeyondSent";
        this.#outstanding.advance(known);
        return undefined;
      }
    }
  }

  #line(section: Section, field: Field): void {
    const known = STATIC_NAMES.get(field.name);
    if (isSecret(field, known)) {
      this.#literal(section, field, known, true);
      return;
    }
    const fixed = known?.values.get(field.value);
    if (fixed !== undefined) {
      // Indexed, static (rfc9204#4.5.2).
      this.#write(0xc0, 6, fixed);
      return;
    }
    const entry = this.#entryFor(section, field, known);
    if (entry === undefined) this.#literal(section, field, known, false);
    else this.#indexed(section, entry);
  }

  /** The entry to refer to for a field: one that the table has, or a new one. The field may get an entry although this section cannot use it. */
  #entryFor(section: Section, field: Field, known: StaticName | undefined): Entry | undefined {
    const found = this.#table.find(field);
    if (found !== undefined && !this.#table.isDraining(found)) return this.#usable(section, found);
    const size = entrySize(field);
    // A copy of an old entry outlives it (rfc9204#2.1.1.1).
    const isWorth = found !== undefined || isWorthAnEntry(known, size, this.#table.capacity);
    const fresh = isWorth ? this.#insert(section, field, found, known) : undefined;
    const entry = fresh === undefined ? undefined : this.#usable(section, fresh);
    if (entry !== undefined || found === undefined) return entry;
    // The insertion of its copy may have evicted it.
    return this.#table.has(found) ? this.#usable(section, found) : undefined;
  }

  #insert(section: Section, field: Field, copied: Entry | undefined, known: StaticName | undefined): Entry | undefined {
    const room = insertRoom(field);
    const kept = Math.min(this.#outstanding.known, section.oldest?.number ?? Infinity);
    if (room > this.credit - this.#out.length || !this.#table.hasRoom(entrySize(field), kept)) return undefined;
    if (copied === undefined) writeInsert(this.#out, this.#reference(field.name, known), field);
    else writeDuplicate(this.#out, this.#table.inserted - copied.number - 1);
    return this.#table.insert(field);
  }

  /** Where an insertion finds its name: the decoder has processed all insertions before it. */
  #reference(name: string, known: StaticName | undefined): NameReference | undefined {
    if (known !== undefined) return { table: "static", index: known.index };
    const entry = this.#table.named(name);
    return entry === undefined ? undefined : { table: "dynamic", index: this.#table.inserted - entry.number - 1 };
  }

  /** The entry, if this section may refer to it. */
  #usable({ mayRisk, mayRefer }: Section, entry: Entry): Entry | undefined {
    return mayRefer && (mayRisk || entry.number < this.#outstanding.known) ? entry : undefined;
  }

  #indexed(section: Section, entry: Entry): void {
    refer(section, entry);
    if (entry.number < section.base) this.#write(0x80, 6, section.base - entry.number - 1);
    else this.#write(0x10, 4, entry.number - section.base);
  }

  /** A literal, with the name of an entry if there is one (rfc9204#4.5.4 to rfc9204#4.5.6). */
  #literal(section: Section, { name, value }: Field, known: StaticName | undefined, never: boolean): void {
    const lines = this.#lines;
    if (known !== undefined) this.#write(never ? 0x70 : 0x50, 4, known.index);
    else {
      const named = this.#table.named(name);
      const entry = named === undefined ? undefined : this.#usable(section, named);
      if (entry === undefined) {
        const at = lines.claim(INTEGER + name.length + STRING_ROOM);
        lines.settle(writePrefixedString(lines.octets, at, name, never ? 0x30 : 0x20, 4));
      } else {
        refer(section, entry);
        if (entry.number < section.base) this.#write(never ? 0x60 : 0x40, 4, section.base - entry.number - 1);
        else this.#write(never ? 0x08 : 0x00, 3, entry.number - section.base);
      }
    }
    const at = lines.claim(INTEGER + value.length + STRING_ROOM);
    lines.settle(writeString(lines.octets, at, value));
  }

  #write(pattern: number, prefix: number, value: number): void {
    const at = this.#lines.claim(INTEGER);
    this.#lines.settle(writeInteger(this.#lines.octets, at, pattern, prefix, value));
  }
}

/** Notes a reference of the section. */
function refer(section: Section, entry: Entry): void {
  section.required = Math.max(section.required, entry.number + 1);
  if (section.oldest === undefined || entry.number < section.oldest.number) section.oldest = entry;
}
