import { type Reader, readVarint, varintLength, type Writer, writeVarint } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { FrameType } from "./type.ts";

/** Packet numbers from `smallest` to `largest`, both included. */
export type Range = { readonly smallest: number; readonly largest: number };
/** How many packets arrived with each mark (rfc9000#19.3.2). */
export type EcnCounts = { readonly ect0: number; readonly ect1: number; readonly ce: number };

/**
 * Acknowledges packets (rfc9000#19.3). `ranges` descend, and are neither empty nor adjacent. `delay` is in units of the sender's
 * ack_delay_exponent.
 */
export type Ack = { readonly is: "ACK"; readonly delay: number; readonly ranges: readonly Range[]; readonly ecn?: EcnCounts };

export function read(reader: Reader, type: number): Ack | Fault {
  const largest = readVarint(reader);
  const delay = readVarint(reader);
  let left = readVarint(reader);
  const ranges: Range[] = [];
  let smallest = largest - readVarint(reader);
  if (smallest < 0) return fault("ackRangeNegative", type);
  ranges.push({ smallest, largest });
  for (; left > 0 && !reader.short; left--) {
    const next = smallest - readVarint(reader) - 2;
    smallest = next - readVarint(reader);
    if (smallest < 0 && !reader.short) return fault("ackRangeNegative", type);
    ranges.push({ smallest, largest: next });
  }
  if (type === FrameType.ACK) return { is: "ACK", delay, ranges };
  return { is: "ACK", delay, ranges, ecn: { ect0: readVarint(reader), ect1: readVarint(reader), ce: readVarint(reader) } };
}

export function write(writer: Writer, { delay, ranges, ecn }: Ack): void {
  const first = ranges[0]!;
  writer.u8(ecn === undefined ? FrameType.ACK : FrameType.ACK_ECN);
  writeVarint(writer, first.largest);
  writeVarint(writer, delay);
  writeVarint(writer, ranges.length - 1);
  writeVarint(writer, first.largest - first.smallest);
  for (let at = 1; at < ranges.length; at++) {
    const { smallest, largest } = ranges[at]!;
    writeVarint(writer, ranges[at - 1]!.smallest - largest - 2);
    writeVarint(writer, largest - smallest);
  }
  if (ecn === undefined) return;
  writeVarint(writer, ecn.ect0);
  writeVarint(writer, ecn.ect1);
  writeVarint(writer, ecn.ce);
}

/** As many of the highest ranges as fit into `room` octets; undefined if not even one does. */
export function fitting(ack: Ack, room: number): Ack | undefined {
  const { delay, ranges, ecn } = ack;
  const first = ranges[0]!;
  // The count of ranges is reckoned as two octets, which hold any number that fits into a packet.
  let length = 1 + varintLength(first.largest) + varintLength(delay) + 2 + varintLength(first.largest - first.smallest);
  if (ecn !== undefined) length += varintLength(ecn.ect0) + varintLength(ecn.ect1) + varintLength(ecn.ce);
  if (length > room) return undefined;
  for (let at = 1; at < ranges.length; at++) {
    const { smallest, largest } = ranges[at]!;
    length += varintLength(ranges[at - 1]!.smallest - largest - 2) + varintLength(largest - smallest);
    if (length > room) return { ...ack, ranges: ranges.slice(0, at) };
  }
  return ack;
}
