import { describe, expect, test } from "vitest";
import { type Envelope, EnvelopeReader, writeEnvelope } from "./envelope.ts";

const octets = (...values: number[]): Uint8Array => Uint8Array.from(values);
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** Reads the wire in pieces of this size. The messages are copied at once, since they may be views. */
function read(wire: Uint8Array, size: number, limit = 1_000): { messages: [boolean, string][]; problem: unknown; isBetween: boolean } {
  const reader = new EnvelopeReader(limit);
  const messages: [boolean, string][] = [];
  for (let at = 0; at < wire.length; at += size) {
    const out: Envelope[] = [];
    const piece = wire.slice(at, at + size);
    const problem = reader.receive(piece, out);
    for (const one of out) messages.push([one.isCompressed, new TextDecoder().decode(one.octets)]);
    piece.fill(0xee);
    if (problem !== undefined) return { messages, problem, isBetween: reader.isBetween };
  }
  return { messages, problem: undefined, isBetween: reader.isBetween };
}

describe("a reader of envelopes", () => {
  const wire = Uint8Array.from([
    ...writeEnvelope({ isCompressed: false, octets: text("first") }),
    ...writeEnvelope({ isCompressed: true, octets: text("") }),
    ...writeEnvelope({ isCompressed: true, octets: text("a longer third one") }),
    ...writeEnvelope({ isCompressed: false, octets: text("") }),
  ]);

  test.each([1, 2, 3, 4, 5, 6, 7, 10, 11, 100])("reads the same messages in pieces of %i octets", (size) => {
    expect(read(wire, size)).toEqual({
      messages: [
        [false, "first"],
        [true, ""],
        [true, "a longer third one"],
        [false, ""],
      ],
      problem: undefined,
      isBetween: true,
    });
  });

  test("is between messages before the first and after each, and nowhere else", () => {
    const single = writeEnvelope({ isCompressed: false, octets: text("ab") });
    const isBetween = Array.from({ length: single.length + 1 }, (_, end) => read(single.slice(0, end), 1).isBetween);
    expect(isBetween).toEqual([true, false, false, false, false, false, false, true]);
  });

  test.each([2, 3, 0x80, 0x81, 0xff])("refuses the flags %i with the head, after the messages before it", (flags) => {
    const bad = Uint8Array.from([...writeEnvelope({ isCompressed: false, octets: text("a") }), flags, 0, 0, 0, 9]);
    for (const size of [1, 100]) expect(read(bad, size)).toMatchObject({ messages: [[false, "a"]], problem: { is: "flags", flags } });
  });

  test("accepts a message of the limit, and refuses a larger one as soon as it is announced", () => {
    expect(read(writeEnvelope({ isCompressed: false, octets: new Uint8Array(8) }), 3, 8).messages).toHaveLength(1);
    expect(read(octets(0, 0, 0, 0, 9), 1, 8).problem).toEqual({ is: "tooLarge", length: 9 });
    expect(read(octets(1, 0xff, 0xfe, 0xfd, 0xfc), 5, 8).problem).toEqual({ is: "tooLarge", length: 0xfffefdfc });
  });

  test("keeps what has arrived of a message, not what was announced", () => {
    const reader = new EnvelopeReader(0xffff_ffff);
    expect(reader.receive(octets(0, 0xff, 0xff, 0xff, 0xff, 1, 2, 3), [])).toBeUndefined();
    expect(reader.isBetween).toBe(false);
  });

  test("a message that is longer than the first memory for it is whole", () => {
    const long = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251);
    const reader = new EnvelopeReader(1 << 20);
    const sent = writeEnvelope({ isCompressed: false, octets: long });
    const out: Envelope[] = [];
    for (let at = 0; at < sent.length; at += 777) reader.receive(sent.slice(at, at + 777), out);
    expect(out).toHaveLength(1);
    expect(Buffer.from(out[0]?.octets ?? []).equals(Buffer.from(long))).toBe(true);
  });
});

test("an envelope is the flags, the length in four octets, and the message", () => {
  expect(writeEnvelope({ isCompressed: false, octets: octets(7, 8) })).toEqual(octets(0, 0, 0, 0, 2, 7, 8));
  expect(writeEnvelope({ isCompressed: true, octets: new Uint8Array(0x010203) }).subarray(0, 5)).toEqual(octets(1, 0, 1, 2, 3));
});
