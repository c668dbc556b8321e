import { concatenated, Reader, Writer } from "../../reference/core/index.ts";
import { fittingAck, frameLength, readFrame, writeFrame, type Frame, type PacketType } from "../../reference/quic/frame/index.ts";
import { inputs, shown } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";

const PACKETS: readonly PacketType[] = ["initial", "0-RTT", "handshake", "1-RTT"];

function written(frame: Frame): Uint8Array {
  const writer = new Writer();
  writeFrame(writer, frame);
  return writer.take();
}

/** A frame that is written reads the same, whatever follows it, and not at all if something of it is missing. */
function check(frame: Frame, packet: PacketType): void {
  // Greater numbers are rounded, and ranges of packets that do not exist with them.
  if (frame.is === "ACK" && !Number.isSafeInteger(frame.ranges[0]!.largest)) return;
  const octets = written(frame);
  if (octets.length !== frameLength(frame)) throw new Error(`${shown(frame)} takes ${octets.length} octets, not ${frameLength(frame)}`);
  const reader = new Reader(concatenated([octets, Uint8Array.of(1)]));
  const again = readFrame(reader, packet);
  if (shown(again) !== shown(frame)) throw new Error(`${shown(frame)} reads as ${shown(again)} after writing`);
  if (reader.left !== 1) throw new Error(`${shown(frame)} leaves ${reader.left - 1} octets`);
  for (let end = 0; end < octets.length; end++) {
    const cut = readFrame(new Reader(octets.subarray(0, end)), packet);
    if (cut.is !== "fault") throw new Error(`${shown(frame)} cut after ${end} octets reads as ${shown(cut)}`);
  }
  if (frame.is !== "ACK") return;
  for (let room = 0; room <= octets.length + 2; room++) {
    const fitting = fittingAck(frame, room);
    if (fitting === undefined) continue;
    if (frameLength(fitting) > room) throw new Error(`an ACK of ${frameLength(fitting)} octets for ${room}`);
    if (fitting.ranges.some((range, at) => range !== frame.ranges[at])) throw new Error("an ACK that fits has other ranges");
  }
}

/** The first octet names a kind of packet; its payload follows. */
export const target: Target = {
  name: "quic/frame",
  about: "any payload is read without throwing, and every frame in it reads the same after it is written",
  run(input) {
    const packet = PACKETS[(input[0] ?? 0) & 3]!;
    const reader = new Reader(input.slice(1));
    while (reader.left > 0) {
      const before = reader.left;
      const frame = readFrame(reader, packet);
      if (frame.is === "fault") {
        if (frame.scope !== "connection" || frame.code === undefined) throw new Error(`${frame.name} has no code`);
        return;
      }
      if (reader.left >= before) throw new Error(`${frame.is} takes no octets`);
      check(frame, packet);
    }
  },
  seeds: inputs(
    "00 06 03 02 6162 00 00 01",
    "03 02 0a 05 01 02 00 03 01",
    "03 03 4100 00 02 01 02 03 04 05 01 02 03",
    "03 04 04 4100 05 05 04 07 07 02 6162",
    "03 0f 04 09 01 61 0a 04 01 61 0c 04 09 61",
    "01 10 4100 11 04 4100 12 d000000000000000 13 05 14 4100 15 04 4100 16 05",
    "03 18 02 02 03 c0ffee 00112233445566778899aabbccddeeff 19 02 1a 0102030405060708 1b 0102030405060708",
    "03 1e 31 02 6162 1c 0a 06 02 6e6f 1d 4100 00",
    "03 30 6162",
    "02 06 ffffffffffffffff 01 61",
  ),
  dictionary: inputs("ffffffffffffffff", "d000000000000001", "4000", "80000000", "1c0a0602", "0e04", "1800000401020304"),
  maxLength: 160,
};
