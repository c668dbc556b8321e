import { MAX_VARINT, type Reader, readVarint, varintLength, type Writer, writeVarint } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { streamId, type StreamId } from "../stream-id.ts";
import { FrameType } from "./type.ts";

/** Octets of a stream (rfc9000#19.8). `data` is a view of what was read. */
export type Stream = {
  readonly is: "STREAM";
  readonly stream: StreamId;
  readonly offset: number;
  readonly fin: boolean;
  readonly data: Uint8Array;
};

const OFF = 0x04;
const LEN = 0x02;
const FIN = 0x01;

export function read(reader: Reader, type: number): Stream | Fault {
  const stream = streamId(readVarint(reader));
  const offset = (type & OFF) === 0 ? 0 : readVarint(reader);
  const length = (type & LEN) === 0 ? reader.left : readVarint(reader);
  if (length > 0 && offset + length >= MAX_VARINT) return fault("streamOffsetTooLarge", type);
  return { is: "STREAM", stream, offset, fin: (type & FIN) !== 0, data: reader.view(length) };
}

/** Writes with a length, so that frames may follow. */
export function write(writer: Writer, { stream, offset, fin, data }: Stream): void {
  writer.u8(FrameType.STREAM | LEN | (offset === 0 ? 0 : OFF) | (fin ? FIN : 0));
  writeVarint(writer, stream);
  if (offset > 0) writeVarint(writer, offset);
  writeVarint(writer, data.length);
  writer.bytes(data);
}

/** The octets in front of the data, if there are up to `most` octets of data. */
export const overhead = (stream: StreamId, offset: number, most: number): number =>
  1 + varintLength(stream) + (offset === 0 ? 0 : varintLength(offset)) + varintLength(most);
