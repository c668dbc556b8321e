import { type Reader, readVarint, type Writer, writeVarint } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { streamId, type StreamId } from "../stream-id.ts";
import { FrameType } from "./type.ts";

/** The octets of a path challenge (rfc9000#19.17). */
const CHALLENGE_LENGTH = 8;

/** Frames of few members (rfc9000#19.1 to rfc9000#19.20, rfc9221#4). Octets are views of what was read. */
export type Small =
  /** Octets of padding in a row. */
  | { readonly is: "PADDING"; readonly length: number }
  | { readonly is: "PING" }
  | { readonly is: "RESET_STREAM"; readonly stream: StreamId; readonly code: number; readonly finalSize: number }
  | { readonly is: "STOP_SENDING"; readonly stream: StreamId; readonly code: number }
  | { readonly is: "NEW_TOKEN"; readonly token: Uint8Array }
  | { readonly is: "RETIRE_CONNECTION_ID"; readonly sequence: number }
  | { readonly is: "PATH_CHALLENGE"; readonly data: Uint8Array }
  | { readonly is: "PATH_RESPONSE"; readonly data: Uint8Array }
  | { readonly is: "HANDSHAKE_DONE" }
  | { readonly is: "DATAGRAM"; readonly data: Uint8Array };

export function read(reader: Reader, type: number): Small | Fault {
  switch (type) {
    case FrameType.PING:
      return { is: "PING" };
    case FrameType.RESET_STREAM:
      return { is: "RESET_STREAM", stream: streamId(readVarint(reader)), code: readVarint(reader), finalSize: readVarint(reader) };
    case FrameType.STOP_SENDING:
      return { is: "STOP_SENDING", stream: streamId(readVarint(reader)), code: readVarint(reader) };
    case FrameType.NEW_TOKEN: {
      const token = reader.view(readVarint(reader));
      return token.length === 0 && !reader.short ? fault("newTokenEmpty", type) : { is: "NEW_TOKEN", token };
    }
    case FrameType.RETIRE_CONNECTION_ID:
      return { is: "RETIRE_CONNECTION_ID", sequence: readVarint(reader) };
    case FrameType.PATH_CHALLENGE:
      return { is: "PATH_CHALLENGE", data: reader.view(CHALLENGE_LENGTH) };
    case FrameType.PATH_RESPONSE:
      return { is: "PATH_RESPONSE", data: reader.view(CHALLENGE_LENGTH) };
    case FrameType.HANDSHAKE_DONE:
      return { is: "HANDSHAKE_DONE" };
    case FrameType.DATAGRAM:
      return { is: "DATAGRAM", data: reader.rest() };
    default:
      return { is: "DATAGRAM", data: reader.view(readVarint(reader)) };
  }
}

function writePadding(writer: Writer, length: number): void {
  const at = writer.claim(length);
  writer.octets.fill(0, at, at + length);
}

export function write(writer: Writer, frame: Small): void {
  switch (frame.is) {
    case "PADDING":
      writePadding(writer, frame.length);
      return;
    case "DATAGRAM":
      writer.u8(FrameType.DATAGRAM | 1);
      writeVarint(writer, frame.data.length);
      writer.bytes(frame.data);
      return;
    default:
      writer.u8(FrameType[frame.is]);
  }
  switch (frame.is) {
    case "RESET_STREAM":
      writeVarint(writer, frame.stream);
      writeVarint(writer, frame.code);
      writeVarint(writer, frame.finalSize);
      return;
    case "STOP_SENDING":
      writeVarint(writer, frame.stream);
      writeVarint(writer, frame.code);
      return;
    case "NEW_TOKEN":
      writeVarint(writer, frame.token.length);
      writer.bytes(frame.token);
      return;
    case "RETIRE_CONNECTION_ID":
      writeVarint(writer, frame.sequence);
      return;
    case "PATH_CHALLENGE":
    case "PATH_RESPONSE":
      writer.bytes(frame.data);
  }
}
