import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { field, Misuse, Writer, type Field } from "../core/index.ts";
import { Decoder } from "./decoder.ts";
import { Encoder, type EncoderOptions } from "./encoder.ts";

const hex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");
const encodeWith = (encoder: Encoder, ...fields: Field[]): string => {
  const writer = new Writer();
  encoder.encode(fields, writer);
  return hex(writer.take());
};
const encode = (fields: readonly Field[], options?: EncoderOptions): string => encodeWith(new Encoder(options), ...fields);

const latin1 = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.nat(255), { maxLength }).map((values) => String.fromCharCode(...values));
const name = fc.oneof(fc.constantFrom(":path", ":status", "cookie", "a", "x-own", "authorization"), latin1(12));
const value = fc.oneof(fc.constantFrom("", "/", "200", "1", "x".repeat(150)), latin1(40));
const one = fc.tuple(name, value, fc.boolean()).map(([n, v, s]) => field(n, v, s));
const lists = fc.array(fc.array(one, { maxLength: 10 }), { maxLength: 8 });
const sizes = fc.array(fc.option(fc.constantFrom(0, 33, 64, 100, 4_096, 10_000)), { maxLength: 8 });

describe("Encoder: representations", () => {
  test("a static entry is one byte; a new field enters the table, and is one byte the next time", () => {
    const encoder = new Encoder();
    expect(encodeWith(encoder, field(":method", "GET"))).toBe("82");
    expect(encodeWith(encoder, field("a", "1"))).toBe("4001610131");
    expect(encodeWith(encoder, field("a", "1"))).toBe("be");
    expect(encodeWith(encoder, field("a", "2"))).toBe("7e0132");
  });

  test("the examples of the specification with a policy like ours, byte by byte (rfc7541#C.4)", () => {
    const encoder = new Encoder();
    const request = [field(":method", "GET"), field(":scheme", "http"), field(":path", "/"), field(":authority", "www.example.com")];
    expect(encodeWith(encoder, ...request)).toBe("828684418cf1e3c2e5f23a6ba0ab90f4ff");
    expect(encodeWith(encoder, ...request, field("cache-control", "no-cache"))).toBe("828684be5886a8eb10649cbf");
    const third = [
      field(":method", "GET"),
      field(":scheme", "https"),
      field(":path", "/index.html"),
      field(":authority", "www.example.com"),
    ];
    expect(encodeWith(encoder, ...third, field("custom-key", "custom-value"))).toBe("828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf");
  });

  test("a one-off value stays out of the table, a sensitive one is never indexed, each under its name's index", () => {
    expect(encode([field(":path", "/x")])).toBe("0402" + "2f78");
    expect(encode([field("x-own", "!!", true)])).toBe("10" + "84f2b1fc55" + "022121");
    expect(encode([field("authorization", "&")])).toBe("1f08" + "0126");
  });

  test("a sensitive field is a literal even if both tables contain it", () => {
    const encoder = new Encoder();
    encodeWith(encoder, field("a", "1"));
    expect(encodeWith(encoder, field("a", "1", true))).toBe("1f2f0131");
    expect(encodeWith(encoder, field(":method", "GET", true))).toBe("1203474554");
  });
});

describe("Encoder: size updates", () => {
  test("a limit that falls is signalled once, at the beginning of the next block", () => {
    const encoder = new Encoder();
    encoder.maxTableSize = 100;
    expect([encodeWith(encoder, field(":method", "GET")), encodeWith(encoder, field(":method", "GET"))]).toEqual(["3f4582", "82"]);
  });

  test("of several limits the smallest is signalled, then the last", () => {
    const encoder = new Encoder();
    for (const size of [1_000, 0, 50, 200]) encoder.maxTableSize = size;
    expect(encodeWith(encoder, field(":method", "GET"))).toBe("20" + "3fa901" + "82");
  });

  test("a limit that rises is used up to our own bound, and no further", () => {
    const encoder = new Encoder({ tableSize: 8_192 });
    encoder.maxTableSize = 65_536;
    expect(encodeWith(encoder, field(":method", "GET"))).toBe("3fe13f82");
    const modest = new Encoder();
    modest.maxTableSize = 65_536;
    expect([encodeWith(modest, field(":method", "GET")), modest.maxTableSize]).toEqual(["82", 65_536]);
  });

  test("our own smaller table is signalled with the first block", () => {
    expect(encode([field("a", "1"), field("a", "1")], { tableSize: 0 })).toBe("20" + "0001610131".repeat(2));
  });

  test("a limit that falls is signalled even if we use less", () => {
    const encoder = new Encoder({ tableSize: 0 });
    encodeWith(encoder);
    encoder.maxTableSize = 2_000;
    expect(encodeWith(encoder, field(":method", "GET"))).toBe("2082");
  });
});

describe("Encoder: mistakes of the caller", () => {
  test("a character above U+00FF throws, writes nothing, and leaves both sides in step", () => {
    const encoder = new Encoder();
    const decoder = new Decoder();
    const writer = new Writer();
    const send = (...fields: Field[]): unknown => {
      encoder.encode(fields, writer);
      return decoder.decode(writer.take());
    };
    expect(send(field("a", "1"))).toEqual({ is: "fields", fields: [field("a", "1")] });
    writer.u8(7);
    expect(() => encoder.encode([field("b", "2"), field("a", "1"), field("c", "naïve €")], writer)).toThrow(Misuse);
    expect(hex(writer.take())).toBe("07");
    const after = [field("b", "2"), field("a", "1"), field("b", "2")];
    expect(send(...after)).toEqual({ is: "fields", fields: after });
    expect(() => encoder.encode([field("ключ", "1")], writer)).toThrow(/give octets/);
  });
});

describe("Encoder: any lists, under any limits", () => {
  test("our decoder returns the same fields and marks, and both tables agree", () => {
    fc.assert(
      fc.property(lists, sizes, (some, limits) => {
        const encoder = new Encoder({ tableSize: 6_000 });
        const decoder = new Decoder({ maxListSize: 1 << 20 });
        const writer = new Writer();
        some.forEach((list, i) => {
          const limit = limits[i];
          if (typeof limit === "number") encoder.maxTableSize = decoder.maxTableSize = limit;
          encoder.encode(list, writer);
          const decoded = decoder.decode(writer.take());
          expect(decoded).toMatchObject({ is: "fields", fields: list.map(({ name: n, value: v }) => ({ name: n, value: v })) });
          const marks = decoded.is === "fields" ? decoded.fields.map(({ sensitive }, k) => sensitive || list[k]?.sensitive !== true) : [];
          expect(marks.every(Boolean)).toBe(true);
          // A secret is in no table.
          expect(decoder.table.every(({ name: n }) => n !== "authorization")).toBe(true);
        });
      }),
      { numRuns: 300 },
    );
  });

  test("a block is never longer than its fields written plainly", () => {
    fc.assert(
      fc.property(lists, (some) => {
        const encoder = new Encoder();
        for (const list of some) {
          const plain = list.reduce((sum, { name: n, value: v }) => sum + 5 + n.length + v.length, 0);
          expect(encodeWith(encoder, ...list).length / 2).toBeLessThanOrEqual(plain);
        }
      }),
    );
  });
});
