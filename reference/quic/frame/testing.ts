import fc from "fast-check";
import { Reader, Writer } from "../../core/index.ts";
import type { Fault } from "../faults.ts";
import { streamId } from "../stream-id.ts";
import { fromHex, toHex } from "../testing.ts";
import { readFrame, writeFrame, type Frame, type PacketType } from "./index.ts";

/** Reads one frame in hexadecimal; a refusal is its name and code, and octets that follow are shown. */
export function readHex(text: string, packet: PacketType = "1-RTT"): Frame | string {
  const reader = new Reader(fromHex(text));
  const frame = readFrame(reader, packet);
  if (frame.is === "fault") return sayFault(frame);
  return reader.left === 0 ? frame : `${frame.is} and ${reader.left} octets`;
}
export const sayFault = (fault: Fault): string => `${fault.name} (${fault.scope === "connection" ? fault.code : "discard"})`;

export function writeHex(frame: Frame): string {
  const writer = new Writer();
  writeFrame(writer, frame);
  return toHex(writer.take());
}

const integer = fc.oneof(fc.nat(63), fc.nat(16_383), fc.nat(2 ** 30 - 1), fc.maxSafeNat());
const small = fc.nat(2 ** 30);
const stream = integer.map(streamId);
const octetsOf = (minLength: number, maxLength: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength, maxLength });
const direction = fc.constantFrom("bidirectional", "unidirectional");
const count = fc.nat(2 ** 31 - 1);

const ack = fc
  .record({ first: fc.tuple(small, fc.nat(9)), gaps: fc.array(fc.tuple(fc.nat(200), fc.nat(200)), { maxLength: 20 }), delay: integer })
  .map(({ first, gaps, delay }): Frame => {
    const ranges = [{ smallest: first[0], largest: first[0] + first[1] }];
    for (const [gap, length] of gaps) {
      const smallest = ranges.at(-1)!.largest + gap + 2;
      ranges.push({ smallest, largest: smallest + length });
    }
    return { is: "ACK", delay, ranges: ranges.reverse() };
  });

/** Any frame that can be written. */
export const anyFrame: fc.Arbitrary<Frame> = fc.oneof(
  ack,
  fc.tuple(ack, fc.tuple(integer, integer, integer)).map(([frame, [ect0, ect1, ce]]) => ({ ...frame, ecn: { ect0, ect1, ce } }) as Frame),
  fc.record({ is: fc.constant("STREAM"), stream, offset: integer, fin: fc.boolean(), data: octetsOf(0, 100) }),
  fc.record({ is: fc.constant("CRYPTO"), offset: integer, data: octetsOf(0, 100) }),
  fc.record({
    is: fc.constant("NEW_CONNECTION_ID"),
    sequence: fc.constant(9),
    retirePriorTo: fc.nat(9),
    id: octetsOf(1, 20),
    resetToken: octetsOf(16, 16),
  }),
  fc.record({ is: fc.constant("CONNECTION_CLOSE"), by: fc.constant("transport"), code: integer, frame: integer, reason: octetsOf(0, 30) }),
  fc.record({ is: fc.constant("CONNECTION_CLOSE"), by: fc.constant("application"), code: integer, reason: octetsOf(0, 30) }),
  fc.record({ is: fc.constant("MAX_DATA"), max: integer }),
  fc.record({ is: fc.constant("MAX_STREAM_DATA"), stream, max: integer }),
  fc.record({ is: fc.constant("MAX_STREAMS"), direction, max: count }),
  fc.record({ is: fc.constant("DATA_BLOCKED"), limit: integer }),
  fc.record({ is: fc.constant("STREAM_DATA_BLOCKED"), stream, limit: integer }),
  fc.record({ is: fc.constant("STREAMS_BLOCKED"), direction, limit: count }),
  fc.record({ is: fc.constant("PADDING"), length: fc.constant(1) }),
  fc.record({ is: fc.constant("PING") }),
  fc.record({ is: fc.constant("RESET_STREAM"), stream, code: integer, finalSize: integer }),
  fc.record({ is: fc.constant("STOP_SENDING"), stream, code: integer }),
  fc.record({ is: fc.constant("NEW_TOKEN"), token: octetsOf(1, 60) }),
  fc.record({ is: fc.constant("RETIRE_CONNECTION_ID"), sequence: integer }),
  fc.record({ is: fc.constant("PATH_CHALLENGE"), data: octetsOf(8, 8) }),
  fc.record({ is: fc.constant("PATH_RESPONSE"), data: octetsOf(8, 8) }),
  fc.record({ is: fc.constant("HANDSHAKE_DONE") }),
  fc.record({ is: fc.constant("DATAGRAM"), data: octetsOf(0, 100) }),
) as fc.Arbitrary<Frame>;
