import { expect, test } from "vitest";
import { Reader } from "./reader.ts";

test("Reader.u32(): reads network order without a sign", () => {
  expect(new Reader(Uint8Array.of(0xff, 0, 0, 1)).u32()).toBe(0xff00_0001);
});

test("Reader: a unit that is cut anywhere is short, and never throws", () => {
  const whole = Uint8Array.of(1, 2, 3, 4, 5, 6, 7);
  for (let cut = 0; cut < whole.length; cut++) {
    const r = new Reader(whole.subarray(0, cut));
    r.u32();
    r.u24();
    expect(r.short, `cut at ${cut}`).toBe(true);
  }
  const r = new Reader(whole);
  r.u32();
  r.u24();
  expect([r.short, r.left]).toEqual([false, 0]);
});
