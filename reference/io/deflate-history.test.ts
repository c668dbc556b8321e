import fc from "fast-check";
import { expect, test } from "vitest";
import { History } from "./deflate-history.ts";

test("History: holds the last octets pushed, up to the window", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 12 }), fc.integer({ min: 0, max: 12 }), (sizes, clearedAt) => {
      const history = new History(8);
      let all: number[] = [];
      let next = 0;
      for (const [i, size] of sizes.entries()) {
        if (i === clearedAt) {
          history.clear();
          all = [];
        }
        const octets = Uint8Array.from({ length: size }, () => next++ & 0xff);
        history.push(octets);
        all.push(...octets);
        expect([...history.octets()]).toEqual(all.slice(-256));
        expect(history.length).toBe(Math.min(256, all.length));
      }
    }),
  );
});
