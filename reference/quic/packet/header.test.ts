import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Writer } from "../../core/index.ts";
import { fromHex, octets, toHex } from "../testing.ts";
import { isReserved, V1, V2 } from "../version.ts";
import { longHeadLength, readHeader, writeLongHead, writeLongHeader, writeVersionNegotiation, type Header } from "./header.ts";

const read = (hex: string, idLength = 4, at = 0): Header | string => {
  const header = readHeader(fromHex(hex), at, idLength);
  return header.is === "fault" ? header.name : header;
};
const IDS = "02 aabb 01 cc";

describe("packet headers", () => {
  test.each([
    [
      "Initial of version 1",
      `c3 00000001 ${IDS} 02 7177 4005 0102030405 ff`,
      { type: "initial", version: V1, token: fromHex("7177"), numberAt: 15, end: 20 },
    ],
    ["0-RTT of version 1", `d0 00000001 ${IDS} 05 0102030405`, { type: "0-RTT", numberAt: 11, end: 16 }],
    ["Handshake of version 1", `e0 00000001 ${IDS} 05 0102030405`, { type: "handshake" }],
    ["Initial of version 2", `d0 6b3343cf ${IDS} 00 05 0102030405`, { type: "initial", version: V2, token: octets(0) }],
    ["0-RTT of version 2", `e0 6b3343cf ${IDS} 05 0102030405`, { type: "0-RTT" }],
    ["Handshake of version 2", `f0 6b3343cf ${IDS} 05 0102030405`, { type: "handshake" }],
  ] as const)("%s is read", (_, wire, expected) => {
    expect(read(wire)).toMatchObject({ is: "long", destination: fromHex("aabb"), source: fromHex("cc"), start: 0, ...expected });
  });

  test.each([
    ["1", `f5 00000001 ${IDS}`],
    ["2", `c5 6b3343cf ${IDS}`],
  ])("Retry of version %s has a token and a tag", (_, head) => {
    const tag = "00112233445566778899aabbccddeeff";
    expect(read(`${head} 746f6b ${tag}`)).toMatchObject({
      is: "retry",
      token: fromHex("746f6b"),
      tag: fromHex(tag),
      untagged: fromHex(`${head} 746f6b`),
    });
    expect(read(`${head} 0011`)).toBe("packetTruncated");
  });

  test("a short header has an ID of the length that we issue", () => {
    expect(read("40 01020304 05 06")).toEqual({ is: "short", destination: fromHex("01020304"), start: 0, numberAt: 5, end: 7 });
    expect(read("ff 40 05 06", 0, 1)).toEqual({ is: "short", destination: octets(0), start: 1, numberAt: 2, end: 4 });
    expect(read("40 01020304")).toBe("packetTruncated");
    expect(read("3f 01020304 05 06")).toBe("fixedBitZero");
  });

  test("packets of unknown versions have IDs of up to 255 octets, of known ones 20", () => {
    const long = toHex(octets(255));
    expect(read(`80 0a0a0a0a ff ${long} 00 1234`)).toMatchObject({ is: "unknownVersion", version: 0x0a0a0a0a, destination: octets(255) });
    expect(read(`c0 00000001 15 ${toHex(octets(21))} 00 00 00`)).toBe("connectionIdTooLong");
    expect(read(`c0 00000001 00 15 ${toHex(octets(21))} 00 00`)).toBe("connectionIdTooLong");
    expect(read(`c0 00000001 14 ${toHex(octets(20))} 14 ${toHex(octets(20))} 00 00`)).toMatchObject({ is: "long" });
    expect(read(`80 00000001 ${IDS} 00 00`)).toBe("fixedBitZero");
    expect([0x0a0a0a0a, 0xfafafafa, 0x1a2a3a4b].map(isReserved)).toEqual([true, true, false]);
  });

  test("Version Negotiation exchanges the IDs of the client and lists versions", () => {
    const writer = new Writer();
    writeVersionNegotiation(writer, { destination: fromHex("aabb"), source: fromHex("cc") }, [1, 0x6b3343cf], 0xff);
    const wire = toHex(writer.take());
    expect(wire).toBe("ff0000000001cc02aabb000000016b3343cf");
    expect(read(wire)).toMatchObject({
      is: "versionNegotiation",
      destination: fromHex("cc"),
      source: fromHex("aabb"),
      versions: [1, 0x6b3343cf],
    });
    expect(read(`80 00000000 ${IDS}`)).toBe("versionListInvalid");
    expect(read(`80 00000000 ${IDS} 00000001 00`)).toBe("versionListInvalid");
  });

  test("a header that is written reads the same", () => {
    const id = fc.uint8Array({ maxLength: 20 });
    fc.assert(
      fc.property(
        fc.constantFrom("initial", "0-RTT", "handshake"),
        fc.constantFrom(V1, V2),
        id,
        id,
        fc.uint8Array({ maxLength: 100 }),
        (type, version, destination, source, token) => {
          const head = { type, version, destination, source, token };
          const writer = new Writer();
          writeLongHeader(writer, head, 30, 2);
          expect(writer.length).toBe(longHeadLength(head));
          const length = writer.length;
          writer.bytes(octets(31));
          expect(readHeader(writer.take(), 0, 0)).toMatchObject({
            is: "long",
            type,
            version,
            destination,
            source,
            token: type === "initial" ? token : octets(0),
            numberAt: length,
            end: length + 30,
          });
        },
      ),
    );
    const writer = new Writer();
    writeLongHead(writer, { type: "retry", version: V2, destination: fromHex("aa"), source: fromHex("") }, 5);
    expect(toHex(writer.take())).toBe("c56b3343cf01aa00");
  });

  test("cut anywhere it is truncated; any octets are a header or a reason to discard them", () => {
    const whole = `c3 00000001 ${IDS} 02 7177 4005 0102030405`.replaceAll(" ", "");
    for (let end = 0; end < whole.length; end += 2) expect(read(whole.slice(0, end))).toBe("packetTruncated");
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(20), (bytes, idLength) => {
        const header = readHeader(bytes, 0, idLength);
        expect(header.is === "fault" ? header.scope === "packet" : header.end <= bytes.length).toBe(true);
      }),
    );
  });
});
