import { expect, test } from "vitest";
import type { FaultName } from "./faults.ts";
import type { Limits } from "./limits.ts";
import { readOpenMetrics } from "./openmetrics-read.ts";
import { Page } from "./page.ts";
import { readText } from "./text-read.ts";

const octets = (text: string): Uint8Array => new TextEncoder().encode(text);

/** For each limit a page at the limit, and the position of the fault with one more. */
const EDGES: readonly (readonly [keyof Limits, number, FaultName, good: string, bad: string, column: number])[] = [
  ["pageOctets", 8, "pageTooLarge", "abcde 1\n", "abcdef 1\n", 1],
  ["lineOctets", 8, "lineTooLong", "abcde 1\n", "abcdef 1\n", 1],
  ["samples", 2, "tooManySamples", "a 1\nb 1\n", "a 1\nb 1\nc 1\n", 1],
  ["metadata", 1, "tooManyMetadata", "# TYPE a gauge\n", "# TYPE a gauge\n# TYPE b gauge\n", 1],
  ["labels", 2, "tooManyLabels", 'a{b="",c=""} 1\n', 'a{b="",c="",d=""} 1\n', 13],
  ["nameOctets", 3, "nameTooLong", 'abc{abc="",""abc"="defgh"} 1\n'.replace(',""abc"="defgh"', ""), "abcd 1\n", 1],
  ["nameOctets", 3, "nameTooLong", 'a{"a.b"="c"} 1\n', 'a{"a.bc"="c"} 1\n', 4],
  ["valueOctets", 3, "labelValueTooLong", 'a{b="cd"} 1\n', 'a{b="cdef"} 1\n', 6],
];

test.each(EDGES)("%s: %i is accepted, one more is %s", (limit, most, name, good, bad, column) => {
  const options = { limits: { [limit]: most } };
  const page = new Page();
  expect(readText(page, octets(good), options)).toBeUndefined();
  expect(readText(page, octets(bad), options)).toMatchObject({ name, column });
});

test("exemplars are counted too", () => {
  const page = new Page();
  const text = (count: number): Uint8Array =>
    octets(`# TYPE c counter\n${Array.from({ length: count }, (_, i) => `c_total{i="${i}"} 1 # {} 1\n`).join("")}# EOF\n`);
  expect(readOpenMetrics(page, text(2), { limits: { exemplars: 2 } })).toBeUndefined();
  expect(readOpenMetrics(page, text(3), { limits: { exemplars: 2 } })).toMatchObject({ name: "tooManyExemplars", line: 4 });
});

test("columns grow as needed and keep their content", () => {
  const page = new Page();
  const text = Array.from({ length: 5_000 }, (_, i) => `c_total{i="${i}"} ${i} ${i} # {n="${i}"} ${i}\n`).join("");
  expect(readOpenMetrics(page, octets(`# TYPE c counter\n${text}# EOF\n`))).toBeUndefined();
  expect([page.count, page.exemplarCount]).toEqual([5_000, 5_000]);
  for (const n of [0, 15, 16, 1_023, 1_024, 4_999]) {
    expect([page.labels(n), page.values[n], page.timestamps[n]]).toEqual([[["i", String(n)]], n, n * 1_000]);
    expect([page.exemplarOf[n], page.exemplarLabels(n), page.exemplarValues[n]]).toEqual([n, [["n", String(n)]], n]);
  }
});
