import { describe, expect, test } from "vitest";
import { instant } from "../../core/index.ts";
import { T0 } from "../testing.ts";
import { SizeSearch } from "./size-search.ts";

const TEN_MINUTES = 600_000;

/** The sizes that are tried on a path, which carries no more than `carries`, and the size that remains. */
function search(most: number, carries: number): { readonly tried: readonly number[]; readonly size: number } {
  const sizes = new SizeSearch(most);
  const tried: number[] = [];
  for (let size = sizes.wanted(T0); size !== undefined; size = sizes.wanted(T0)) {
    tried.push(size);
    sizes.probed(size);
    if (size <= carries) sizes.arrived(size);
    else sizes.missing(size, T0);
  }
  return { tried, size: sizes.size };
}

describe("the search for the size of datagrams", () => {
  test.each([
    [1_472, 1_472, [1_472], 1_472],
    [1_472, 1_420, [1_472, 1_452, 1_400], 1_400],
    [1_472, 1_200, [1_472, 1_452, 1_400, 1_280], 1_200],
    [65_507, 20_000, [65_507, 32_768, 16_384], 16_384],
    [1_350, 9_000, [1_350], 1_350],
    [1_200, 9_000, [], 1_200],
    [0, 9_000, [], 1_200],
  ])("out %i, path %i: tries %o, and ends at %i", (most, carries, tried, size) => {
    expect(search(most, carries)).toEqual({ tried, size });
  });
  test("the peer's limit counts, and what is greater than it never does", () => {
    const sizes = new SizeSearch(65_507);
    sizes.limit(1_452);
    sizes.limit(9_000);
    expect([sizes.wanted(T0), sizes.arrived(9_000), sizes.size]).toEqual([1_452, false, 1_200]);
  });
  test("a probe is tried once, and everything again after ten minutes", () => {
    const sizes = new SizeSearch(1_300);
    for (const size of [1_300, 1_280]) {
      sizes.probed(size);
      sizes.missing(size, T0);
    }
    expect([sizes.wanted(T0), sizes.wanted(instant(TEN_MINUTES - 1)), sizes.wanted(instant(TEN_MINUTES))]).toEqual([
      undefined,
      undefined,
      1_300,
    ]);
  });
  test("large packets that are lost in a row end it, unless one arrives", () => {
    const sizes = new SizeSearch(1_472);
    sizes.arrived(1_472);
    const lose = (count: number): boolean[] => Array.from({ length: count }, () => sizes.note(1_472, true, T0));
    expect(lose(7).includes(true)).toBe(false);
    sizes.note(1_472, false, T0);
    expect(lose(7).includes(true)).toBe(false);
    expect([sizes.note(1_200, false, T0), sizes.note(1_200, true, T0), sizes.size]).toEqual([false, false, 1_472]);
    expect([sizes.note(1_201, true, T0), sizes.size, sizes.wanted(T0), sizes.wanted(instant(TEN_MINUTES))]).toEqual([
      true,
      1_200,
      undefined,
      1_472,
    ]);
  });
});
