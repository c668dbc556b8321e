import { type Reader, readVarint, type Writer, writeVarint } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { MAX_STREAMS, streamId, type Direction, type StreamId } from "../stream-id.ts";
import { FrameType } from "./type.ts";

/** What the sender accepts (rfc9000#19.9, rfc9000#19.10, rfc9000#19.11), and where it is held up (rfc9000#19.12 to rfc9000#19.14). */
export type Limit =
  | { readonly is: "MAX_DATA"; readonly max: number }
  | { readonly is: "MAX_STREAM_DATA"; readonly stream: StreamId; readonly max: number }
  | { readonly is: "MAX_STREAMS"; readonly direction: Direction; readonly max: number }
  | { readonly is: "DATA_BLOCKED"; readonly limit: number }
  | { readonly is: "STREAM_DATA_BLOCKED"; readonly stream: StreamId; readonly limit: number }
  | { readonly is: "STREAMS_BLOCKED"; readonly direction: Direction; readonly limit: number };

const directionOf = (type: number): Direction => ((type & 1) === 0 ? "bidirectional" : "unidirectional");
const bitOf = (direction: Direction): number => (direction === "bidirectional" ? 0 : 1);

export function read(reader: Reader, type: number): Limit | Fault {
  switch (type) {
    case FrameType.MAX_DATA:
      return { is: "MAX_DATA", max: readVarint(reader) };
    case FrameType.MAX_STREAM_DATA:
      return { is: "MAX_STREAM_DATA", stream: streamId(readVarint(reader)), max: readVarint(reader) };
    case FrameType.DATA_BLOCKED:
      return { is: "DATA_BLOCKED", limit: readVarint(reader) };
    case FrameType.STREAM_DATA_BLOCKED:
      return { is: "STREAM_DATA_BLOCKED", stream: streamId(readVarint(reader)), limit: readVarint(reader) };
    default: {
      const count = readVarint(reader);
      const isMax = type < FrameType.DATA_BLOCKED;
      if (count > MAX_STREAMS) return fault(isMax ? "maxStreamsTooLarge" : "streamsBlockedTooLarge", type);
      const direction = directionOf(type);
      return isMax ? { is: "MAX_STREAMS", direction, max: count } : { is: "STREAMS_BLOCKED", direction, limit: count };
    }
  }
}

export function write(writer: Writer, frame: Limit): void {
  switch (frame.is) {
    case "MAX_STREAMS":
    case "STREAMS_BLOCKED":
      writer.u8(FrameType[frame.is] | bitOf(frame.direction));
      break;
    default:
      writer.u8(FrameType[frame.is]);
      if ("stream" in frame) writeVarint(writer, frame.stream);
  }
  writeVarint(writer, "max" in frame ? frame.max : frame.limit);
}
