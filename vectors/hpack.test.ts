import { describe, expect, test } from "vitest";
import { Writer, field } from "../reference/core/index.ts";
import { Cursor, readInteger, writeInteger } from "../reference/field-coding/index.ts";
import { readHuffman, writeHuffman } from "../reference/field-coding/huffman.ts";
import { Decoder, Encoder, FAULTS } from "../reference/hpack/index.ts";
import {
  kindOf,
  loadVectors,
  vectorFiles,
  type HpackDecodeVector,
  type HpackEncodeVector,
  type HuffmanStringVector,
  type PrefixIntegerVector,
  type VectorField,
} from "./load.ts";

const octets = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const specs = (fields: readonly { name: string; value: string; sensitive: boolean }[]): VectorField[] =>
  fields.map(({ name, value, sensitive }) => (sensitive ? [name, value, true] : [name, value]));
const files = (kind: string): string[] => vectorFiles().filter((name) => name.startsWith("hpack/") && kindOf(loadVectors(name)) === kind);

describe.each(files("hpack-decode"))("%s: our decoder agrees", (name) => {
  test.each(loadVectors<HpackDecodeVector>(name).vectors)("$id: $note", ({ tableSize, blocks, result, fault }) => {
    const decoder = new Decoder({ maxListSize: 1 << 24, ...(tableSize === undefined ? {} : { maxTableSize: tableSize }) });
    blocks.forEach(({ limit, wire, fields, table, size }, i) => {
      if (limit !== undefined) decoder.maxTableSize = limit;
      const got = decoder.decode(octets(wire));
      if (result === "invalid" && i === blocks.length - 1) {
        expect(got).toEqual({ is: "fault", name: fault, code: "COMPRESSION_ERROR", spec: FAULTS[fault as keyof typeof FAULTS].spec });
        return;
      }
      if (got.is !== "fields") throw new Error(`block ${i + 1}: ${JSON.stringify(got)}`);
      expect(specs(got.fields)).toEqual(fields);
      if (table !== undefined) expect([specs(decoder.table), decoder.tableSize]).toEqual([table, size]);
    });
  });
});

describe.each(files("hpack-encode"))("%s: our encoder's blocks decode to the lists", (name) => {
  test.each(loadVectors<HpackEncodeVector>(name).vectors)("$id: $note", ({ lists, limits }) => {
    const encoder = new Encoder();
    const decoder = new Decoder({ maxListSize: 1 << 24 });
    const writer = new Writer();
    lists.forEach((list, i) => {
      const limit = limits?.[i];
      if (typeof limit === "number") encoder.maxTableSize = decoder.maxTableSize = limit;
      encoder.encode(
        list.map(([name, value, sensitive]) => field(name, value, sensitive === true)),
        writer,
      );
      const got = decoder.decode(writer.take());
      if (got.is !== "fields") throw new Error(`list ${i + 1}: ${JSON.stringify(got)}`);
      expect(got.fields.map(({ name, value }) => [name, value])).toEqual(list.map(([name, value]) => [name, value]));
      // The encoder may protect more than it was asked to, and never less.
      list.forEach(([, , sensitive], k) => expect(got.fields[k]?.sensitive === true || sensitive !== true).toBe(true));
    });
  });
});

describe.each(files("huffman-string"))("%s: our code agrees", (name) => {
  test.each(loadVectors<HuffmanStringVector>(name).vectors)("$id: $note", ({ wire, text, fault }) => {
    const block = octets(wire);
    const cursor = new Cursor().open(block);
    const out = new Uint8Array(block.length * 2 + 2);
    const count = readHuffman(cursor, block.length, out);
    if (text === undefined) {
      expect(cursor.fault).toBe(fault);
      return;
    }
    expect([cursor.fault, Buffer.from(out.subarray(0, count)).toString("latin1")]).toEqual([undefined, text]);
    const coded = new Uint8Array(text.length * 4 + 4);
    expect(Buffer.from(coded.subarray(0, writeHuffman(coded, 0, text))).toString("hex")).toBe(wire);
  });
});

describe.each(files("prefix-integer"))("%s: our integers agree", (name) => {
  test.each(loadVectors<PrefixIntegerVector>(name).vectors)("$id: $note", ({ prefix, wire, value, result, fault }) => {
    const cursor = new Cursor().open(octets(wire));
    const got = readInteger(cursor, prefix);
    if (result === "invalid") expect(cursor.fault).toBe(fault);
    else if (result === "valid") expect([got, cursor.fault, cursor.at]).toEqual([value, undefined, wire.length / 2]);
    // Where a limit is ours to set, refusing is right, and reading something else is not.
    else expect(cursor.fault === "integerTooLarge" || got === value).toBe(true);
    if (result !== "valid" || value === undefined) return;
    const written = new Uint8Array(8);
    const pattern = Number.parseInt(wire.slice(0, 2), 16) & ~(2 ** prefix - 1);
    expect(Buffer.from(written.subarray(0, writeInteger(written, 0, pattern, prefix, value))).toString("hex")).toBe(wire);
  });
});
