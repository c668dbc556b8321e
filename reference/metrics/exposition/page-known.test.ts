import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KnownSeries } from "./page-known.ts";
import { Page } from "./page.ts";
import { readOpenMetrics } from "./openmetrics-read.ts";
import { readText } from "./text-read.ts";

const page = new Page();

/** The series of a page, and how many of them were not known. */
function read(known: KnownSeries, series: readonly string[], numberOf: (text: string) => number): { numbers: number[]; asked: number } {
  const octets = new TextEncoder().encode(series.map((one, at) => `${one} ${at}\n`).join(""));
  const plain = new Page();
  expect(readText(plain, octets, { lenient: { families: true } })).toBeUndefined();
  expect(readText(page, octets, { lenient: { families: true }, known })).toBeUndefined();
  // The page is the same with or without known series.
  expect(told(page)).toEqual(told(plain));
  let asked = 0;
  const numbers = series.map((one, n) => {
    if (known.numberOf(n) < 0) {
      asked++;
      known.put(n, numberOf(one));
    }
    return known.numberOf(n);
  });
  known.keep(page);
  return { numbers, asked };
}

const told = ({ count, from, nameTo, to, marks, values }: Page): number[][] =>
  [from, nameTo, to, marks, values].map((column) => [...column.subarray(0, count)]);

const FORMS = [(at: number) => `m${at}`, (at: number) => `m{a="${at}"}`, (at: number) => `{"é",a="${at}\\n",b="x"}`];
const series = (at: number): string => FORMS[at % 3]!(at);
const list = (...ats: number[]): string[] => ats.map(series);
const numberOf = (text: string): number => Number(/\d+/.exec(text)?.[0]);

describe("known series of a target", () => {
  test("none on the first page, all on the second, in another array of octets", () => {
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

  test("a faulty page leaves the known series unchanged", () => {
    const known = new KnownSeries();
    read(known, list(1, 2, 3), numberOf);
    expect(readText(page, new TextEncoder().encode(`${series(2)} 1\n${series(8)} x\n`), { known })?.name).toBe("valueInvalid");
    expect(read(known, list(1, 2, 3), () => 0)).toEqual({ numbers: [1, 2, 3], asked: 0 });
  });

  test("a series that is missing on a page is forgotten", () => {
    const known = new KnownSeries();
    read(known, list(1, 2), numberOf);
    read(known, list(1), numberOf);
    expect(read(known, list(1, 2), numberOf)).toEqual({ numbers: [1, 2], asked: 1 });
    read(known, list(1, 1), numberOf);
    expect(read(known, list(1, 2), numberOf)).toEqual({ numbers: [1, 2], asked: 1 });
  });

  test("a series that shares a prefix or suffix with another is not that one", () => {
    const known = new KnownSeries();
    read(known, ["ab", 'ab{c="d"}', "b"], () => 5);
    expect(read(known, ["a", 'ab{c="d",e="f"}', "abc", 'b{c="d"}', 'ab{c="e"}'], () => 6)).toEqual({ numbers: [6, 6, 6, 6, 6], asked: 5 });
  });

  test("a series that differs in one octet, wherever that is, is not the known one", () => {
    // Octets are compared sixteen, four and one at a time: this has each of them at its start, its middle and its end.
    const text = `m{label="${"v".repeat(37)}"}`;
    for (let at = text.indexOf("v"); at < text.lastIndexOf('"'); at++) {
      const known = new KnownSeries();
      const other = `${text.slice(0, at)}w${text.slice(at + 1)}`;
      read(known, [text], () => 1);
      expect(read(known, [other], () => 2)).toEqual({ numbers: [2], asked: 1 });
      expect(read(known, [other], () => 3)).toEqual({ numbers: [2], asked: 0 });
    }
  });

  test("a page cut off within a known series has a fault", () => {
    const known = new KnownSeries();
    read(known, ['a{b="c"}'], () => 1);
    for (const [text, name] of [
      ['a{b="c', "lineUnended"],
      ['a{b="c"}', "lineUnended"],
      ['a{b="c"}\n', "valueMissing"],
      ['a{b="c"\n', "commaMissing"],
      ['a{b="\n', "quoteOpen"],
    ] as const) {
      expect(readText(page, new TextEncoder().encode(text), { known })?.name).toBe(name);
    }
  });

  test("work with OpenMetrics too", () => {
    const known = new KnownSeries();
    const octets = new TextEncoder().encode('a{b="c"} 1 5 # {x="y"} 1\na{b="d"} 2\n# EOF\n');
    for (const expected of [-1, 7]) {
      expect(readOpenMetrics(page, octets, { lenient: { families: true }, known })).toBeUndefined();
      expect([known.numberOf(0), known.numberOf(1)]).toEqual([expected, expected]);
      expect([page.count, page.labels(0), page.labels(1)]).toEqual([2, [["b", "c"]], [["b", "d"]]]);
      known.put(0, 7);
      known.put(1, 7);
      known.keep(page);
    }
  });

  test("a replaced number is used from then on", () => {
    const known = new KnownSeries();
    read(known, list(1, 2), numberOf);
    readText(page, new TextEncoder().encode(`${series(1)} 1\n${series(2)} 1\n`), { known });
    expect([known.numberOf(0), known.numberOf(1)]).toEqual([1, 2]);
    known.put(1, 20);
    known.keep(page);
    expect(read(known, list(1, 2), () => 0).numbers).toEqual([1, 20]);
  });

  test("for any pages, numbers are never mixed up, and repeated series are known", () => {
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
