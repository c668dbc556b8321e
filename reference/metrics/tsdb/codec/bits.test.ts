import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BitDesk, BitReader, BitWriter, putBits } from "./bits.ts";

/** A number and how it is written. */
const piece = fc.oneof(
  fc
    .record({ as: fc.constant("bits" as const), width: fc.integer({ min: 1, max: 32 }), value: fc.nat(0xffff_ffff) })
    .map(({ width, value }) => ({
      as: "bits" as const,
      width,
      value: value % 2 ** width,
    })),
  fc.record({
    as: fc.constantFrom("varbitInt" as const, "varbitUint" as const),
    value: fc.oneof(fc.maxSafeNat(), fc.nat(5_000), fc.nat(9)),
    width: fc.constant(0),
  }),
  fc.record({
    as: fc.constant("varbitInt" as const),
    value: fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -300, max: 300 })),
    width: fc.constant(0),
  }),
);

describe("bits", () => {
  test("written values read back, and a missing octet makes the reader short", () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 60 }), (pieces) => {
        const writer = new BitWriter();
        for (const { as, value, width } of pieces) {
          if (as === "bits") writer.bits(value, width);
          else writer[as](value);
        }
        const reader = new BitReader(new BitDesk());
        const read = (): number[] => pieces.map(({ as, width }) => (as === "bits" ? reader.bits(width) : reader[as]()));
        reader.begin(writer.bytes, 0, writer.length);
        expect(read()).toEqual(pieces.map(({ value }) => value));
        expect([reader.short, reader.left < 8]).toEqual([false, true]);
        reader.begin(writer.bytes, 0, writer.length - 1);
        read();
        expect(reader.short).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("variable-width numbers use the narrowest form", () => {
    const length = (as: "varbitInt" | "varbitUint", value: number): number => {
      const writer = new BitWriter();
      writer[as](value);
      return writer.bit;
    };
    const forms = [
      [0, 0, 1],
      [-3, 4, 5],
      [-31, 32, 9],
      [-255, 256, 13],
      [-2_047, 2_048, 17],
      [-131_071, 131_072, 24],
      [-16_777_215, 16_777_216, 32],
    ] as const;
    for (const [at, [least, most, bits]] of forms.entries()) {
      expect([length("varbitInt", least), length("varbitInt", most)]).toEqual([bits, bits]);
      const next = forms[at + 1]?.[2] ?? 64;
      expect([length("varbitInt", least - 1), length("varbitInt", most + 1)]).toEqual([next, next]);
    }
    expect(
      [7, 8, 63, 64, 511, 512, 4_095, 4_096, 2 ** 18 - 1, 2 ** 18, 2 ** 25 - 1, 2 ** 25, Number.MAX_SAFE_INTEGER].map((value) =>
        length("varbitUint", value),
      ),
    ).toEqual([5, 9, 9, 13, 13, 17, 17, 24, 24, 32, 32, 64, 64]);
  });

  test("putBits() keeps the bits before and overwrites the rest", () => {
    const bytes = Uint8Array.of(0xff, 0xff, 0xff, 0xff);
    expect(putBits(bytes, 1, 3, 0b1010, 4)).toBe(7);
    expect([...bytes]).toEqual([0xff, 0b1111_0100, 0xff, 0xff]);
    expect(putBits(bytes, 1, 7, 0, 9)).toBe(16);
    expect([...bytes]).toEqual([0xff, 0b1111_0100, 0, 0xff]);
  });

  test("a number beyond 2^53 makes the reader short", () => {
    const reader = new BitReader(new BitDesk());
    for (const read of ["varbitInt", "varbitUint"] as const) {
      reader.begin(Uint8Array.of(0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), 0, 9);
      expect([reader[read](), reader.short]).toEqual([0, true]);
    }
  });
});
