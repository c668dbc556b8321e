import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Decoder, type Decoded, type DecoderLimits } from "./decoder.ts";
import { hex, octets } from "./testing.ts";

/** The fields of a result as text, or what it is instead. */
const shown = (decoded: Decoded | { readonly is: "blocked" }): unknown => {
  if (decoded.is === "fields") return decoded.fields.map(({ name, value, sensitive }) => `${name}: ${value}${sensitive ? " (never)" : ""}`);
  return decoded.is === "fault" ? `${decoded.name}, ${decoded.scope}` : decoded.is;
};
const NOTHING = { unblocked: [] };
/** A decoder whose table has `a: 1` (index 0) and `b: 2` (index 1). */
function filled(limits: DecoderLimits = {}): Decoder {
  const decoder = new Decoder({ maxTableCapacity: 220, ...limits });
  expect(decoder.receive(octets("3fbd01 41 61 01 31 41 62 01 32"))).toEqual(NOTHING);
  return decoder;
}

describe("Decoder", () => {
  test("reads the examples of the specification (rfc9204#B)", () => {
    const decoder = new Decoder({ maxTableCapacity: 220 });
    expect(shown(decoder.decode(0, octets("0000 510b2f696e6465782e68746d6c")))).toEqual([":path: /index.html"]);
    expect(decoder.take()).toEqual(octets(""));
    expect(decoder.receive(octets("3fbd01 c00f7777772e6578616d706c652e636f6d c10c2f73616d706c652f70617468"))).toEqual(NOTHING);
    expect(decoder.tableSize).toBe(106);
    expect(shown(decoder.decode(4, octets("0381 10 11")))).toEqual([":authority: www.example.com", ":path: /sample/path"]);
    expect(hex(decoder.take())).toBe("84");
    expect(decoder.receive(octets("4a637573746f6d2d6b6579 0c637573746f6d2d76616c7565"))).toEqual(NOTHING);
    expect(hex(decoder.take())).toBe("01");
    expect(decoder.decode(8, octets("0500 80 c1 81"))).toEqual({ is: "blocked" });
    decoder.cancel(8);
    expect(hex(decoder.take())).toBe("48");
    expect(decoder.receive(octets("02"))).toEqual(NOTHING);
    expect(decoder.tableSize).toBe(217);
    expect(decoder.receive(octets("81 0d637573746f6d2d76616c756532"))).toEqual(NOTHING);
    expect([decoder.tableSize, decoder.table.map(({ value }) => value)]).toEqual([
      215,
      ["custom-value2", "www.example.com", "custom-value", "/sample/path"],
    ]);
  });

  test.each([
    ["an indexed static field", "0000 d1", [":method: GET"]],
    ["an indexed dynamic field", "0300 80 81", ["b: 2", "a: 1"]],
    ["an indexed field after the base", "0381 10 11", ["a: 1", "b: 2"]],
    ["a literal with a static name", "0000 5f00 01 61", [":method: a"]],
    ["a literal with a dynamic name", "0300 40 01 78", ["b: x"]],
    ["a literal with a name after the base", "0381 01 01 78", ["b: x"]],
    ["a literal with its name", "0000 21 63 01 78", ["c: x"]],
    ["literals that are never indexed", "0300 71 01 78 60 01 78 31 63 01 78", [":path: x (never)", "b: x (never)", "c: x (never)"]],
    ["a literal after the base that is never indexed", "0381 08 01 78", ["a: x (never)"]],
    ["nothing", "0000", []],
    ["a base beyond the insertions", "0305 85", ["b: 2"]],
  ])("reads %s", (_, section, fields) => expect(shown(filled().decode(0, octets(section)))).toEqual(fields));

  test.each([
    ["a section that ends in its prefix", "00", "integerTruncated, connection"],
    ["an insert count beyond the range", "0e00 80", "requiredInsertCountImpossible, connection"],
    ["a negative base", "0382", "baseNegative, connection"],
    ["a reference at the insert count", "0200 80 10", "referenceBeyondRequired, connection"],
    ["a reference to what was never inserted", "0300 82", "referenceEvicted, connection"],
    ["an unknown static index", "0000 ff24", "staticIndexUnknown, connection"],
    ["an unknown static name", "0000 5f54 01 61", "staticIndexUnknown, connection"],
    ["a name that is cut", "0000 22 63", "stringTruncated, connection"],
    ["a value that is cut", "0000 51 02 61", "stringTruncated, connection"],
    ["a dynamic reference with an insert count of zero", "0000 80", "referenceEvicted, connection"],
    ["Huffman padding that is too long", "0000 51 83 1c ff ff", "huffmanPaddingTooLong, connection"],
    ["an integer beyond 62 bits", "0000 ff ffffffffffffffffff01", "integerTooLarge, stream"],
  ])("refuses %s", (_, section, wrong) => expect(shown(filled().decode(0, octets(section)))).toBe(wrong));

  test("refuses a string beyond its limit and goes on", () => {
    const decoder = filled({ maxStringLength: 3 });
    expect(shown(decoder.decode(0, octets("0000 51 04 61616161")))).toBe("stringTooLong, stream");
    expect(shown(decoder.decode(4, octets("0000 51 03 616161")))).toEqual([":path: aaa"]);
  });

  test("a list beyond its limit is reported, acknowledged, and the next one is read", () => {
    const decoder = filled({ maxListSize: 70 });
    expect(decoder.decode(0, octets("0300 80 80 80"))).toMatchObject({ is: "tooLarge", size: 102, fields: [{ name: "b" }, { name: "b" }] });
    expect(hex(decoder.take())).toBe("80");
    expect(shown(decoder.decode(4, octets("0300 80")))).toEqual(["b: 2"]);
  });

  test.each([
    ["a capacity beyond the limit", "3fbe01", "capacityBeyondLimit"],
    ["an entry larger than the capacity", "3f02 40 02 6161", "entryTooLarge"],
    ["a copy of what was never inserted", "02", "referenceEvicted"],
    ["a name that was never inserted", "82 01 61", "referenceEvicted"],
    ["an unknown static name", "ff24 01 61", "staticIndexUnknown"],
  ])("refuses %s on the encoder stream", (_, instructions, name) =>
    expect(filled().receive(octets(instructions))).toMatchObject({
      fault: { is: "fault", name, code: "QPACK_ENCODER_STREAM_ERROR", scope: "connection" },
    }),
  );

  test("refuses a string of the encoder stream by what has come of it", () => {
    const decoder = filled({ maxStringLength: 20 });
    expect(decoder.receive(octets(`5f 80 01 ${"61".repeat(20)}`))).toEqual(NOTHING);
    expect(decoder.receive(octets("61".repeat(20)))).toMatchObject({ fault: { name: "stringTooLong" } });
  });

  test("what a new entry evicts can still give it its name", () => {
    const decoder = new Decoder({ maxTableCapacity: 40 });
    expect(decoder.receive(octets("3f09 43 616161 01 31 80 01 32"))).toEqual(NOTHING);
    expect(decoder.table).toMatchObject([{ name: "aaa", value: "2" }]);
  });

  test("sections wait for insertions, each stream in its order, and no more streams than announced", () => {
    const decoder = new Decoder({ maxTableCapacity: 220, maxBlockedStreams: 2 });
    expect(decoder.decode(0, octets("0300 80"))).toEqual({ is: "blocked" });
    expect(decoder.decode(4, octets("0200 80"))).toEqual({ is: "blocked" });
    // Static fields only, but behind a section that waits.
    expect(decoder.decode(0, octets("0000 d1"))).toEqual({ is: "blocked" });
    expect(decoder.blockedStreams).toBe(2);
    expect(shown(decoder.decode(8, octets("0200 80")))).toBe("tooManyBlocked, connection");
    expect(decoder.receive(octets("3fbd01 41 61 01 31"))).toMatchObject({
      unblocked: [{ streamId: 4, decoded: { fields: [{ name: "a" }] } }],
    });
    expect(decoder.receive(octets("41 62 01 32"))).toMatchObject({
      unblocked: [
        { streamId: 0, decoded: { fields: [{ name: "b" }] } },
        { streamId: 0, decoded: { fields: [{ name: ":method" }] } },
      ],
    });
    expect(hex(decoder.take())).toBe("8480");
  });

  test("an insert count of a long connection wraps (rfc9204#4.5.1.1)", () => {
    const decoder = new Decoder({ maxTableCapacity: 100 });
    expect(decoder.receive(octets(`3f45 ${"40 01 61".repeat(9)} 40 01 7a`))).toEqual(NOTHING);
    // 4 stands for 9 of 10 insertions; a table of 100 octets has the last three.
    expect(shown(decoder.decode(0, octets("0400 80")))).toEqual([": a"]);
    expect(shown(decoder.decode(0, octets("0500 80")))).toEqual([": z"]);
  });

  test("without a table a stream that is given up says nothing", () => {
    const decoder = new Decoder({ maxTableCapacity: 0 });
    decoder.cancel(4);
    expect(hex(decoder.take())).toBe("");
  });

  test("instructions mean the same however they are cut", () => {
    const whole = octets("3fbd01 41 61 01 31 c0 03 626262 00 80 01 33 4a637573746f6d2d6b6579 8c25a849e95bb8e8b4bf");
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 12 }), (cuts) => {
        const decoder = new Decoder({ maxTableCapacity: 220 });
        let from = 0;
        for (const to of [...cuts.sort((a, b) => a - b), whole.length]) {
          expect(decoder.receive(whole.subarray(from, to))).toEqual(NOTHING);
          from = to;
        }
        const once = new Decoder({ maxTableCapacity: 220 });
        once.receive(whole);
        expect(decoder.table).toEqual(once.table);
      }),
    );
  });

  test("no octets make it throw", () => {
    const some = fc.uint8Array({ maxLength: 60 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), some), { maxLength: 12 }), (parts) => {
        const decoder = filled();
        expect(() => {
          for (const [isSection, part] of parts) {
            if (isSection) decoder.decode(0, part);
            else if (decoder.receive(part).fault !== undefined) return;
          }
          decoder.take();
        }).not.toThrow();
      }),
      { numRuns: 1_000 },
    );
  });
});
