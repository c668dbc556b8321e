import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { field } from "../core/index.ts";
import { entrySize } from "../field-coding/index.ts";
import { Decoder, type Decoded, type DecoderLimits } from "./decoder.ts";
import { FAULTS, type HpackFaultName } from "./faults.ts";
import { STATIC_TABLE } from "./static-table.ts";

const octets = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
/** The outcome of the last of some blocks. */
function decode(blocks: readonly string[], limits?: DecoderLimits): Decoded {
  const decoder = new Decoder(limits);
  return blocks.map((block) => decoder.decode(octets(block))).at(-1) as Decoded;
}
const told = (decoded: Decoded): string => (decoded.is === "fault" ? decoded.name : decoded.is);

describe("Decoder: every fault, with the bytes that cause it", () => {
  const cases: Record<HpackFaultName, readonly string[]> = {
    indexZero: ["80"],
    indexBeyondTables: ["be"],
    sizeUpdateLate: ["8220"],
    sizeUpdateBeyondLimit: ["3fe21f"],
    sizeUpdateMissing: [],
    integerTruncated: ["ff"],
    integerTooLarge: ["ffffffffffffff7f"],
    stringTruncated: ["0003616263056162"],
    stringTooLong: [],
    huffmanEos: ["00016184ffffffff"],
    huffmanPaddingTooLong: ["000161821fff"],
    huffmanPaddingWrong: ["0001618118"],
  };
  test.each(Object.entries(cases).filter(([, blocks]) => blocks.length > 0))("%s", (name, blocks) => {
    const decoded = decode(blocks);
    expect(decoded).toEqual({ is: "fault", name, code: "COMPRESSION_ERROR", spec: FAULTS[name as HpackFaultName].spec });
  });

  test("sizeUpdateMissing: the limit fell below the table in use", () => {
    const decoder = new Decoder();
    decoder.maxTableSize = 100;
    expect(told(decoder.decode(octets("82")))).toBe("sizeUpdateMissing");
  });

  test("stringTooLong: beyond the given limit", () => {
    expect(told(decode(["00016105" + "61".repeat(5)], { maxStringLength: 4 }))).toBe("stringTooLong");
    expect(told(decode(["00016104" + "61".repeat(4)], { maxStringLength: 4 }))).toBe("fields");
  });
});

describe("Decoder: shared objects", () => {
  test("an indexed field is the table's own object", () => {
    const decoder = new Decoder();
    const first = decoder.decode(octets("82400161" + "0131"));
    const again = decoder.decode(octets("82be"));
    if (first.is !== "fields" || again.is !== "fields") throw new Error("not decoded");
    expect(again.fields[0]).toBe(STATIC_TABLE[1]);
    expect(again.fields[1]).toBe(first.fields[1]);
  });

  test("the block may be overwritten afterwards", () => {
    const decoder = new Decoder();
    const block = octets("400a637573746f6d2d6b65790c637573746f6d2d76616c7565");
    const decoded = decoder.decode(block);
    block.fill(0);
    expect(decoded).toEqual({ is: "fields", fields: [field("custom-key", "custom-value")] });
  });

  test("a never-indexed literal is marked sensitive", () => {
    expect(decode(["100870617373776f726406736563726574"])).toEqual({ is: "fields", fields: [field("password", "secret", true)] });
  });
});

describe("Decoder: the size of a list", () => {
  // a: 1 counts 34.
  const A = "4001610131";

  test("exactly the limit is accepted; one byte more is too large, with the size of the whole list", () => {
    expect(told(decode([`${A}be`], { maxListSize: 68 }))).toBe("fields");
    expect(decode([`${A}be`], { maxListSize: 67 })).toEqual({ is: "tooLarge", fields: [field("a", "1")], size: 68 });
  });

  test("the tables stay in step: the block after a too large list decodes", () => {
    const decoder = new Decoder({ maxListSize: 40 });
    expect(told(decoder.decode(octets(`${A}4001620132`)))).toBe("tooLarge");
    expect(decoder.decode(octets("be"))).toEqual({ is: "fields", fields: [field("b", "2")] });
    expect(decoder.decode(octets("bf"))).toEqual({ is: "fields", fields: [field("a", "1")] });
  });

  test("a small field after a too large one is not included", () => {
    expect(decode([`000161${"1e"}${"78".repeat(30)}8286`], { maxListSize: 60 })).toMatchObject({ is: "tooLarge", fields: [] });
  });

  test("a fault after the limit is still a fault", () => {
    expect(told(decode([`${A}${A}80`], { maxListSize: 40 }))).toBe("indexZero");
  });

  test("16,000 references to one large entry keep no more fields than the limit allows", () => {
    const large = `400161${"7fe01e"}${"78".repeat(0x7f + 0x60 + (0x1e << 7))}`;
    const decoded = decode([large + "be".repeat(16_000)], { maxListSize: 16_384 });
    if (decoded.is !== "tooLarge") throw new Error(told(decoded));
    expect(decoded.fields.length).toBeLessThan(5);
    expect(decoded.size).toBeGreaterThan(60_000_000);
  });
});

describe("Decoder: size updates", () => {
  test("the smallest of several limits between two blocks must be met", () => {
    const between = (...updates: string[]): string => {
      const decoder = new Decoder();
      decoder.maxTableSize = 0;
      decoder.maxTableSize = 4_096;
      return told(decoder.decode(octets(`${updates.join("")}82`)));
    };
    expect([between(), between("3fe11f"), between("20"), between("20", "3fe11f")]).toEqual([
      "sizeUpdateMissing",
      "sizeUpdateMissing",
      "fields",
      "fields",
    ]);
  });

  test("a smaller limit replaced by a larger one must be met as well", () => {
    const after = (hex: string): string => {
      const decoder = new Decoder();
      decoder.maxTableSize = 0;
      decoder.maxTableSize = 100;
      return told(decoder.decode(octets(hex)));
    };
    expect([after("3f4582"), after("203f4582"), after("2082")]).toEqual(["sizeUpdateMissing", "fields", "fields"]);
  });

  test("a limit that rises, or falls to the size in use, needs no update", () => {
    const decoder = new Decoder({ maxTableSize: 100 });
    decoder.maxTableSize = 4_096;
    expect(told(decoder.decode(octets("82")))).toBe("fields");
    decoder.maxTableSize = 100;
    expect([decoder.maxTableSize, told(decoder.decode(octets("82")))]).toEqual([100, "fields"]);
  });

  test("table and tableSize show the dynamic table", () => {
    const decoder = new Decoder();
    decoder.decode(octets("40016101314001620132"));
    expect([decoder.table, decoder.tableSize]).toEqual([[field("b", "2"), field("a", "1")], 68]);
  });
});

describe("Decoder: any bytes", () => {
  /** Octets that look like blocks: representations with small indices and short strings, and some noise. */
  const string = fc.uint8Array({ maxLength: 8 }).chain((content) => fc.constantFrom(0, 0x80).map((h) => [h | content.length, ...content]));
  const literal = fc.tuple(fc.constantFrom(0x40, 0x41, 0x7e, 0x00, 0x0f, 0x10), string, string).map(([first, a, b]) => [first, ...a, ...b]);
  const representation = fc.oneof(
    literal,
    fc.nat(255).map((octet) => [octet]),
    fc.constantFrom([0x20], [0x3f, 0xe1, 0x1f], [0xbe], [0xbf], [0x82]),
  );
  const blocks = fc.array(
    fc.array(representation, { maxLength: 12 }).map((parts) => Uint8Array.from(parts.flat())),
    { maxLength: 4 },
  );

  test("fields, too large, or one of the faults; lists and tables stay within their limits; the same bytes give the same result", () => {
    fc.assert(
      fc.property(blocks, (some) => {
        const limits = { maxTableSize: 128, maxListSize: 200 };
        const decoder = new Decoder(limits);
        const twin = new Decoder(limits);
        for (const block of some) {
          const decoded = decoder.decode(block);
          expect(twin.decode(block)).toEqual(decoded);
          expect(decoder.tableSize).toBeLessThanOrEqual(128);
          const fields = decoded.is === "fault" ? [] : decoded.fields;
          expect(fields.reduce((sum, one) => sum + entrySize(one), 0)).toBeLessThanOrEqual(200);
          expect(decoded.is === "fault" ? Object.keys(FAULTS) : ["fields", "tooLarge"]).toContain(told(decoded));
          if (decoded.is === "fault") return;
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a block cut at any byte is a fault, or the beginning of the list", () => {
    const decodeWhole = (block: Uint8Array): Decoded => new Decoder({ maxTableSize: 128 }).decode(block);
    fc.assert(
      fc.property(fc.array(literal, { maxLength: 6 }), (parts) => {
        const block = Uint8Array.from(parts.flat());
        const whole = decodeWhole(block);
        fc.pre(whole.is === "fields");
        const ends = new Set<number>();
        for (let cut = 0; cut < block.length; cut++) {
          const decoded = decodeWhole(block.subarray(0, cut));
          const fields = decoded.is === "fields" ? decoded.fields : [];
          expect(decoded.is).not.toBe("tooLarge");
          expect(fields).toEqual(whole.is === "fields" ? whole.fields.slice(0, fields.length) : []);
          if (decoded.is === "fields") ends.add(decoded.fields.length);
        }
        // One cut for each field, and no more, falls between two representations.
        expect(ends.size).toBe(whole.is === "fields" ? whole.fields.length : -1);
      }),
    );
  });
});
