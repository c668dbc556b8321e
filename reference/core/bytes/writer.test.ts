import { expect, test } from "vitest";
import { Writer } from "./writer.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

test("Writer.sized24(): patches the length that the body wrote beyond the fixed part", () => {
  const w = new Writer(4);
  w.sized24(2, () => w.u8(1).u8(2).u32(0xdeadbeef));
  expect(hex(w.take())).toBe("000004" + "0102" + "deadbeef");
});

test("Writer.take(): copies and rewinds", () => {
  const w = new Writer();
  const first = w.u8(1).take();
  w.u8(2);
  expect([hex(first), hex(w.take()), w.length]).toEqual(["01", "02", 0]);
});

test("Writer: writes numbers in network order", () => {
  expect(hex(new Writer().u8(1).u16(0x0203).u24(0x040506).u32(0x8708090a).take())).toBe("0102030405068708090a");
});

test("Writer.handOver(): no writer writes to the view again", () => {
  const w = new Writer();
  const first = w.u32(1).handOver();
  w.u32(2);
  const other = new Writer().u32(3);
  expect([hex(first), hex(w.cut()), hex(other.take())]).toEqual(["00000001", "00000002", "00000003"]);
  expect(hex(w.u32(4).handOver())).toBe("00000004");
});

test("Writer: waiting octets survive growth, patching and rewinding", () => {
  const w = new Writer(4);
  w.u32(0xffffffff).cut();
  w.u24(0).bytes(new Uint8Array(100_000).fill(7)).patch24(0, 0x010203);
  w.rewind(5);
  expect([w.length, hex(w.view(0)), hex(w.handOver())]).toEqual([5, "0102030707", "0102030707"]);
});

test("Writer.settle(): returns the unused part of a claim", () => {
  const w = new Writer();
  const at = w.u8(1).claim(100);
  w.octets[at] = 2;
  w.settle(at + 1);
  expect(hex(w.u8(3).take())).toBe("010203");
});
