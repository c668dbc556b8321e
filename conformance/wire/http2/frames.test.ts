import { describe, expect, test } from "vitest";
import type { FrameSpec } from "./frame-spec.ts";
import { build, literalBlock } from "./build.ts";
import { FrameCutter, readFrame } from "./read.ts";
import { inWords } from "./words.ts";
import { blockDecoder } from "../hpack/field-block.ts";
import { fromHex, fromLatin1, printable, toHex } from "../octets.ts";

const setting = {
  stream: (ref: unknown) => (typeof ref === "number" ? ref : 13),
  text: (value: string) => value.replaceAll("{path}", "/x"),
  tableLimit: 4096,
};
const hexOf = (spec: FrameSpec): string => toHex(build(spec, setting));

describe("build()", () => {
  test("a frame: length, type, flags, stream and payload in their places", () => {
    expect(hexOf({ type: "PING", hex: "0102030405060708" })).toBe("000008060000000000" + "0102030405060708");
    expect(hexOf({ type: "WINDOW_UPDATE", stream: 5, increment: 1 })).toBe("000004080000000005" + "00000001");
    expect(hexOf({ type: "RST_STREAM", stream: 1, code: "CANCEL" })).toBe("000004030000000001" + "00000008");
    expect(
      hexOf({
        type: "SETTINGS",
        settings: [
          ["MAX_FRAME_SIZE", 16_384],
          [0xff, 1],
        ],
      }),
    ).toBe("00000c040000000000" + "000500004000" + "00ff00000001");
  });

  test("deliberate mistakes: a wrong length, the reserved bit, flags as an octet", () => {
    expect(hexOf({ type: "DATA", stream: 1, data: "ab", length: 9, flags: 0xff, reservedBit: true })).toBe("00000900ff80000001" + "6162");
  });

  test("padding and priority set their flags, unless the flags are given as an octet", () => {
    expect(hexOf({ type: "DATA", stream: 1, data: "a", pad: 2 })).toBe("000004000800000001" + "02" + "61" + "0000");
    expect(hexOf({ type: "DATA", stream: 1, data: "a", padLength: 200 })).toBe("000002000800000001" + "c8" + "61");
    expect(hexOf({ type: "HEADERS", stream: 1, block: "82", priority: { on: 3, weight: 256, exclusive: true } })).toBe(
      "000006012000000001" + "80000003ff" + "82",
    );
  });

  test("GOAWAY: one member brings the others; none leaves it empty", () => {
    expect(hexOf({ type: "GOAWAY", code: "NO_ERROR" })).toBe("000008070000000000" + "0000000000000000");
    expect(hexOf({ type: "GOAWAY" })).toBe("000000070000000000");
  });

  test("a named stream is resolved for this connection", () => {
    expect(hexOf({ type: "RST_STREAM", stream: "request", code: 0 })).toBe("00000403000000000d" + "00000000");
  });
});

describe("literalBlock()", () => {
  test("literals without indexing, with braces replaced, which a decoder reads back", () => {
    const block = literalBlock(
      [
        [":path", "{path}"],
        ["x", "é\u0000"],
      ],
      setting.text,
    );
    expect(blockDecoder().decode(block)).toEqual({
      fields: [
        [":path", "/x"],
        ["x", "é\u0000"],
      ],
    });
  });

  test("a string of 127 octets and more has a length of several octets", () => {
    for (const length of [126, 127, 128, 254, 255, 300, 20_000]) {
      const value = "v".repeat(length);
      expect(blockDecoder().decode(literalBlock([["x", value]]))).toEqual({ fields: [["x", value]] });
    }
  });
});

describe("FrameCutter", () => {
  test("cut anywhere, the same frames come out", () => {
    const specs: FrameSpec[] = [{ type: "PING", hex: "00".repeat(8) }, { type: "DATA", stream: 1, data: 300 }, { type: "SETTINGS" }];
    const bytes = Buffer.concat(specs.map((spec) => build(spec, setting)));
    const whole = new FrameCutter().push(bytes).map(toHex);
    expect(whole).toHaveLength(3);
    for (const size of [1, 2, 8, 9, 10, 100]) {
      const cutter = new FrameCutter();
      const out: string[] = [];
      for (let at = 0; at < bytes.length; at += size) out.push(...cutter.push(bytes.subarray(at, at + size)).map(toHex));
      expect(out).toEqual(whole);
      expect(cutter.pending).toBe(0);
    }
  });

  test("an incomplete frame is pending", () => {
    const cutter = new FrameCutter();
    expect(cutter.push(fromHex("0000080600000000"))).toEqual([]);
    expect(cutter.pending).toBe(8);
  });
});

describe("readFrame() and inWords()", () => {
  const read = (hex: string) => readFrame(fromHex(hex));

  test("reads what build() wrote", () => {
    expect(readFrame(build({ type: "GOAWAY", last: 7, code: "ENHANCE_YOUR_CALM", text: "no" }, setting))).toMatchObject({
      last: 7,
      code: "ENHANCE_YOUR_CALM",
      text: "no",
    });
    expect(readFrame(build({ type: "PUSH_PROMISE", stream: 1, promised: 2, block: "82", pad: 1 }, setting))).toMatchObject({
      promised: 2,
      pad: 1,
    });
    expect(
      readFrame(build({ type: "HEADERS", stream: 1, flags: ["END_STREAM"], block: "82", priority: { on: 3, weight: 16 } }, setting)),
    ).toMatchObject({
      endStream: true,
      priority: { on: 3, weight: 16, exclusive: false },
    });
  });

  test.each([
    ["000003030000000001" + "000000", "the payload is too short"],
    ["000005080000000000" + "0000000100", "1 octets too many"],
    ["000007060000000000" + "00000000000000", "a PING carries 8 octets, not 7"],
    ["000002000800000001" + "0561", "5 octets of padding in 1"],
    ["000000010800000001", "the payload is too short"],
  ])("%s: tells what is wrong without a throw", (hex, problem) => {
    expect(read(hex).problem).toBe(problem);
  });

  test("words: type, stream, flags, members, and what is wrong", () => {
    expect(inWords(read("000004080000000005" + "00000001"))).toBe("WINDOW_UPDATE stream 5 increment 1");
    expect(inWords(read("000000040100000000"))).toBe("SETTINGS ACK");
    expect(inWords(read("000001004100000001" + "61"))).toBe('DATA stream 1 END_STREAM (flags 0x40) 1 octet "a"');
    expect(inWords(read("000001770000000003" + "61"))).toBe("frame of type 0x77 stream 3");
    expect(inWords(read("000003030000000001" + "000000"))).toContain("[the payload is too short]");
  });
});

describe("octets", () => {
  test("hex that does not consist of complete octets is refused", () => {
    expect(() => fromHex("abc")).toThrow("not whole octets");
    expect(() => fromHex("zz")).toThrow("not whole octets");
  });

  test("text beyond U+00FF is UTF-8, below it one octet each", () => {
    expect(toHex(fromLatin1("aé"))).toBe("61e9");
    expect(toHex(fromLatin1("a€"))).toBe("61e282ac");
  });

  test("printable() escapes invisible octets, and cuts", () => {
    expect(printable("a\u0000é")).toBe("a\\x00\\xe9");
    expect(printable("abcdef", 3)).toBe("abc… (6 octets)");
  });
});
