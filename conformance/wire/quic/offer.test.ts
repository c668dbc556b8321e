import { expect, test } from "vitest";
import { isHello, offersSession } from "./offer.ts";

test("a ClientHello that is cut, or has nothing in it, offers no session", () => {
  const hello = Uint8Array.of(1, 0, 0, 56, ...new Uint8Array(56).fill(0xff));
  expect(isHello(hello)).toBe(true);
  for (let length = 0; length <= hello.length; length++) expect(offersSession(hello.subarray(0, length)), `${length}`).toBe(false);
});
