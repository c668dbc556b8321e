import type { Field, Writer } from "../core/index.ts";
import {
  type Cursor,
  readLongInteger,
  readString,
  STRING_ROOM,
  writeInteger,
  writePrefixedString,
  writeString,
} from "../field-coding/index.ts";
import { InstructionBuffer } from "./instruction-buffer.ts";
import type { QpackFault, QpackFaultName } from "./faults.ts";

/** An entry whose name an insertion takes: by its index in the static table, or how many insertions ago it came, 0 the newest (rfc9204#3.2.5). */
export type NameReference = { readonly table: "static" | "dynamic"; readonly index: number };

/** What an encoder says on its stream (rfc9204#4.3). */
export type EncoderInstruction =
  | { readonly is: "capacity"; readonly capacity: number }
  | { readonly is: "insert"; readonly name: string | NameReference; readonly value: string }
  | { readonly is: "duplicate"; readonly index: number };

/** The most octets that an instruction has beside its strings: two integers, and the room that strings need. */
const OVERHEAD = 2 * 6 + 2 * STRING_ROOM;

/** Reads instructions, cut anywhere. `apply` gets each one when its last octet is here, and returns the name of a fault to stop. */
export class EncoderStreamReader {
  readonly #buffer: InstructionBuffer;
  readonly #maxStringLength: number;
  readonly #apply: (instruction: EncoderInstruction) => QpackFaultName | undefined;
  /** The name of an insertion whose value is not complete, so that it is read once, whatever the cuts. */
  #name: string | NameReference | undefined;

  constructor(maxStringLength: number, apply: (instruction: EncoderInstruction) => QpackFaultName | undefined) {
    this.#buffer = new InstructionBuffer("encoder stream", maxStringLength + STRING_ROOM);
    this.#maxStringLength = maxStringLength;
    this.#apply = apply;
  }

  receive(octets: Uint8Array): QpackFault | undefined {
    return this.#buffer.receive(octets, (cursor) => this.#one(cursor));
  }

  #one(cursor: Cursor): QpackFaultName | undefined {
    if (this.#name !== undefined) return this.#value(cursor, this.#name);
    const first = cursor.octets[cursor.at]!;
    if (first >= 0x80) {
      const index = readLongInteger(cursor, 6);
      if (cursor.fault === undefined) this.#name = { table: (first & 0x40) === 0 ? "dynamic" : "static", index };
      return undefined;
    }
    if (first >= 0x40) {
      const name = readString(cursor, this.#maxStringLength, 6);
      if (cursor.fault === undefined) this.#name = name;
      return undefined;
    }
    const number = readLongInteger(cursor, 5);
    if (cursor.fault !== undefined) return undefined;
    return this.#apply(first >= 0x20 ? { is: "capacity", capacity: number } : { is: "duplicate", index: number });
  }

  #value(cursor: Cursor, name: string | NameReference): QpackFaultName | undefined {
    const value = readString(cursor, this.#maxStringLength);
    if (cursor.fault !== undefined) return undefined;
    this.#name = undefined;
    return this.#apply({ is: "insert", name, value });
  }
}

/** Set Dynamic Table Capacity (rfc9204#4.3.1). */
export function writeCapacity(writer: Writer, capacity: number): void {
  const at = writer.claim(OVERHEAD);
  writer.settle(writeInteger(writer.octets, at, 0x20, 5, capacity));
}

/** Insert with Name Reference, or with Literal Name (rfc9204#4.3.2, rfc9204#4.3.3). Throws `Misuse` if a character is above U+00FF; nothing is written then. */
export function writeInsert(writer: Writer, reference: NameReference | undefined, { name, value }: Field): void {
  const begin = writer.claim(OVERHEAD + name.length + value.length);
  const { octets } = writer;
  try {
    const at =
      reference === undefined
        ? writePrefixedString(octets, begin, name, 0x40, 6)
        : writeInteger(octets, begin, reference.table === "static" ? 0xc0 : 0x80, 6, reference.index);
    writer.settle(writeString(octets, at, value));
  } catch (cause) {
    writer.settle(begin);
    throw cause;
  }
}

/** Duplicate (rfc9204#4.3.4). */
export function writeDuplicate(writer: Writer, index: number): void {
  const at = writer.claim(OVERHEAD);
  writer.settle(writeInteger(writer.octets, at, 0x00, 5, index));
}

/** The most octets that the insertion of a field takes on the stream. */
export const insertRoom = ({ name, value }: Field): number => OVERHEAD + name.length + value.length;
