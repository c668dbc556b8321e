import { Writer } from "../../reference/core/index.ts";
import { HEAD_LENGTH, readFrame, readHead, writeFrame } from "../../reference/http2/index.ts";
import { shown } from "../lib/script.ts";
import type { Target } from "../lib/target.ts";

const MAX_FRAME = 16_384;

/** A frame that is read, written and read again stays the same. (Octets may differ: padding and ignored flags are dropped.) */
export const target: Target = {
  name: "http2/frame",
  about: "any frame is read without throwing, and reads the same after writing",
  run(input) {
    if (input.length < HEAD_LENGTH) return;
    const payload = input.slice(HEAD_LENGTH);
    const head = { ...readHead(input, 0), length: payload.length };
    const frame = readFrame(head, payload);
    if (frame.is === "fault" || frame.is === "unknown") return;
    const writer = new Writer();
    writeFrame(writer, frame);
    const octets = writer.take();
    if (octets.length > HEAD_LENGTH + MAX_FRAME) throw new Error("a written frame exceeds the maximum size");
    const again = readFrame(readHead(octets, 0), octets.subarray(HEAD_LENGTH));
    if (shown(again) !== shown(frame)) throw new Error(`${shown(frame)} reads as ${shown(again)} after writing`);
  },
  seeds: [
    "00000500090000000101aabbcc00",
    "00000a012c000000010180000000ff82848600",
    "0000050200000000010000000010",
    "00000403000000000100000008",
    "00000c040000000000000100001000000300000064",
    "00000705080000000101000000028200",
    "0000080600000000000102030405060708",
    "00000a07000000000000000001000000006869",
    "00000408000000000100000001",
    "00000109040000000182",
    "00000810000000000000000001753d3100",
    "0000070a0000000001000068323d22",
    "0000060c0000000000000461626364",
  ].map((hex) => new Uint8Array(Buffer.from(hex, "hex"))),
  maxLength: 200,
};
