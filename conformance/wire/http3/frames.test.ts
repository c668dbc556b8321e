import { describe, expect, test } from "vitest";
import { Decoder } from "../../../reference/qpack/index.ts";
import { fromHex, join, toHex } from "../octets.ts";
import { decoded, insert, line, literals, prefix } from "../qpack/build.ts";
import { sectionOf } from "../qpack/section.ts";
import { build } from "./build.ts";
import { codeName, frameName, isReserved, settingName } from "./numbers.ts";
import { FrameCutter, readFrame } from "./read.ts";
import { readVarint, varint } from "./varint.ts";
import { inWords } from "./words.ts";

const setting = { text: (value: string): string => value.replaceAll("{path}", "/here") };

describe("integers (rfc9000#16)", () => {
  // The last three are examples of rfc9000 appendix A.1.
  test.each([
    ["c000000100000000", 2 ** 32],
    ["9d7f3e7d", 494_878_333],
    ["7bbd", 15_293],
    ["25", 37],
  ])("%s is %d", (hex, value) => {
    expect(readVarint(fromHex(hex))).toEqual({ value, size: hex.length / 2 });
  });

  test("the shortest form, and longer ones", () => {
    expect([0, 63, 64, 16_383, 16_384, 2 ** 30 - 1, 2 ** 30].map((value) => varint(value).length)).toEqual([1, 1, 2, 2, 4, 4, 8]);
    expect([1, 2, 4, 8].map((width) => toHex(varint(37, width as 1 | 2 | 4 | 8)))).toEqual(["25", "4025", "80000025", "c000000000000025"]);
  });

  test("an integer that is cut has no value", () => {
    expect(readVarint(fromHex("9d7f3e"))).toBeUndefined();
    expect(readVarint(new Uint8Array(0))).toBeUndefined();
  });
});

describe("frames (rfc9114#7.1)", () => {
  const frames = [
    {
      type: "SETTINGS",
      settings: [
        ["MAX_FIELD_SECTION_SIZE", 1_000],
        [0x21, 5],
      ],
    },
    { type: "GOAWAY", id: 8 },
    { type: "DATA", data: "content" },
    { type: 0x21, hex: "0102", width: 8 },
    { type: "PRIORITY_UPDATE", id: 4, text: "u=1" },
    { type: "HEADERS", fields: [[":path", "{path}"]] },
  ] as const;
  const octets = join(frames.map((frame) => build(frame, setting)));

  test("what is built is read again, whole or octet by octet", () => {
    const whole = new FrameCutter().push(octets).map(readFrame);
    const cutter = new FrameCutter();
    const cut = [...octets].flatMap((octet) => cutter.push(Uint8Array.of(octet))).map(readFrame);
    expect(cut).toEqual(whole);
    expect(whole.map((frame) => inWords(frame))).toEqual([
      "SETTINGS MAX_FIELD_SECTION_SIZE=1000 0x21=5",
      "GOAWAY 8",
      'DATA 7 octets "content"',
      "frame of type 0x21 with 2 octets",
      'PRIORITY_UPDATE 4 "u=1"',
      "HEADERS (14 octets of a field section)",
    ]);
  });

  test("octets of an incomplete frame wait", () => {
    const cutter = new FrameCutter();
    expect(cutter.push(octets.subarray(0, 3))).toEqual([]);
    expect(cutter.pending).toBe(3);
  });

  test("a wrong length, and a size, as they are asked for", () => {
    expect(toHex(build({ type: "DATA", data: "ab", length: 9 }, setting))).toBe("00096162");
    const { section } = readFrame(build({ type: "HEADERS", fields: [["x-a", "1"]], sectionSize: 200 }, setting));
    const { is, ...read } = new Decoder().decode(0, section!);
    const size = "fields" in read ? read.fields.reduce((sum, { name, value }) => sum + name.length + value.length + 32, 0) : is;
    expect(size).toBe(200);
  });

  test.each([
    ["0700", "GOAWAY [the payload is too short]"],
    ["07020000", "GOAWAY 0 [1 octets too many]"],
    ["040106", "SETTINGS [the payload is too short]"],
  ])("%s is read as %s", (hex, words) => {
    expect(inWords(readFrame(fromHex(hex)))).toBe(words);
  });
});

test("names of numbers, and numbers without one", () => {
  expect([frameName(0xf0700), frameName(0x21), settingName(0x33), codeName(0x10e), codeName(0xbad)]).toEqual([
    "PRIORITY_UPDATE",
    "0x21",
    "H3_DATAGRAM",
    "H3_MESSAGE_ERROR",
    "0xbad",
  ]);
  expect([0x21, 0x40, 0x20, 0x22].map(isReserved)).toEqual([true, true, false, false]);
});

describe("QPACK by hand, as the decoder of the reference reads it", () => {
  const read = (decoder: Decoder, ...parts: Uint8Array[]): unknown => {
    const found = decoder.decode(0, join(parts));
    return found.is === "fields" ? found.fields.map(({ name, value }) => `${name}: ${value}`) : found;
  };

  test("literals and the static table", () => {
    expect(read(new Decoder(), literals([["x-a", "1"]]))).toEqual(["x-a: 1"]);
    expect(read(new Decoder(), prefix(0), line.static(17), line.staticName(1, "/here"))).toEqual([":method: GET", ":path: /here"]);
  });

  test("the dynamic table, before and after the base", () => {
    const decoder = new Decoder();
    const { fault } = decoder.receive(
      join([
        insert.capacity(400),
        insert.literal("x-a", "1"),
        insert.staticName(5, "c=1"),
        insert.dynamicName(0, "c=2"),
        insert.duplicate(2),
      ]),
    );
    expect(fault).toBeUndefined();
    expect(decoder.table.map(({ name, value }) => `${name}: ${value}`)).toEqual(["x-a: 1", "cookie: c=2", "cookie: c=1", "x-a: 1"]);
    expect(read(decoder, prefix(5), line.dynamic(0), line.dynamicName(1, "c=3"))).toEqual(["x-a: 1", "cookie: c=3"]);
    expect(read(decoder, prefix(5, 3, true), line.postBase(0), line.postBaseName(3, "2"))).toEqual(["x-a: 1", "x-a: 2"]);
  });

  test("instructions of a decoder, and sections split again", () => {
    expect([decoded.acknowledge(4), decoded.cancel(4), decoded.increment(64)].map(toHex)).toEqual(["84", "44", "3f01"]);
    expect(sectionOf(join([prefix(3, 1, true), line.postBase(1)]), { maxCapacity: 4_096, inserted: 2 })).toMatchObject({
      required: 2,
      base: 0,
      lines: [{ refersTo: { index: 1 } }],
    });
  });
});
