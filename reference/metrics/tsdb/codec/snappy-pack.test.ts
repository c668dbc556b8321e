import fc from "fast-check";
import snappy from "snappyjs";
import { describe, expect, test } from "vitest";
import { Unpacker } from "./snappy.ts";
import { Packer } from "./snappy-pack.ts";

const ours = (packed: Uint8Array, most: number): Uint8Array | undefined => {
  const unpacker = new Unpacker();
  return unpacker.unpack(packed, 0, packed.length, most) ? unpacker.bytes.subarray(0, unpacker.length) : undefined;
};

describe("packing Snappy blocks", () => {
  test("another library and ours read the block as what was packed", () => {
    const packer = new Packer();
    // Few letters, so that there are repetitions of all lengths and distances.
    const letters = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 400 });
    const runs = fc.array(fc.tuple(letters, fc.integer({ min: 1, max: 40 })), { maxLength: 8 });
    fc.assert(
      fc.property(runs, (parts) => {
        const octets = Uint8Array.from(parts.flatMap(([run, times]) => Array.from({ length: times }, () => run).flat()));
        const packed = packer.pack(octets);
        expect(ours(packed, octets.length)).toEqual(octets);
        expect(octets.length === 0 ? octets : new Uint8Array(snappy.uncompress(packed.slice()))).toEqual(octets);
      }),
      { numRuns: 150 },
    );
  });
  test("noise grows by little, and literals of every length of length are read", () => {
    const packer = new Packer();
    let seed = 7;
    for (const size of [0, 1, 60, 61, 256, 257, 65_536, 65_537, 300_000]) {
      const octets = Uint8Array.from({ length: size }, () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) >>> 16);
      const packed = packer.pack(octets);
      expect(packed.length).toBeLessThan(size + size / 50 + 16);
      expect(ours(packed, size)).toEqual(octets);
    }
  });
  test("repetition shrinks, also from far away but not from beyond the window", () => {
    const packer = new Packer();
    const text = new TextEncoder().encode('http_requests_total{code="200",method="get"} ');
    const repeated = new Uint8Array(text.length * 1_000).map((_, at) => text[at % text.length]!);
    expect(packer.pack(repeated).length).toBeLessThan(repeated.length / 15);
    const far = new Uint8Array(140_000).map((_, at) => (at < 70_000 ? at * 2_654_435_761 : (at - 70_000) * 2_654_435_761) >>> 24);
    expect(ours(packer.pack(far), far.length)).toEqual(far);
  });
});
