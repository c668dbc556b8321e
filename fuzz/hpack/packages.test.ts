import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { field, Writer, type Field } from "../../reference/core/index.ts";
import { Decoder, Encoder } from "../../reference/hpack/index.ts";

/** Agreement with two other implementations, block by block over a whole connection. They do not support octets above 7f. */
type NameValue = readonly [name: string, value: string];
type Peer = { encode(list: readonly NameValue[]): Uint8Array; decode(block: Uint8Array): NameValue[] };

const require = createRequire(import.meta.url);
type Hpack = new () => { encode(list: readonly NameValue[]): Uint8Array; decode(block: Uint8Array): NameValue[] };
type Stream = { write(given: unknown): void; execute(): void; read(): unknown };
type HpackJs = Record<"compressor" | "decompressor", { create(options: object): Stream }>;

function hpack(): Peer {
  return new (require("hpack") as Hpack)();
}

function hpackJs(): Peer {
  const { compressor, decompressor } = require("hpack.js") as HpackJs;
  const out = compressor.create({ table: { maxSize: 4_096 } });
  const into = decompressor.create({ table: { maxSize: 4_096 } });
  const all = (stream: Stream): unknown[] => {
    const parts: unknown[] = [];
    for (let part = stream.read(); part !== null; part = stream.read()) parts.push(part);
    return parts;
  };
  return {
    encode(list) {
      out.write(list.map(([name, value]) => ({ name, value })));
      return Buffer.concat(all(out) as Uint8Array[]);
    },
    decode(block) {
      into.write(Buffer.from(block));
      into.execute();
      return (all(into) as { name: string; value: string }[]).map(({ name, value }) => [name, value]);
    },
  };
}

const ascii = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0x20, max: 0x7e }), { minLength, maxLength, size: "max" }).map((codes) => String.fromCharCode(...codes));
const name = fc.oneof(fc.constantFrom(":method", ":path", ":status", "cookie", "x-own", "user-agent"), ascii(1, 20));
const value = fc.oneof(fc.constantFrom("GET", "/", "200", "gzip, deflate", "1"), ascii(1, 200));
const list = fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 12 });
/** Long enough to evict entries. */
const connection = fc.array(list, { maxLength: 25, size: "max" });

const fieldsOf = (some: readonly NameValue[]): Field[] => some.map(([n, v]) => field(n, v));

describe.each<[string, () => Peer]>([
  ["hpack", hpack],
  ["hpack.js", hpackJs],
])("agreement with %s", (_, start) => {
  test("it decodes our blocks to the encoded fields", () => {
    fc.assert(
      fc.property(connection, (lists) => {
        const peer = start();
        const encoder = new Encoder();
        const writer = new Writer();
        for (const some of lists) {
          encoder.encode(fieldsOf(some), writer);
          expect(peer.decode(Buffer.from(writer.take()))).toEqual(some);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("we decode its blocks to the encoded fields", () => {
    fc.assert(
      fc.property(connection, (lists) => {
        const peer = start();
        const decoder = new Decoder({ maxListSize: 1 << 20 });
        for (const some of lists) expect(decoder.decode(peer.encode(some))).toEqual({ is: "fields", fields: fieldsOf(some) });
      }),
      { numRuns: 60 },
    );
  });
});
