import { type Reader, readVarint, type Writer, writeVarint } from "../../core/index.ts";
import { FrameType } from "./type.ts";

/** Ends the connection (rfc9000#19.19): for the transport with the type of the frame at fault, 0 if there is none, or for the application. */
export type ConnectionClose =
  | {
      readonly is: "CONNECTION_CLOSE";
      readonly by: "transport";
      readonly code: number;
      readonly frame: number;
      readonly reason: Uint8Array;
    }
  | { readonly is: "CONNECTION_CLOSE"; readonly by: "application"; readonly code: number; readonly reason: Uint8Array };

export function read(reader: Reader, type: number): ConnectionClose {
  const code = readVarint(reader);
  if (type === FrameType.CONNECTION_CLOSE_APPLICATION) return { is: "CONNECTION_CLOSE", by: "application", code, reason: reason(reader) };
  return { is: "CONNECTION_CLOSE", by: "transport", code, frame: readVarint(reader), reason: reason(reader) };
}
const reason = (reader: Reader): Uint8Array => reader.view(readVarint(reader));

export function write(writer: Writer, close: ConnectionClose): void {
  writer.u8(close.by === "transport" ? FrameType.CONNECTION_CLOSE : FrameType.CONNECTION_CLOSE_APPLICATION);
  writeVarint(writer, close.code);
  if (close.by === "transport") writeVarint(writer, close.frame);
  writeVarint(writer, close.reason.length);
  writer.bytes(close.reason);
}
