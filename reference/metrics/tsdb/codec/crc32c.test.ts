import fc from "fast-check";
import { expect, test } from "vitest";
import { crc32c } from "./crc32c.ts";

test("crc32c(): known check values, and 0 for no octets", () => {
  expect(crc32c(new TextEncoder().encode("123456789"))).toBe(0xe306_9283);
  expect(crc32c(new Uint8Array(32))).toBe(0x8a91_36aa);
  expect(crc32c(new Uint8Array(32).fill(255))).toBe(0x62a8_ab43);
  expect(crc32c(new Uint8Array(0))).toBe(0);
});

test("crc32c(): continuing over parts gives the checksum of the whole", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.nat(60), (bytes, cut) => {
      const whole = crc32c(bytes);
      expect(crc32c(bytes.subarray(cut), crc32c(bytes.subarray(0, cut)))).toBe(whole);
      expect(crc32c(Uint8Array.of(1, ...bytes, 2), 0, 1, bytes.length + 1)).toBe(whole);
      expect(crc32c(bytes.with(0, (bytes[0] ?? 0) ^ 1))).not.toBe(whole);
    }),
  );
});
