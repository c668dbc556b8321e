import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatenated } from "../../core/index.ts";
import { octets, pattern } from "../testing.ts";
import { Reassembler } from "./reassembler.ts";

function drain(one: Reassembler): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let piece = one.pull(); piece !== undefined; piece = one.pull()) pieces.push(piece);
  return concatenated(pieces);
}

describe("reassembler", () => {
  test("any order, overlap and repetition gives the octets in order", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(80), fc.nat(30), fc.boolean()), { maxLength: 30 }), (pushes) => {
        const one = new Reassembler();
        const there = new Set<number>();
        let out = octets(0);
        for (const [offset, length, isPulled] of pushes) {
          const data = pattern(offset, length);
          expect(one.push(offset, data)).toBeUndefined();
          // It has its own copy.
          data.fill(0);
          for (let at = offset; at < offset + length; at++) there.add(at);
          if (isPulled) out = concatenated([out, drain(one)]);
          expect(one.next).toBe(out.length);
          expect(one.waiting).toBe([...there].filter((at) => at >= out.length).length);
        }
        out = concatenated([out, drain(one)]);
        let end = 0;
        while (there.has(end)) end++;
        expect(out).toEqual(pattern(0, end));
      }),
      { numRuns: 300 },
    );
  });

  test("too many gaps are refused, any number of neighbours is not", () => {
    const one = new Reassembler();
    for (let at = 1; at <= 5000; at++) expect(one.push(at, pattern(at, 1))).toBeUndefined();
    one.push(0, pattern(0, 1));
    expect(drain(one)).toEqual(pattern(0, 5001));
    const other = new Reassembler();
    let refused = 0;
    while (other.push(refused * 2 + 1, octets(1)) === undefined) refused++;
    expect(refused).toBe(1000);
    expect(other.push(2003, octets(1))).toMatchObject({ name: "fragmentsTooMany" });
  });
});
