import { expect, test } from "vitest";
import { emptyFiles } from "../block/testing.ts";
import { Sink } from "./sink.ts";
import { crc32c } from "../codec/crc32c.ts";
import { readFile } from "./files.ts";
import { Cursor } from "../codec/varint.ts";

const PATH = "data/file";

function written(write: (sink: Sink) => void): Cursor {
  const files = emptyFiles();
  const sink = new Sink(files.open(PATH, "create"));
  write(sink);
  sink.finish();
  return new Cursor(readFile(files, PATH));
}

test("text(): writes the length in octets and the UTF-8 of any text", () => {
  const texts = ["", "plain", "h\u00e9llo", "last is \u20ac", "x".repeat(300), `${"x".repeat(299)}\u{1f600}`, "y".repeat(1_500_000)];
  const cursor = written((sink) => {
    for (const text of texts) sink.text(text);
  });
  expect(texts.map(() => new TextDecoder().decode(cursor.view(cursor.uvarint())))).toEqual(texts);
  expect([cursor.left, cursor.short]).toEqual([0, false]);
});

test("words(): big-endian, with one checksum over any number of words", () => {
  const words = Uint32Array.from({ length: 600_000 }, (_, at) => Math.imul(at, 0x9e37_79b1));
  const cursor = written((sink) => {
    sink.u8(7);
    sink.beginSum();
    sink.words(words);
    sink.sum();
  });
  expect(cursor.u8()).toBe(7);
  expect(Uint32Array.from(words, () => cursor.u32())).toEqual(words);
  expect(cursor.u32()).toBe(crc32c(cursor.bytes, 0, 1, cursor.bytes.length - 4));
  expect([cursor.left, cursor.short]).toEqual([0, false]);
});
