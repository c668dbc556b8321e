import { deflateRawSync, constants } from "node:zlib";
import { describe, expect, test } from "vitest";
import { inflated } from "./deflate.ts";
import { fromHex, fromLatin1, join, toHex, toLatin1 } from "../octets.ts";
import { buildFrame, compressed, type FrameSpec, keyOf, masked, plainly, Window } from "./build.ts";
import { FrameCutter, readFrame, Side } from "./read.ts";
import { frameInWords } from "./words.ts";

const built = (frame: FrameSpec): string => toHex(buildFrame(frame, plainly()));
const side = (sender: "client" | "server", ...frames: FrameSpec[]): Side => {
  const one = new Side(sender);
  const building = plainly();
  for (const frame of frames) one.push(buildFrame(frame, building));
  return one;
};
const server = (...frames: FrameSpec[]): Side => side("server", ...frames.map((frame) => ({ mask: "none", ...frame }) as const));
const kinds = ({ oddities }: Side): string[] => oddities.map(({ kind }) => kind);

describe("frames as they are built", () => {
  test("the examples of the specification (rfc6455#5.7)", () => {
    expect(built({ opcode: "text", text: "Hello", mask: "none" })).toBe("810548656c6c6f");
    expect(built({ opcode: "text", text: "Hello", mask: "37fa213d" })).toBe("818537fa213d7f9f4d5158");
    expect(built({ opcode: "text", text: "Hel", fin: false, mask: "none" })).toBe("010348656c");
    expect(built({ opcode: "continuation", text: "lo", mask: "none" })).toBe("80026c6f");
    expect(built({ opcode: "binary", fill: { text: "a", count: 256 }, mask: "none" }).slice(0, 8)).toBe("827e0100");
    expect(built({ opcode: "binary", fill: { text: "a", count: 65_536 }, mask: "none" }).slice(0, 20)).toBe("827f0000000000010000");
  });

  test("deliberate mistakes: bits, opcodes, longer length fields, wrong lengths", () => {
    expect(built({ opcode: 15, fin: false, rsv: 7, mask: "none" })).toBe("7f00");
    expect(built({ opcode: "ping", text: "a", lengthBits: 16, mask: "none" })).toBe("897e000161");
    expect(built({ opcode: "ping", text: "a", lengthBits: 64, mask: "none" })).toBe("897f000000000000000161");
    expect(built({ opcode: "text", text: "a", lengthBits: 64, says: "ffffffffffffffff", mask: "none" })).toBe("817fffffffffffffffff61");
    expect(built({ opcode: "text", hex: "61", lengthBits: 7, says: "14", mask: "none" })).toBe("811461");
    expect(built({ opcode: "close", code: 1000, reason: "x", mask: "none" })).toBe("880303e878");
    expect(built({ opcode: "binary", octets: { hex: "0102", count: 2 }, mask: "none" })).toBe("820401020102");
  });

  test("every frame has a key of its own, and no octet of it is zero", () => {
    const keys = Array.from({ length: 1000 }, (_, at) => keyOf(at + 1));
    expect(new Set(keys.map(toHex)).size).toBe(1000);
    expect(keys.every((key) => key.every((octet) => octet !== 0))).toBe(true);
  });

  test("masking twice by the same key changes nothing", () => {
    const payload = fromLatin1("anything at all");
    expect(masked(masked(payload, fromHex("01020304")), fromHex("01020304"))).toEqual(payload);
  });
});

describe("frames as they are read", () => {
  test("frames are read as they were built, at once or octet by octet", () => {
    const octets = buildFrame({ opcode: "text", fill: { text: "b", count: 300 }, rsv: 4, fin: false }, plainly());
    const cutter = new FrameCutter();
    const came = [...octets].flatMap((octet) => cutter.push(Uint8Array.of(octet)));
    expect(came).toHaveLength(1);
    expect(came[0]).toMatchObject({ opcode: 1, rsv: 4, fin: false, masked: true, length: 300, lengthBits: 16 });
    expect(toLatin1(came[0]?.payload ?? new Uint8Array())).toBe("b".repeat(300));
    expect(cutter.pending).toBe(0);
  });

  test("an incomplete frame is not returned", () => {
    for (const hex of ["", "81", "817e00", "818500", "8105486561"]) expect(readFrame(fromHex(hex)), hex).toBeUndefined();
  });

  test("in words", () => {
    const words = (frame: FrameSpec): string => new FrameCutter().push(buildFrame(frame, plainly())).map(frameInWords).join();
    expect(words({ opcode: "text", text: "Hi", mask: "none" })).toBe('TEXT: "Hi"');
    expect(words({ opcode: "ping", fin: false, rsv: 1, lengthBits: 16 })).toBe(
      "PING (not final, RSV 1, masked, length in 16 bits): nothing",
    );
    expect(words({ opcode: "close", code: 1002, reason: "no", mask: "none" })).toBe('CLOSE: 1002 "no"');
    expect(words({ opcode: "binary", hex: "ff00", mask: "none" })).toBe("BINARY: ff00");
    expect(words({ opcode: "text", fill: { text: "x", count: 500 }, mask: "none" })).toBe(`TEXT: "${"x".repeat(48)}…" (500 octets)`);
  });
});

describe("a side of a connection", () => {
  test("puts messages together, control frames between their fragments", () => {
    const one = server({ opcode: "text", text: "a", fin: false }, { opcode: "ping", text: "x" }, { opcode: "continuation", text: "b" });
    expect(one.messages.map(({ type, payload, frames }) => [type, toLatin1(payload), frames])).toEqual([["text", "ab", 2]]);
    expect(one.of(9)).toHaveLength(1);
    expect(kinds(one)).toEqual([]);
  });

  test.each<[string, string, readonly FrameSpec[]]>([
    ["a mask", "masked", [{ opcode: "text", text: "a", mask: "01020304" }]],
    ["an RSV bit", "rsv", [{ opcode: "text", text: "a", rsv: 4 }]],
    ["an undefined opcode", "opcode", [{ opcode: 3 }]],
    ["a length in too many octets", "length", [{ opcode: "text", text: "a", lengthBits: 16 }]],
    ["a PING of 126 octets", "control", [{ opcode: "ping", fill: { text: "p", count: 126 } }]],
    ["a PING in fragments", "control", [{ opcode: "ping", fin: false }]],
    ["a continuation of nothing", "fragments", [{ opcode: "continuation", text: "a" }]],
    ["a code that may not be sent", "close", [{ opcode: "close", code: 1005 }]],
    ["a Close frame of one octet", "close", [{ opcode: "close", hex: "03" }]],
    ["a reason that is not UTF-8", "utf-8", [{ opcode: "close", hex: "03e8ff" }]],
    ["text that is not UTF-8", "utf-8", [{ opcode: "text", hex: "c0af" }]],
  ])("sees %s", (_, kind, frames) => expect(kinds(server(...frames))).toEqual([kind]));

  test("notes a message inside another, and frames after a Close frame", () => {
    expect(kinds(server({ opcode: "text", text: "a", fin: false }, { opcode: "text", text: "b" }))).toEqual(["fragments"]);
    expect(kinds(server({ opcode: "close" }, { opcode: "text", text: "b" }))).toEqual(["after close"]);
  });

  test("expects masked frames from a client", () => {
    expect(kinds(side("client", { opcode: "text", text: "a" }))).toEqual([]);
    expect(kinds(side("client", { opcode: "text", text: "a", mask: "none" }))).toEqual(["masked"]);
  });
});

describe("compression", () => {
  const text = fromLatin1("to be or not to be, that is the question: to be. ".repeat(20));
  const mixed = Uint8Array.from({ length: 5000 }, (_, at) => (Math.imul(at, 2_654_435_761) >>> 13) & 0xff);

  const numbers = fromLatin1(Array.from({ length: 1500 }, (_, at) => (at * 7919).toString(at % 2 === 0 ? 10 : 16)).join(" and "));
  test.each([
    ["dynamic", numbers, {}],
    ["stored", mixed, { level: 0 }],
    ["fixed", fromLatin1("Hello"), { strategy: constants.Z_FIXED }],
    ["stored", join([mixed, text, mixed]), { level: 9 }],
  ] as const)("blocks of the kind %s are inflated as zlib deflated them", (kind, plain, options) => {
    const read = inflated(deflateRawSync(plain, { ...options, finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4), new Uint8Array());
    expect(read.problem).toBeUndefined();
    expect(toHex(read.plain)).toBe(toHex(plain));
    expect(read.blocks).toContain(kind);
  });

  test("the furthest back-reference is reported", () => {
    const plain = join([mixed, text, mixed]);
    expect(inflated(compressed(plain, {}, new Uint8Array()), new Uint8Array()).distance).toBe(mixed.length + text.length);
    expect(inflated(compressed(plain, { windowBits: 9 }, new Uint8Array()), new Uint8Array()).distance).toBeLessThanOrEqual(512);
  });

  test("data that cannot be inflated is reported, with what came before it", () => {
    expect(inflated(fromHex("06"), new Uint8Array()).problem).toContain("reserved");
    expect(inflated(fromHex("4a04620000"), new Uint8Array()).problem).toContain("refers 4 octets back");
    expect(inflated(fromHex("000500faf048656c6c6f00"), new Uint8Array()).problem).toContain("complement");
    expect(inflated(compressed(text, {}, new Uint8Array()).subarray(0, 20), new Uint8Array()).problem).toBeDefined();
    expect(inflated(compressed(new Uint8Array(5000), {}, new Uint8Array()), new Uint8Array(), 1000).problem).toContain("beyond");
  });

  test("a message refers to those before it, unless it is fresh", () => {
    const window = new Window();
    window.push(text);
    const second = compressed(text, {}, window.octets);
    expect(second.length).toBeLessThan(20);
    expect(toHex(inflated(second, window.octets).plain)).toBe(toHex(text));
    expect(inflated(second, new Uint8Array()).problem).toContain("back");
    expect(inflated(compressed(text, { fresh: true }, window.octets), new Uint8Array()).problem).toBeUndefined();
  });

  test("a side inflates messages by the agreed extension", () => {
    const one = new Side("server");
    one.deflate = { takeover: true };
    const building = plainly();
    for (const content of ["Hello", "Hello", "Hello"])
      one.push(buildFrame({ opcode: "text", text: content, deflate: {}, mask: "none" }, building));
    expect(one.messages.map(({ payload, compressed: packed }) => [toLatin1(payload), packed])).toEqual(
      [1, 2, 3].map(() => ["Hello", true]),
    );
    expect(kinds(one)).toEqual([]);
    one.push(fromHex("c10106"));
    expect(kinds(one)).toEqual(["deflate"]);
  });

  test("the window holds the last 32 KiB", () => {
    const window = new Window();
    window.push(new Uint8Array(40_000).fill(1));
    window.push(fromLatin1("end"));
    expect(window.octets).toHaveLength(32_768);
    expect(toLatin1(window.octets.subarray(-3))).toBe("end");
    window.forget();
    expect(window.octets).toHaveLength(0);
  });
});
