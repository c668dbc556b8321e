import { expect, test } from "vitest";
import { Writer } from "./writer.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

test("Writer.sized24(): patches the length of what the body wrote beyond the fixed part", () => {
  const w = new Writer(4);
  w.sized24(2, () => w.u8(1).u8(2).u32(0xdeadbeef));
  expect(hex(w.take())).toBe("000004" + "0102" + "deadbeef");
});

test("Writer.take(): copies out and rewinds", () => {
  const w = new Writer();
  const first = w.u8(1).take();
  w.u8(2);
  expect([hex(first), hex(w.take()), w.length]).toEqual(["01", "02", 0]);
});
