import { type Reader, readVarint, varintLength, Writer } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import * as ack from "./ack.ts";
import * as connectionClose from "./connection-close.ts";
import * as crypto from "./crypto.ts";
import * as limits from "./limits.ts";
import * as newConnectionId from "./new-connection-id.ts";
import * as small from "./small.ts";
import * as stream from "./stream.ts";
import { FrameType, isAllowedIn, RULES, type FrameName, type PacketType } from "./type.ts";

export type Frame =
  | ack.Ack
  | stream.Stream
  | crypto.Crypto
  | newConnectionId.NewConnectionId
  | connectionClose.ConnectionClose
  | limits.Limit
  | small.Small;

type Read = (reader: Reader, type: number) => Frame | Fault;
type Row = { readonly name: FrameName; readonly read: Read };

const READERS: Readonly<Record<FrameName, Read>> = {
  PADDING: small.read,
  PING: small.read,
  ACK: ack.read,
  RESET_STREAM: small.read,
  STOP_SENDING: small.read,
  CRYPTO: crypto.read,
  NEW_TOKEN: small.read,
  STREAM: stream.read,
  MAX_DATA: limits.read,
  MAX_STREAM_DATA: limits.read,
  MAX_STREAMS: limits.read,
  DATA_BLOCKED: limits.read,
  STREAM_DATA_BLOCKED: limits.read,
  STREAMS_BLOCKED: limits.read,
  NEW_CONNECTION_ID: newConnectionId.read,
  RETIRE_CONNECTION_ID: small.read,
  PATH_CHALLENGE: small.read,
  PATH_RESPONSE: small.read,
  CONNECTION_CLOSE: connectionClose.read,
  HANDSHAKE_DONE: small.read,
  DATAGRAM: small.read,
};
/** A row for each type, in the order of the types. */
const ROWS: readonly (Row | undefined)[] = (() => {
  const rows: (Row | undefined)[] = Array.from({ length: FrameType.DATAGRAM + 2 });
  for (const name of Object.keys(RULES) as FrameName[]) {
    const [first, last] = RULES[name].types;
    for (let type = first; type <= last; type++) rows[type] = { name, read: READERS[name] };
  }
  return rows;
})();

/** Reads the next frame of a packet's payload, or returns the fault in its form or place. Octets are views of the payload. */
export function readFrame(reader: Reader, packet: PacketType): Frame | Fault {
  const before = reader.left;
  const type = readVarint(reader);
  if (reader.short) return fault("frameTruncated");
  const row = ROWS[type];
  if (row === undefined) return fault("frameTypeUnknown", type);
  if (before - reader.left !== varintLength(type)) return fault("frameTypeOverlong", type);
  if (!isAllowedIn(row.name, type, packet)) return fault("frameInWrongPacket", type);
  if (type === FrameType.PADDING) return { is: "PADDING", length: 1 };
  const frame = row.read(reader, type);
  return reader.short ? fault("frameTruncated", type) : frame;
}

/** Writes a frame as given, without judging whether it makes sense. */
export function writeFrame(writer: Writer, frame: Frame): void {
  switch (frame.is) {
    case "ACK":
      return ack.write(writer, frame);
    case "STREAM":
      return stream.write(writer, frame);
    case "CRYPTO":
      return crypto.write(writer, frame);
    case "NEW_CONNECTION_ID":
      return newConnectionId.write(writer, frame);
    case "CONNECTION_CLOSE":
      return connectionClose.write(writer, frame);
    case "MAX_DATA":
    case "MAX_STREAM_DATA":
    case "MAX_STREAMS":
    case "DATA_BLOCKED":
    case "STREAM_DATA_BLOCKED":
    case "STREAMS_BLOCKED":
      return limits.write(writer, frame);
    default:
      return small.write(writer, frame);
  }
}

/** The octets that a frame takes when it is written. */
export function frameLength(frame: Frame): number {
  const writer = new Writer();
  writeFrame(writer, frame);
  return writer.length;
}

export { fitting as fittingAck, type Ack, type Range } from "./ack.ts";
export { overhead as cryptoOverhead } from "./crypto.ts";
export { overhead as streamOverhead, type Stream } from "./stream.ts";
export type { ConnectionClose } from "./connection-close.ts";
export { MAX_ID_LENGTH, RESET_TOKEN_LENGTH, type NewConnectionId } from "./new-connection-id.ts";
export { FrameType, isAckEliciting, isInFlight, isProbing, type PacketType } from "./type.ts";
