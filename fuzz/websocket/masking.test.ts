import fc from "fast-check";
import { expect, test } from "vitest";
import { mask, maskWords, NOT_ASCII, rotateKey } from "../../reference/websocket/mask.ts";
import { WIDE_MASKER, WIDE_TURN } from "../../reference/websocket/mask-wide.ts";

/**
 * Masking (rfc6455#5.3) is an involution for every key, offset and length, and each implementation agrees with the definition: by octets,
 * by words, and by WebAssembly, whose memory is one page of 65,536 octets.
 */

const PAGE = 65_536;
const key = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.constantFrom(0, -1, 0xff, 0x0102_0304, -0x8000_0000, 0x8080_8080 | 0),
);
/** Lengths around each threshold between implementations: a word, 32, a turn, 512, a page, two pages. */
const length = fc.oneof(
  { weight: 3, arbitrary: fc.nat(40) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(32, 64, 512, 576, 4_096), fc.integer({ min: -5, max: 5 })).map(([n, by]) => n + by) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(PAGE, PAGE + 512, 2 * PAGE), fc.integer({ min: -66, max: 66 })).map(([n, by]) => n + by),
  },
);
/** A view at any offset in memory, and a range within it with octets on both sides. */
const place = fc.record({ length, offset: fc.nat(9), before: fc.nat(70), after: fc.nat(9), salt: fc.nat(255) });
type Place = typeof place extends fc.Arbitrary<infer T> ? T : never;

function laid({ length: size, offset, before, after, salt }: Place): { view: Uint8Array; from: number; to: number } {
  const view = new Uint8Array(new ArrayBuffer(offset + before + size + after), offset);
  for (let i = 0; i < view.length; i++) view[i] = (i * 31 + (i >>> 8) + salt) & 0xff;
  return { view, from: before, to: before + size };
}
/** The definition: octet i XOR octet i mod 4 of the key. */
function naive(view: Uint8Array, from: number, to: number, number: number): Uint8Array {
  const out = view.slice();
  for (let at = from; at < to; at++) out[at]! ^= (number >>> (((at - from) & 3) * 8)) & 0xff;
  return out;
}
const isAscii = (octets: Uint8Array): boolean => octets.every((octet) => octet < 0x80);
const same = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

for (const [name, way] of [
  ["as a whole", mask],
  ["word by word", (...[view, from, to, number]: Parameters<typeof mask>) => (to - from < 3 ? mask : maskWords)(view, from, to, number)],
] as const) {
  test(`masking ${name}: agrees with the definition, changes nothing outside the range, and reports whether all octets are ASCII`, () => {
    fc.assert(
      fc.property(place, key, (where, number) => {
        const { view, from, to } = laid(where);
        const due = naive(view, from, to, number);
        const seen = way(view, from, to, number);
        expect(same(view, due)).toBe(true);
        expect((seen & NOT_ASCII) === 0).toBe(isAscii(due.subarray(from, to)));
      }),
      { numRuns: 400 },
    );
  });
}

test("masking by WebAssembly: agrees with the definition for whole turns, beyond the size of its memory too", () => {
  fc.assert(
    fc.property(place, key, (where, number) => {
      const { view, from, to } = laid(where);
      const end = to - ((to - from) % WIDE_TURN);
      if (end === from) return;
      const due = naive(view, from, end, number);
      const seen = WIDE_MASKER!.mask(view, from, end, number);
      expect(same(view, due)).toBe(true);
      expect(seen === 0).toBe(isAscii(due.subarray(from, end)));
    }),
    { numRuns: 400 },
  );
});

test("masking twice restores the octets, however the second pass is cut into pieces", () => {
  fc.assert(
    fc.property(place, key, fc.array(fc.nat(70_000), { maxLength: 4 }), (where, number, cuts) => {
      const { view, from, to } = laid(where);
      const before = view.slice();
      mask(view, from, to, number);
      const ends = [...cuts.map((cut) => Math.min(to, from + cut)), to].sort((a, b) => a - b);
      let at = from;
      for (const end of ends) {
        mask(view, at, end, rotateKey(number, at - from));
        at = end;
      }
      expect(same(view, before)).toBe(true);
    }),
    { numRuns: 400 },
  );
});
