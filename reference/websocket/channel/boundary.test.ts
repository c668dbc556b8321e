import fc from "fast-check";
import { expect, test } from "vitest";
import { Boundary } from "./boundary.ts";

/** Pieces that may not be cut inside. */
const PIECES = [
  "a", "\r", "é", "€", "😀", "\x1b[31m", "\x1b[?1049h", "\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\", "\x1bP+q\x1b\\", "\x1b(0", "\x1bc",
  "\x1b#8", "\u009b31m", "\u009d0;t\u009c", "\x1b_x\x1b\\", "\x1b[3\x18", "\x1b]0;é\x07",
] as const; // prettier-ignore

test("any output, cut anywhere: the last safe offset is the end of the last whole character or sequence", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 }), fc.nat(), (pieces, at) => {
      const all = Buffer.from(pieces.join(""));
      const cut = at % (all.length + 1);
      const boundary = new Boundary(100);
      boundary.take(all.subarray(0, cut));
      let end = 0;
      for (const piece of pieces) {
        const next = end + Buffer.byteLength(piece);
        if (next > cut) break;
        end = next;
      }
      expect(boundary.safe).toBe(100 + end);
      boundary.take(all.subarray(cut));
      expect(boundary.safe).toBe(100 + all.length);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["a continuation octet alone", [0x80, 0x41], 2],
  ["a continuation octet at the end", [0x41, 0x80], 2],
  ["a character that another begins within", [0xe2, 0x82, 0x41], 3],
  ["ESC within a sequence", [0x1b, 0x5b, 0x33, 0x1b, 0x63], 5],
  ["a line feed within a sequence", [0x1b, 0x5b, 0x0a], 0],
  ["an octet that begins no character", [0xff], 1],
])("%s", (_, octets, safe) => {
  const boundary = new Boundary();
  boundary.take(Uint8Array.from(octets));
  expect(boundary.safe).toBe(safe);
});
