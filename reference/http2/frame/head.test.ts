import { expect, test } from "vitest";
import { Writer } from "../../core/index.ts";
import { fromHex, id, toHex } from "../testing.ts";
import { readHead, readU32, writeHead } from "./head.ts";

test("head: reads length, type, flags and stream, and drops the reserved bit", () => {
  expect(readHead(fromHex("ffffff" + "fe" + "ff" + "ffffffff"))).toEqual({
    length: 0xff_ffff,
    type: 0xfe,
    flags: 0xff,
    stream: 0x7fff_ffff,
  });
});

test("head: is read at any offset", () => {
  expect(readHead(fromHex("aaaa" + "000102" + "03" + "04" + "00000005"), 2)).toEqual({ length: 0x102, type: 3, flags: 4, stream: 5 });
});

test("head: writes what it reads", () => {
  const w = new Writer();
  writeHead(w, { length: 0x01_0203, type: 0x10, flags: 0x2d, stream: id(0x7fff_ffff) });
  expect(toHex(w.take())).toBe("010203102d7fffffff");
});

test("readU32(): is unsigned", () => {
  expect(readU32(fromHex("00ffffffff"), 1)).toBe(0xffff_ffff);
});
