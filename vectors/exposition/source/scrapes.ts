import type { VectorSource } from "../../write.ts";
import { octets } from "./craft.ts";
import type { ScrapesVector } from "./kinds.ts";

type Draft = Omit<ScrapesVector, "id">;
type Given = readonly [page: string, fresh: readonly number[]] | readonly [page: string, fault: string];
const lives =
  (op: ScrapesVector["op"]) =>
  (note: string, pages: readonly Given[]): Draft => ({
    note,
    spec: op === "exposition-text" ? "prometheus-exposition#text.basic" : "prometheus-openmetrics#text.overall",
    op,
    pages: pages.map(([page, told]) => ({ page: octets(page), ...(typeof told === "string" ? { fault: told } : { fresh: told }) })),
    result: "valid",
    flags: ["Scrapes"],
  });
const text = lives("exposition-text");
const om = lives("exposition-openmetrics");

const FORMS = [(at: number) => `m${at}`, (at: number) => `m{a="${at}"}`, (at: number) => `{"é",a="${at}\\n",b="x"}`];
const series = (at: number): string => FORMS[at % 3]!(at);
const list = (...ats: readonly number[]): string => ats.map((at, n) => `${series(at)} ${n}\n`).join("");
const of = (...all: readonly string[]): string => all.map((one, n) => `${one} ${n}\n`).join("");
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

export const source: VectorSource<ScrapesVector> = {
  about: "The pages of one target, one after the other: which series have not been on the page before",
  spec: "prometheus-exposition#text.basic",
  flags: { Scrapes: { why: "series are recognized from one page to the next, and never mistaken for another", bug: "WRONG_SERIES" } },
  vectors: [
    text("the same page three times", [[list(1, 2, 3), [0, 1, 2]], [list(1, 2, 3), []], [list(1, 2, 3), []]]),
    text("another order, new series in between, and fewer", [
      [list(1, 2, 3, 4), [0, 1, 2, 3]],
      [list(4, 3, 2, 1), []],
      [list(4, 9, 3, 1, 7), [1, 4]],
      [list(9, 3, 1, 7), []],
    ]),
    text("a faulty page leaves the series as they were", [[list(1, 2, 3), [0, 1, 2]], [`${series(2)} 1\n${series(8)} x\n`, "valueInvalid"], [list(1, 2, 3), []]]),
    text("a series that was missing is new", [[list(1, 2), [0, 1]], [list(1), []], [list(1, 2), [1]], [list(2), []], [list(1, 2), [0]]]),
    text("the first page is empty", [["", []], [list(1), [0]], ["", []], [list(1), [0]]]),
    text("one series more at the end", [[list(1, 4, 7), [0, 1, 2]], [list(1, 4, 7, 10), [3]], [list(1, 4, 7, 10), []]]),
    text("one series more at the beginning", [[list(1, 4, 7), [0, 1, 2]], [list(10, 1, 4, 7), [0]], [list(10, 1, 4, 7), []]]),
    text("the last series is missing", [[list(1, 4, 7), [0, 1, 2]], [list(1, 4), []], [list(1, 4, 7), [2]]]),
    text("a series that shares a beginning or an end with another", [
      [of("ab", 'ab{c="d"}', "b"), [0, 1, 2]],
      [of("a", 'ab{c="d",e="f"}', "abc", 'b{c="d"}', 'ab{c="e"}'), [0, 1, 2, 3, 4]],
    ]),
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((length) => {
      const [one, two] = ["x".repeat(length), `${"x".repeat(length - 1)}y`];
      return text(`values of ${length} octets that differ in the last`, [
        [of(`m{a="${one}"}`), [0]],
        [of(`m{a="${two}"}`), [0]],
        [of(`m{a="${two}"}`, `m{a="${one}"}`), [1]],
      ]);
    }),
    ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) =>
      text(`names that differ in octet ${at}`, [
        [of(`abcdefghij{a="b"}`), [0]],
        [of(`${"abcdefghij".slice(0, at)}_${"abcdefghij".slice(at + 1)}{a="b"}`), [0]],
        [of(`abcdefghij{a="b"}`), [0]],
      ]),
    ),
    text("a plain name where a series with labels was", [[of('m{a="b"}'), [0]], [of("m"), [0]], [of("m"), []], [of("mm"), [0]], [of("m"), [0]], [of('m{a="b"}'), [0]]]),
    text("a page that ends within a known series", [
      [of('a{b="c"}'), [0]],
      ['a{b="c', "lineUnended"],
      ['a{b="c"}', "lineUnended"],
      ['a{b="c"}\n', "valueMissing"],
      ['a{b="c"\n', "commaMissing"],
      ['a{b="\n', "quoteOpen"],
      [of('a{b="c"}'), []],
    ]),
    text("100 series, backwards", [[list(...upTo(100)), upTo(100)], [list(...upTo(100).toReversed()), []], [list(...upTo(100)), []]]),
    text("100 series, then every third, then all", [
      [list(...upTo(100)), upTo(100)],
      [list(...upTo(100).filter((at) => at % 3 === 0)), []],
      [list(...upTo(100)), upTo(100).filter((at) => at % 3 !== 0)],
    ]),
    text("100 series, then 100 others, then both", [
      [list(...upTo(100)), upTo(100)],
      [list(...upTo(100).map((at) => at + 100)), upTo(100)],
      [list(...upTo(200)), upTo(100)],
    ]),
    text("1,100 series", [[list(...upTo(1_100)), upTo(1_100)], [list(...upTo(1_100)), []], [list(...upTo(1_100).toReversed()), []]]),
    text("with comments and blank lines between", [[`# a\n${series(1)} 1\n\n${series(2)} 2\n`, [0, 1]], [`\n${series(1)}  3\n# b\n ${series(2)} 4\n`, []]]),
    om("OpenMetrics with times and exemplars", [
      ['a{b="c"} 1 5\na{b="d"} 2\n# EOF\n', [0, 1]],
      ['a{b="c"} 3 6\na{b="d"} 4\n# EOF\n', []],
      ['a{b="d"} 3 6\na{b="c"} 4\n# EOF\n', []],
      ['a{b="d"} 3 6\na{b="c"} 4\n', "eofMissing"],
    ]),
    text("the only series of a page, after a new one", [[of('a{b="c"}'), [0]], [of('n{b="c"}', 'a{b="c"}'), [0]], [of('a{b="c"}', 'n{b="c"}'), []]]),
  ],
};
