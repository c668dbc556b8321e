import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Writer } from "../core/index.ts";
import type { Side } from "./contract.ts";
import { Opcode, readFrame, writeFrame, writeHead, type Frame, type OpcodeName } from "./frame.ts";
import { bytes, hex, join, raw } from "./testing.ts";

const read = (wire: string | Uint8Array, side: Side = "client", allowsRsv1 = false): string => {
  const frame = readFrame(typeof wire === "string" ? bytes(wire) : wire, side, allowsRsv1);
  if (frame === "short") return "short";
  if (frame.is === "fault") return frame.name;
  const { is, fin, rsv1, key, payload } = frame;
  return [is, fin ? "" : "…", rsv1 ? "rsv1" : "", key === undefined ? "" : key.toString(16), `${payload.length}`]
    .filter((word) => word !== "")
    .join(" ");
};

describe("the specification's examples (rfc6455#5.7)", () => {
  test.each([
    ["text Hello", "81 05 48 65 6c 6c 6f", "client", "Hello"],
    ["masked text Hello", "81 85 37 fa 21 3d 7f 9f 4d 51 58", "server", "Hello"],
    ["a first fragment", "01 03 48 65 6c", "client", "Hel"],
    ["a last fragment", "80 02 6c 6f", "client", "lo"],
    ["a ping", "89 05 48 65 6c 6c 6f", "client", "Hello"],
    ["a masked pong", "8a 85 37 fa 21 3d 7f 9f 4d 51 58", "server", "Hello"],
  ] as const)("%s", (_what, wire, side, payload) => {
    const frame = readFrame(bytes(wire), side) as Frame;
    expect(Buffer.from(frame.payload).toString()).toBe(payload);
    const w = new Writer();
    writeFrame(w, frame);
    expect(hex(w.take())).toBe(wire.replaceAll(" ", ""));
  });
  test("frames with 256 octets and with 64 KiB", () => {
    expect(read(join([bytes("82 7e 01 00"), new Uint8Array(256)]))).toBe("binary 256");
    expect(read(join([bytes("82 7f 00 00 00 00 00 01 00 00"), new Uint8Array(65_536)]))).toBe("binary 65536");
  });
});

test.each([
  [2 ** 32 - 1, "827f00000000ffffffff"],
  [2 ** 32, "827f0000000100000000"],
  [2 ** 40 + 5, "827f0000010000000005"],
])("writeHead(): a length of %i", (length, wire) => {
  const w = new Writer();
  writeHead(w, 0x82, length, undefined);
  expect(hex(w.take())).toBe(wire);
});

test("readFrame(): does not change its input", () => {
  const wire = Buffer.from("818537fa213d7f9f4d5158", "hex");
  readFrame(wire, "server");
  expect(wire.toString("hex")).toBe("818537fa213d7f9f4d5158");
});

describe("lengths (rfc6455#5.2)", () => {
  test.each([
    ["7d", 125, "binary 125"],
    ["7e 00 7d", 125, "lengthNotMinimal"],
    ["7e 00 7e", 126, "binary 126"],
    ["7e ff ff", 65_535, "binary 65535"],
    ["7f 00 00 00 00 00 00 ff ff", 65_535, "lengthNotMinimal"],
    ["7f 00 00 00 00 00 01 00 00", 65_536, "binary 65536"],
    ["7f 80 00 00 00 00 01 00 00", 65_536, "lengthTopBitSet"],
    ["7f 7f ff ff ff ff ff ff ff", 10, "short"],
  ])("%s", (length, size, told) => {
    expect(read(raw({ op: 2, length, payload: new Uint8Array(size), key: false }))).toBe(told);
  });
  test("a control frame has the short form alone, and at most 125 octets", () => {
    for (const op of [8, 9, 10]) {
      expect(read(raw({ op, payload: new Uint8Array(125), key: false }))).toMatch(/ 125$/);
      expect(read(raw({ op, length: "7e 00 7e", key: false }))).toBe("controlTooLong");
      expect(read(raw({ op, length: "7f 00", key: false }))).toBe("controlTooLong");
    }
  });
});

describe("first octets (rfc6455#5.2)", () => {
  test("accepted are those without reserved bits, with a defined opcode, and not of a fragmented control frame", () => {
    const taken: string[] = [];
    for (let first = 0; first < 256; first++) {
      const told = read(Uint8Array.of(first, 0));
      if (told.endsWith(" 0")) taken.push(first.toString(16).padStart(2, "0"));
    }
    expect(taken).toEqual(["00", "01", "02", "80", "81", "82", "88", "89", "8a"]);
  });
  test("RSV1 is accepted if an extension uses it (rfc7692#6)", () => {
    expect([read("c1 00", "client", true), read("c1 00"), read("e1 00", "client", true), read("d1 00", "client", true)]).toEqual([
      "text rsv1 0",
      "reservedBitSet",
      "reservedBitSet",
      "reservedBitSet",
    ]);
  });
  test("a client masks, a server does not (rfc6455#5.1)", () => {
    expect([read("81 80 00 00 00 00", "server"), read("81 00", "server"), read("81 80 00 00 00 00", "client")]).toEqual([
      "text 0 0",
      "maskMissing",
      "maskForbidden",
    ]);
  });
});

const frame: fc.Arbitrary<Frame> = fc
  .record({
    is: fc.constantFrom(...(Object.keys(Opcode) as OpcodeName[])),
    fin: fc.boolean(),
    rsv1: fc.boolean(),
    key: fc.option(fc.nat(2 ** 32 - 1), { nil: undefined }),
    payload: fc.oneof(
      fc.uint8Array({ maxLength: 130 }),
      fc.constantFrom(65_535, 65_536).map((size) => new Uint8Array(size).fill(5)),
    ),
  })
  .map(({ key, ...rest }) => {
    const isControl = Opcode[rest.is] >= 8;
    const lawful = isControl ? { ...rest, fin: true, payload: rest.payload.slice(0, 125) } : rest;
    return key === undefined ? lawful : { ...lawful, key };
  });

test("writeFrame(): reads back the same, and is short if cut anywhere", () => {
  fc.assert(
    fc.property(frame, fc.nat(), (one, cut) => {
      const w = new Writer();
      writeFrame(w, one);
      const wire = w.take();
      const side = one.key === undefined ? "client" : "server";
      expect(readFrame(wire, side, true)).toEqual(one);
      expect(readFrame(wire.slice(0, cut % wire.length), side, true)).toBe("short");
    }),
    { numRuns: 300 },
  );
});
