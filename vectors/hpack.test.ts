import { describe, expect, test } from "vitest";
import { Writer, field } from "../reference/core/index.ts";
import { Cursor, readInteger, writeInteger } from "../reference/field-coding/index.ts";
import { readHuffman } from "../reference/field-coding/huffman-decode.ts";
import { writeHuffman } from "../reference/field-coding/huffman-encode.ts";
import { Decoder, Encoder } from "../reference/hpack/index.ts";
import {
  kindOf,
  loadVectors,
  vectorFiles,
  type HpackDecodeVector,
  type HpackEncodeVector,
  type HuffmanStringVector,
  type PrefixIntegerVector,
  type Vector,
  type VectorField,
} from "./load.ts";

const octets = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const specs = (fields: readonly { name: string; value: string; sensitive: boolean }[]): VectorField[] =>
  fields.map(({ name, value, sensitive }) => (sensitive ? [name, value, true] : [name, value]));

type Compared = { readonly got: unknown; readonly wanted: unknown };

/** One test for each vector of each file of a kind. */
function eachVector<V extends Vector>(kind: string, compare: (vector: V) => Compared): void {
  const names = vectorFiles().filter((name) => name.startsWith("hpack/") && kindOf(loadVectors(name)) === kind);
  describe.each(names)("%s", (name) => {
    test.each(loadVectors<V>(name).vectors)("$id: $note", (vector) => {
      const { got, wanted } = compare(vector);
      expect(got).toEqual(wanted);
    });
  });
}

describe("our decoder agrees with the vectors", () => {
  eachVector<HpackDecodeVector>("hpack-decode", ({ tableSize, blocks, fault }) => {
    const decoder = new Decoder({ maxListSize: 1 << 24, ...(tableSize === undefined ? {} : { maxTableSize: tableSize }) });
    const got = blocks.map(({ limit, wire, table }) => {
      if (limit !== undefined) decoder.maxTableSize = limit;
      const decoded = decoder.decode(octets(wire));
      if (decoded.is !== "fields") return decoded.is === "fault" ? decoded.name : decoded.is;
      return { fields: specs(decoded.fields), ...(table === undefined ? {} : { table: specs(decoder.table), size: decoder.tableSize }) };
    });
    const wanted = blocks.map(({ fields, table, size }) =>
      fields === undefined ? fault : { fields, ...(table === undefined ? {} : { table, size }) },
    );
    return { got, wanted };
  });
});

describe("our encoder's blocks decode to the lists", () => {
  eachVector<HpackEncodeVector>("hpack-encode", ({ lists, limits }) => {
    const encoder = new Encoder();
    const decoder = new Decoder({ maxListSize: 1 << 24 });
    const writer = new Writer();
    const got = lists.map((list, i) => {
      const limit = limits?.[i];
      if (typeof limit === "number") encoder.maxTableSize = decoder.maxTableSize = limit;
      encoder.encode(
        list.map(([name, value, sensitive]) => field(name, value, sensitive === true)),
        writer,
      );
      const decoded = decoder.decode(writer.take());
      if (decoded.is !== "fields") return decoded;
      // The encoder may protect more fields than requested, never fewer.
      return decoded.fields.map(({ name, value, sensitive }, k) =>
        sensitive && list[k]?.[2] === true ? [name, value, true] : [name, value],
      );
    });
    return { got, wanted: lists };
  });
});

describe("our Huffman coding agrees with the vectors", () => {
  eachVector<HuffmanStringVector>("huffman-string", ({ wire, text, fault }) => {
    const block = octets(wire);
    const cursor = new Cursor().open(block);
    const out = new Uint8Array(block.length * 2 + 2);
    const decoded = Buffer.from(out.subarray(0, readHuffman(cursor, block.length, out))).toString("latin1");
    const coded = new Uint8Array((text?.length ?? 0) * 4 + 4);
    const again = text === undefined ? wire : hex(coded.subarray(0, writeHuffman(coded, 0, text, coded.length)));
    return { got: [cursor.fault ?? decoded, again], wanted: [text ?? fault, wire] };
  });
});

describe("our integers agree with the vectors", () => {
  eachVector<PrefixIntegerVector>("prefix-integer", ({ prefix, wire, value, result, fault }) => {
    const cursor = new Cursor().open(octets(wire));
    const read = readInteger(cursor, prefix);
    // An acceptable vector exceeds a limit of ours: refusing it is right, another value is not.
    const refused = result === "invalid" || (result === "acceptable" && cursor.fault === "integerTooLarge");
    const written = new Uint8Array(8);
    const pattern = Number.parseInt(wire.slice(0, 2) || "0", 16) & ~(2 ** prefix - 1);
    const again = hex(written.subarray(0, writeInteger(written, 0, pattern, prefix, read)));
    return { got: [cursor.fault ?? read, again === wire], wanted: [refused ? (fault ?? "integerTooLarge") : value, result === "valid"] };
  });
});
