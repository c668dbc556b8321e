import type { Writer } from "../core/index.ts";
import { type Cursor, readLongInteger, writeInteger } from "../field-coding/index.ts";
import { InstructionBuffer } from "./instruction-buffer.ts";
import type { QpackFault, QpackFaultName } from "./faults.ts";

/** What a decoder says on its stream (rfc9204#4.4). */
export type DecoderInstruction =
  | { readonly is: "acknowledgment"; readonly streamId: number }
  | { readonly is: "cancellation"; readonly streamId: number }
  | { readonly is: "increment"; readonly by: number };

/** The most octets of an instruction: an identifier of 62 bits. */
const ROOM = 10;

/** Reads instructions, cut anywhere. `apply` gets each one when its last octet is here, and returns the name of a fault to stop. */
export class DecoderStreamReader {
  readonly #buffer = new InstructionBuffer("decoder stream", ROOM);
  readonly #apply: (instruction: DecoderInstruction) => QpackFaultName | undefined;

  constructor(apply: (instruction: DecoderInstruction) => QpackFaultName | undefined) {
    this.#apply = apply;
  }

  receive(octets: Uint8Array): QpackFault | undefined {
    return this.#buffer.receive(octets, (cursor) => this.#one(cursor));
  }

  #one(cursor: Cursor): QpackFaultName | undefined {
    const first = cursor.octets[cursor.at]!;
    const number = readLongInteger(cursor, first >= 0x80 ? 7 : 6);
    if (cursor.fault !== undefined) return undefined;
    if (first >= 0x80) return this.#apply({ is: "acknowledgment", streamId: number });
    return this.#apply(first >= 0x40 ? { is: "cancellation", streamId: number } : { is: "increment", by: number });
  }
}

const write = (writer: Writer, pattern: number, prefix: number, value: number): void => {
  const at = writer.claim(ROOM);
  writer.settle(writeInteger(writer.octets, at, pattern, prefix, value));
};

/** Section Acknowledgment (rfc9204#4.4.1). */
export const writeAcknowledgment = (writer: Writer, streamId: number): void => write(writer, 0x80, 7, streamId);
/** Stream Cancellation (rfc9204#4.4.2). */
export const writeCancellation = (writer: Writer, streamId: number): void => write(writer, 0x40, 6, streamId);
/** Insert Count Increment (rfc9204#4.4.3). */
export const writeIncrement = (writer: Writer, by: number): void => write(writer, 0x00, 6, by);
