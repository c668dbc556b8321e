import { type Reader, readVarint, type Writer, writeVarint } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { FrameType } from "./type.ts";

/** The longest connection ID of versions 1 and 2 (rfc9000#17.2). */
export const MAX_ID_LENGTH = 20;
/** The length of a stateless reset token (rfc9000#10.3). */
export const RESET_TOKEN_LENGTH = 16;

/** Gives the peer another ID for us (rfc9000#19.15). `id` and `resetToken` are views of what was read. */
export type NewConnectionId = {
  readonly is: "NEW_CONNECTION_ID";
  readonly sequence: number;
  readonly retirePriorTo: number;
  readonly id: Uint8Array;
  readonly resetToken: Uint8Array;
};

export function read(reader: Reader, type: number): NewConnectionId | Fault {
  const sequence = readVarint(reader);
  const retirePriorTo = readVarint(reader);
  const length = reader.u8();
  if (reader.short) return fault("frameTruncated", type);
  if (length < 1 || length > MAX_ID_LENGTH) return fault("newConnectionIdLengthWrong", type);
  if (retirePriorTo > sequence) return fault("retirePriorToTooLarge", type);
  return { is: "NEW_CONNECTION_ID", sequence, retirePriorTo, id: reader.view(length), resetToken: reader.view(RESET_TOKEN_LENGTH) };
}

export function write(writer: Writer, { sequence, retirePriorTo, id, resetToken }: NewConnectionId): void {
  writer.u8(FrameType.NEW_CONNECTION_ID);
  writeVarint(writer, sequence);
  writeVarint(writer, retirePriorTo);
  writer.u8(id.length).bytes(id).bytes(resetToken);
}
