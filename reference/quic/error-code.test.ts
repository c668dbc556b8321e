import { expect, test } from "vitest";
import { cryptoError, sayTransportError, TransportError } from "./error-code.ts";

test("each code has its number in the registry, and its name", () => {
  expect(Object.values(TransportError)).toEqual(Array.from({ length: 18 }, (_, at) => at));
  for (const [name, code] of Object.entries(TransportError)) expect(sayTransportError(code)).toBe(name);
});

test("alerts of TLS have 256 codes of their own, and an unknown code is its number", () => {
  expect([cryptoError(0), cryptoError(255)]).toEqual([0x100, 0x1ff]);
  expect([0x128, 0x1ff, 0x200, 0x12].map(sayTransportError)).toEqual(["CRYPTO_ERROR(40)", "CRYPTO_ERROR(255)", "0x200", "0x12"]);
});
