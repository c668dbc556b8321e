import { describe, expect, test } from "vitest";
import type { Compressor } from "./compression.ts";
import { writeEnvelope } from "./envelope.ts";
import { Status } from "./status.ts";
import { DEFAULT_MESSAGE_OCTETS, type MessageOptions, MessageReader } from "./messages.ts";

/** "Compresses" by one octet that repeats the rest: [times, …octets]. */
const repeat: Compressor = {
  compress: (octets) => Uint8Array.of(1, ...octets),
  decompress([times, ...octets], limit) {
    if (times === undefined) return "corrupt";
    return times * octets.length > limit ? "large" : Uint8Array.from(Array.from({ length: times }, () => octets).flat());
  },
};
const options: MessageOptions = { side: "server", encoding: "repeat", compressors: new Map([["repeat", repeat]]), limit: 6 };
const plain = (...octets: number[]): Uint8Array => writeEnvelope({ isCompressed: false, octets: Uint8Array.from(octets) });
const compressed = (...octets: number[]): Uint8Array => writeEnvelope({ isCompressed: true, octets: Uint8Array.from(octets) });

function read(how: Partial<MessageOptions>, ...pieces: Uint8Array[]): { messages: number[][]; fault: unknown } {
  const reader = new MessageReader({ ...options, ...how });
  const out: Uint8Array[] = [];
  for (const piece of pieces) {
    const fault = reader.receive(piece, out);
    if (fault !== undefined) return { messages: out.map((one) => [...one]), fault };
  }
  return { messages: out.map((one) => [...one]), fault: reader.end() };
}

describe("a reader of messages", () => {
  test("returns plain messages, and compressed ones decompressed", () => {
    expect(read({}, plain(1, 2), compressed(3, 7, 8), plain())).toEqual({
      messages: [[1, 2], [7, 8, 7, 8, 7, 8], []],
      fault: undefined,
    });
  });

  test("limits what was sent and what it becomes, and names side and limit", () => {
    const [large, inflated] = [read({}, plain(9), Uint8Array.of(0, 0, 0, 0, 7)), read({}, plain(9), compressed(7, 1))];
    const message = (what: string): string => `The server received ${what} than its limit of 6 octets for a message.`;
    expect(large).toMatchObject({ messages: [[9]], fault: { name: "messageTooLarge", message: message("a message of 7 octets, more") } });
    expect(inflated).toMatchObject({
      messages: [[9]],
      fault: { name: "inflatedTooLarge", message: message("a compressed message that inflates to more") },
    });
    for (const { fault } of [large, inflated])
      expect(fault).toMatchObject({ is: "fault", status: Status.RESOURCE_EXHAUSTED, spec: "rpc-status#codes" });
    expect(read({ side: "client" }, Uint8Array.of(0, 0, 0, 0, 7)).fault).toMatchObject({ message: expect.stringMatching(/^The client/) });
  });

  test("by default takes messages of 4 MiB", () => {
    const reader = new MessageReader({ side: "client", compressors: new Map() });
    expect(DEFAULT_MESSAGE_OCTETS).toBe(4 * 1024 * 1024);
    expect(reader.receive(Uint8Array.of(0, 0, 0x40, 0, 0), [])).toBeUndefined();
    expect(new MessageReader({ side: "client", compressors: new Map() }).receive(Uint8Array.of(0, 0, 0x40, 0, 1), [])).toMatchObject({
      name: "messageTooLarge",
    });
  });

  test("refuses a compressed message on a stream without an encoding, or with identity", () => {
    for (const encoding of [undefined, "identity"])
      expect(read({ encoding }, compressed(1, 1)).fault).toMatchObject({ name: "flagWithoutEncoding", status: Status.INTERNAL });
    expect(read({ encoding: "identity" }, plain(1))).toEqual({ messages: [[1]], fault: undefined });
  });

  test("refuses a compressed message in an unknown encoding with the list of known ones, and reads plain ones", () => {
    expect(read({ encoding: "snappy" }, plain(1), compressed(1, 1))).toMatchObject({
      messages: [[1]],
      fault: {
        name: "requestEncodingUnknown",
        status: Status.UNIMPLEMENTED,
        message: "The server does not know the encoding snappy: it knows identity,repeat.",
      },
    });
    expect(read({ encoding: "snappy", side: "client" }, compressed(1, 1)).fault).toMatchObject({
      name: "responseEncodingUnknown",
      status: Status.INTERNAL,
    });
  });

  test("refuses what does not decompress, reserved flags, and a stream that ends inside a message", () => {
    expect(read({}, compressed()).fault).toMatchObject({ name: "compressionInvalid", status: Status.INTERNAL });
    expect(read({}, plain(1), Uint8Array.of(2, 0, 0, 0, 0))).toMatchObject({
      messages: [[1]],
      fault: { name: "flagsReserved", status: Status.INTERNAL, message: expect.stringContaining("flags: 2.") },
    });
    expect(read({}, plain(1), plain(1, 2).slice(0, -1))).toMatchObject({
      messages: [[1]],
      fault: { name: "messageCutShort", status: Status.INTERNAL },
    });
    expect(read({}, plain(1, 2).slice(0, 1)).fault).toMatchObject({ name: "messageCutShort" });
  });
});
