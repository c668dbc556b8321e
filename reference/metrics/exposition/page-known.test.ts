import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KnownSeries } from "./page-known.ts";
import { Page } from "./page.ts";
import { readText } from "./text-read.ts";

const page = new Page();

/** What is said of the series of a page, and how many of them had to be asked for. */
function read(known: KnownSeries, series: readonly string[], numberOf: (text: string) => number): { numbers: number[]; asked: number } {
  const text = series.map((one, at) => `${one} ${at}\n`).join("");
  expect(readText(page, new TextEncoder().encode(text), { lenient: { families: true } })).toBeUndefined();
  let asked = 0;
  known.begin(page);
  const numbers = series.map((one, n) => {
    const number = known.find(page, n);
    if (number >= 0) return number;
    asked++;
    known.put(n, numberOf(one));
    return numberOf(one);
  });
  known.end(page);
  return { numbers, asked };
}

const series = (at: number): string => (at % 3 === 0 ? `m${at}` : `m{a="${at}"}`);
const list = (...ats: number[]): string[] => ats.map(series);
const numberOf = (text: string): number => Number(/\d+/.exec(text)?.[0]);

describe("series of a target that are known from one page to the next", () => {
  test("none of the first page, all of the second, though it is another array of octets", () => {
    const known = new KnownSeries();
    expect(read(known, list(1, 2, 3), numberOf)).toEqual({ numbers: [1, 2, 3], asked: 3 });
    expect(read(known, list(1, 2, 3), () => 0)).toEqual({ numbers: [1, 2, 3], asked: 0 });
    expect(read(known, list(1, 2, 3), () => 0)).toEqual({ numbers: [1, 2, 3], asked: 0 });
  });

  test("in another order, with new ones in between, and without some", () => {
    const known = new KnownSeries();
    read(known, list(1, 2, 3, 4), numberOf);
    expect(read(known, list(4, 3, 2, 1), numberOf)).toEqual({ numbers: [4, 3, 2, 1], asked: 0 });
    expect(read(known, list(4, 9, 3, 1, 7), numberOf)).toEqual({ numbers: [4, 9, 3, 1, 7], asked: 2 });
    expect(read(known, list(9, 3, 1, 7), numberOf)).toEqual({ numbers: [9, 3, 1, 7], asked: 0 });
  });

  test("who is not on a page is forgotten", () => {
    const known = new KnownSeries();
    read(known, list(1, 2), numberOf);
    read(known, list(1), numberOf);
    expect(read(known, list(1, 2), numberOf)).toEqual({ numbers: [1, 2], asked: 1 });
  });

  test("a series that begins or ends as another is not that one", () => {
    const known = new KnownSeries();
    read(known, ["ab", 'ab{c="d"}', "b"], () => 5);
    expect(read(known, ["a", 'ab{c="d",e="f"}', "abc", 'b{c="d"}', 'ab{c="e"}'], () => 6)).toEqual({ numbers: [6, 6, 6, 6, 6], asked: 5 });
  });

  test("a number that is put in place of one that was found counts from then on", () => {
    const known = new KnownSeries();
    read(known, list(1, 2), numberOf);
    known.begin(page);
    expect([known.find(page, 0), known.find(page, 1)]).toEqual([1, 2]);
    known.put(1, 20);
    known.end(page);
    expect(read(known, list(1, 2), () => 0).numbers).toEqual([1, 20]);
  });

  test("whatever the pages have, nothing gets another's number, and what comes again is known", () => {
    const pages = fc.array(fc.uniqueArray(fc.nat({ max: 40 }), { maxLength: 30 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(pages, (given) => {
        const known = new KnownSeries();
        let before = new Set<number>();
        for (const ats of given) {
          const { numbers, asked } = read(known, list(...ats), numberOf);
          expect(numbers).toEqual(ats);
          expect(asked).toBe(ats.filter((at) => !before.has(at)).length);
          before = new Set(ats);
        }
      }),
    );
  });
});
