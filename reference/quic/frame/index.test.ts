import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Reader, Writer } from "../../core/index.ts";
import { fromHex } from "../testing.ts";
import { streamId } from "../stream-id.ts";
import {
  fittingAck,
  frameLength,
  isAckEliciting,
  isInFlight,
  isProbing,
  readFrame,
  writeFrame,
  type Ack,
  type Frame,
  type PacketType,
} from "./index.ts";
import { anyFrame, readHex, sayFault, writeHex } from "./testing.ts";
import { RULES, type FrameName } from "./type.ts";

const names = Object.keys(RULES) as FrameName[];
const PACKETS: readonly PacketType[] = ["initial", "handshake", "0-RTT", "1-RTT"];
const ID = "c0ffee";
const TOKEN = "00112233445566778899aabbccddeeff";

/** One frame of each type. */
const SAMPLES: Readonly<Record<number, [string, Frame]>> = {
  0x00: ["00", { is: "PADDING", length: 1 }],
  0x01: ["01", { is: "PING" }],
  0x02: [
    "02 0a 05 01 02 00 03",
    {
      is: "ACK",
      delay: 5,
      ranges: [
        { smallest: 8, largest: 10 },
        { smallest: 3, largest: 6 },
      ],
    },
  ],
  0x03: ["03 00 00 00 00 01 02 03", { is: "ACK", delay: 0, ranges: [{ smallest: 0, largest: 0 }], ecn: { ect0: 1, ect1: 2, ce: 3 } }],
  0x04: ["04 04 4100 05", { is: "RESET_STREAM", stream: streamId(4), code: 256, finalSize: 5 }],
  0x05: ["05 04 07", { is: "STOP_SENDING", stream: streamId(4), code: 7 }],
  0x06: ["06 03 02 6162", { is: "CRYPTO", offset: 3, data: fromHex("6162") }],
  0x07: ["07 02 6162", { is: "NEW_TOKEN", token: fromHex("6162") }],
  0x08: ["08 04 6162", { is: "STREAM", stream: streamId(4), offset: 0, fin: false, data: fromHex("6162") }],
  0x09: ["09 04", { is: "STREAM", stream: streamId(4), offset: 0, fin: true, data: fromHex("") }],
  0x0a: ["0a 04 01 61", { is: "STREAM", stream: streamId(4), offset: 0, fin: false, data: fromHex("61") }],
  0x0b: ["0b 04 01 61", { is: "STREAM", stream: streamId(4), offset: 0, fin: true, data: fromHex("61") }],
  0x0c: ["0c 04 09 61", { is: "STREAM", stream: streamId(4), offset: 9, fin: false, data: fromHex("61") }],
  0x0d: ["0d 04 09 61", { is: "STREAM", stream: streamId(4), offset: 9, fin: true, data: fromHex("61") }],
  0x0e: ["0e 04 09 01 61", { is: "STREAM", stream: streamId(4), offset: 9, fin: false, data: fromHex("61") }],
  0x0f: ["0f 04 09 01 61", { is: "STREAM", stream: streamId(4), offset: 9, fin: true, data: fromHex("61") }],
  0x10: ["10 4100", { is: "MAX_DATA", max: 256 }],
  0x11: ["11 04 4100", { is: "MAX_STREAM_DATA", stream: streamId(4), max: 256 }],
  0x12: ["12 d000000000000000", { is: "MAX_STREAMS", direction: "bidirectional", max: 2 ** 60 }],
  0x13: ["13 05", { is: "MAX_STREAMS", direction: "unidirectional", max: 5 }],
  0x14: ["14 4100", { is: "DATA_BLOCKED", limit: 256 }],
  0x15: ["15 04 4100", { is: "STREAM_DATA_BLOCKED", stream: streamId(4), limit: 256 }],
  0x16: ["16 05", { is: "STREAMS_BLOCKED", direction: "bidirectional", limit: 5 }],
  0x17: ["17 d000000000000000", { is: "STREAMS_BLOCKED", direction: "unidirectional", limit: 2 ** 60 }],
  0x18: [
    `18 02 02 03 ${ID} ${TOKEN}`,
    { is: "NEW_CONNECTION_ID", sequence: 2, retirePriorTo: 2, id: fromHex(ID), resetToken: fromHex(TOKEN) },
  ],
  0x19: ["19 02", { is: "RETIRE_CONNECTION_ID", sequence: 2 }],
  0x1a: ["1a 0102030405060708", { is: "PATH_CHALLENGE", data: fromHex("0102030405060708") }],
  0x1b: ["1b 0102030405060708", { is: "PATH_RESPONSE", data: fromHex("0102030405060708") }],
  0x1c: ["1c 0a 06 02 6e6f", { is: "CONNECTION_CLOSE", by: "transport", code: 10, frame: 6, reason: fromHex("6e6f") }],
  0x1d: ["1d 4100 00", { is: "CONNECTION_CLOSE", by: "application", code: 256, reason: fromHex("") }],
  0x1e: ["1e", { is: "HANDSHAKE_DONE" }],
  0x30: ["30 6162", { is: "DATAGRAM", data: fromHex("6162") }],
  0x31: ["31 02 6162", { is: "DATAGRAM", data: fromHex("6162") }],
};
const samples = Object.entries(SAMPLES).map(([type, [wire, frame]]) => ({ type: Number(type), wire, frame }));
/** Types without a length, and STREAM with an offset of 0 in the longer form, which are read but not written. */
const READ_ONLY = [0x08, 0x09, 0x0c, 0x0d, 0x30];

describe("frames", () => {
  test("there is a sample of every type", () => {
    const types = names.flatMap((name) => {
      const [first, last] = RULES[name].types;
      return Array.from({ length: last - first + 1 }, (_, at) => first + at);
    });
    expect(samples.map(({ type }) => type)).toEqual(types);
  });

  test.each(samples)("$wire is read, and written the same", ({ type, wire, frame }) => {
    expect(readHex(wire)).toEqual(frame);
    expect(READ_ONLY.includes(type) || writeHex(frame) === wire.replaceAll(" ", "")).toBe(true);
    expect(readHex(writeHex(frame))).toEqual(frame);
    expect(frameLength(frame)).toBe(writeHex(frame).length / 2);
  });

  test.each(samples)("$wire cut anywhere is truncated", ({ type, wire }) => {
    const whole = wire.replaceAll(" ", "");
    const isOpen = [0x08, 0x0c, 0x0d, 0x30].includes(type);
    for (let end = 0; end < whole.length; end += 2) {
      const got = readHex(whole.slice(0, end));
      if (isOpen && typeof got !== "string") continue;
      expect(got).toBe("frameTruncated (FRAME_ENCODING_ERROR)");
    }
  });

  test.each([
    ["an unknown type", "1f", "frameTypeUnknown (FRAME_ENCODING_ERROR)"],
    ["an unknown type of two octets", "4040", "frameTypeUnknown (FRAME_ENCODING_ERROR)"],
    ["a type in a longer form than needed", "4001", "frameTypeOverlong (PROTOCOL_VIOLATION)"],
    ["no type", "", "frameTruncated (FRAME_ENCODING_ERROR)"],
    ["ACK: a first range below 0", "02 01 00 00 02", "ackRangeNegative (FRAME_ENCODING_ERROR)"],
    ["ACK: a gap below 0", "02 05 00 01 04 00 00", "ackRangeNegative (FRAME_ENCODING_ERROR)"],
    ["ACK: a second range below 0", "02 05 00 01 00 00 04", "ackRangeNegative (FRAME_ENCODING_ERROR)"],
    ["ACK: more ranges than octets", "02 05 00 3f 00 00 00", "frameTruncated (FRAME_ENCODING_ERROR)"],
    ["CRYPTO: octets beyond 2^62-1", "06 ffffffffffffffff 01 61", "cryptoOffsetTooLarge (FRAME_ENCODING_ERROR)"],
    ["STREAM: octets beyond 2^62-1", "0e 04 ffffffffffffffff 01 61", "streamOffsetTooLarge (FRAME_ENCODING_ERROR)"],
    ["NEW_TOKEN: empty", "07 00", "newTokenEmpty (FRAME_ENCODING_ERROR)"],
    ["MAX_STREAMS: 2^60+1", "12 d000000000000001", "maxStreamsTooLarge (FRAME_ENCODING_ERROR)"],
    ["STREAMS_BLOCKED: 2^60+1", "17 d000000000000001", "streamsBlockedTooLarge (FRAME_ENCODING_ERROR)"],
    ["NEW_CONNECTION_ID: an empty ID", `18 00 00 00 ${TOKEN}`, "newConnectionIdLengthWrong (FRAME_ENCODING_ERROR)"],
    ["NEW_CONNECTION_ID: 21 octets", `18 00 00 15 ${TOKEN} ${TOKEN} ${TOKEN}`, "newConnectionIdLengthWrong (FRAME_ENCODING_ERROR)"],
    ["NEW_CONNECTION_ID: retires itself", `18 01 02 03 ${ID} ${TOKEN}`, "retirePriorToTooLarge (FRAME_ENCODING_ERROR)"],
  ])("%s is refused", (_, wire, name) => {
    expect(readHex(wire)).toBe(name);
  });

  test.each([
    ["STREAM: empty at the last offset", "0e 04 ffffffffffffffff 00"],
    ["ACK: ranges down to 0", "02 05 00 01 01 00 02"],
    ["NEW_CONNECTION_ID: 20 octets", `18 00 00 14 ${TOKEN} 01020304 ${TOKEN}`],
  ])("%s is accepted", (_, wire) => {
    expect(typeof readHex(wire)).toBe("object");
  });

  /** One line a type: which packets may carry it, so that a changed cell is one changed line in review. */
  test("the packets that may carry each type are the reviewed ones", () => {
    const verdict = (wire: string, packet: PacketType): string => {
      const got = readHex(wire, packet);
      return typeof got === "string" ? got : "yes";
    };
    const lines = samples.map(({ wire, frame }) => {
      const marks = [isAckEliciting(frame.is) && "ack-eliciting", isInFlight(frame.is) && "in flight", isProbing(frame.is) && "probing"];
      const places = PACKETS.filter((packet) => verdict(wire, packet) === "yes");
      const refused = PACKETS.filter((packet) => verdict(wire, packet) === "frameInWrongPacket (PROTOCOL_VIOLATION)");
      expect(places.length + refused.length).toBe(4);
      return `${wire.slice(0, 2)} ${frame.is}: ${places.join(" ")}; ${marks.filter(Boolean).join(", ")}`;
    });
    expect(lines.join("\n")).toMatchSnapshot();
  });

  test("what is written reads the same, one after the other", () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { maxLength: 8 }), (frames) => {
        const writer = new Writer();
        for (const frame of frames) writeFrame(writer, frame);
        const reader = new Reader(writer.take());
        const got = frames.map(() => readFrame(reader, "1-RTT"));
        expect(got).toEqual(frames);
        expect(reader.left).toBe(0);
      }),
    );
  });

  test("any octets are frames or one fault, and nothing throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom(...PACKETS), (bytes, packet) => {
        const reader = new Reader(bytes);
        while (reader.left > 0) {
          const frame = readFrame(reader, packet);
          if (frame.is !== "fault") continue;
          expect(sayFault(frame)).toMatch(/\((?:FRAME_ENCODING_ERROR|PROTOCOL_VIOLATION)\)$/);
          return;
        }
      }),
    );
  });

  test("an ACK is cut to the ranges that fit", () => {
    const ranges = Array.from({ length: 100 }, (_, at) => ({ smallest: 1000 - at * 4, largest: 1001 - at * 4 }));
    const ack: Ack = { is: "ACK", delay: 3, ranges };
    expect(fittingAck(ack, 6)).toBeUndefined();
    for (const room of [7, 20, 50, 206, 207]) {
      const cut = fittingAck(ack, room)!;
      expect(frameLength(cut)).toBeLessThanOrEqual(room);
      expect(cut.ranges).toEqual(ranges.slice(0, cut.ranges.length));
    }
    expect(fittingAck(ack, 207)!.ranges).toHaveLength(100);
    expect(fittingAck({ ...ack, ecn: { ect0: 1, ect1: 0, ce: 0 } }, 9)).toBeUndefined();
  });
});
