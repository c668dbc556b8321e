import fc from "fast-check";
import { expect, test } from "vitest";
import { mask, maskWords, NOT_ASCII, rotateKey } from "./mask.ts";
import { WIDE_MASKER } from "./mask-wide.ts";

const key = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const pad = (number: number): number[] => [number & 0xff, (number >>> 8) & 0xff, (number >>> 16) & 0xff, number >>> 24];
/** Octets at any alignment, and a range within them. */
const place = fc
  .record({ octets: fc.uint8Array({ maxLength: 200 }), offset: fc.integer({ min: 0, max: 9 }), from: fc.nat(20), less: fc.nat(20) })
  .map(({ octets, offset, from, less }) => {
    const view = new Uint8Array(new ArrayBuffer(octets.length + offset), offset);
    view.set(octets);
    const start = Math.min(from, octets.length);
    return { view, from: start, to: Math.max(start, octets.length - less) };
  });

test("mask(): XORs each octet of the range with its octet of the key, and changes no others (rfc6455#5.3)", () => {
  fc.assert(
    fc.property(place, key, ({ view, from, to }, number) => {
      const before = [...view];
      mask(view, from, to, number);
      expect([...view]).toEqual(before.map((octet, i) => (i < from || i >= to ? octet : octet ^ pad(number)[(i - from) % 4]!)));
    }),
    { numRuns: 500 },
  );
});

test("mask(): twice restores the octets; after a cut the rotated key continues", () => {
  fc.assert(
    fc.property(place, key, fc.nat(200), ({ view, from, to }, number, where) => {
      const before = [...view];
      mask(view, from, to, number);
      const cut = Math.min(to, from + where);
      mask(view, from, cut, number);
      mask(view, cut, to, rotateKey(number, cut - from));
      expect([...view]).toEqual(before);
    }),
  );
});

test("mask(): reports an octet that is not ASCII afterwards", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 150 }), fc.option(fc.nat(149)), key, (octets, spoilt, number) => {
      const plain = octets.map((octet) => octet & 0x7f);
      if (spoilt !== null && spoilt < plain.length) plain[spoilt]! |= 0x80;
      const isAscii = plain.every((octet) => octet < 0x80);
      mask(plain, 0, plain.length, number);
      expect((mask(plain, 0, plain.length, number) & NOT_ASCII) === 0).toBe(isAscii);
    }),
    { numRuns: 500 },
  );
});

test("mask(): reports it at any place", () => {
  for (let at = 0; at < 100; at++) {
    const octets = new Uint8Array(100);
    octets[at] = 0x80;
    const blank = octets.map(() => 0);
    expect([(mask(octets, 0, 100, 0) & NOT_ASCII) === 0, (mask(blank, 0, 100, 0) & NOT_ASCII) === 0]).toEqual([false, true]);
  }
});

test("mask(): masks long ranges, at any alignment, as word by word, and changes no others", () => {
  const memory = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 31) & 0x7f);
  for (const length of [511, 512, 513, 575, 576, 577, 4_099, 65_535, 65_536, 65_537, 65_600, 69_000]) {
    for (const from of [3, 64, 65]) {
      const [one, other] = [memory.slice(), memory.slice()];
      const [wide, words] = [mask(one, from, from + length, 0x0102_8304), maskWords(other, from, from + length, 0x0102_8304)];
      expect(Buffer.compare(one, other), `${from} ${length}`).toBe(0);
      expect([wide & NOT_ASCII, words & NOT_ASCII].map((bits) => bits !== 0)).toEqual([true, true]);
      expect([mask(one, from, from + length, 0x0102_8304) & NOT_ASCII, Buffer.compare(one, memory)]).toEqual([0, 0]);
    }
  }
});

test("mask(): finds one octet in a long range that is not ASCII, anywhere", () => {
  for (const at of [0, 15, 16, 63, 64, 500, 575, 576, 599]) {
    const octets = new Uint8Array(600);
    octets[at] = 0x80;
    expect(mask(octets, 0, 600, 0) & NOT_ASCII, String(at)).not.toBe(0);
  }
});

test("WIDE_MASKER: exists on this platform", () => {
  expect(WIDE_MASKER).toBeDefined();
});
