import { describe, expect, test } from "vitest";
import { LabelSets } from "./label-sets.ts";
import { LabelWalk } from "./label-walk.ts";
import { SCRAPE } from "./leniency.ts";
import { Page } from "./page.ts";
import { readText } from "./text-read.ts";

/** For each line the number of the first line with the same labels. */
function firsts(lines: readonly string[], { apart = "", isWhole = true, owners = [] as number[], probes = 16 } = {}): number[] {
  const page = new Page();
  const octets = new TextEncoder().encode(lines.map((line) => `${line} 1\n`).join(""));
  expect(readText(page, octets, { lenient: SCRAPE })).toBeUndefined();
  const walk = new LabelWalk(page);
  const sets = new LabelSets(page, walk, { isWhole, probes });
  return lines.map((_, n) => {
    walk.read(n, apart);
    return sets.first(n, owners[n] ?? 0);
  });
}

describe("two sets of labels", () => {
  test.each([
    ["the same octets", 'a{b="c"}', 'x{b="c"}'],
    ["in another order", 'a{b="c",d="e",f="g"}', 'a{f="g",b="c",d="e"}'],
    ["with blanks and a last comma", 'a{b="c",d="e"}', '\ta { b = "c" , d\t="e" , }'],
    ["with quotes around a name", 'a{b="c"}', 'a{"b"="c"}'],
    ["with the metric name within", 'a{b="c"}', '{"a",b="c"}'],
    ["none at all", "a", "a{}"],
    ["none but the name", "a", '{"a"}'],
    ["a backslash that is escaped, and one that needs none", String.raw`a{b="\\d"}`, String.raw`a{b="\d"}`],
  ])("are one: %s", (_, one, other) => {
    expect(firsts([one, other, one])).toEqual([0, 0, 0]);
    expect(firsts([other, one, other], { probes: 1 })).toEqual([0, 0, 0]);
  });

  test.each([
    ["another value", 'a{b="c"}', 'a{b="d"}'],
    ["another name", 'a{b="c"}', 'a{c="c"}'],
    ["one more", 'a{b="c"}', 'a{b="c",d="e"}'],
    ["one with an empty value more", 'a{b="c"}', 'a{b="c",d=""}'],
    ["swapped values", 'a{b="1",c="2"}', 'a{b="2",c="1"}'],
    ["a letter moved from name to value", 'a{ab="c"}', 'a{a="bc"}'],
    ["a line feed and the letter n", String.raw`a{b="\n"}`, 'a{b="n"}'],
    ["a quote and a backslash", String.raw`a{b="\""}`, String.raw`a{b="\\"}`],
    ["what looks like another label", 'a{b="c",d="e"}', String.raw`a{b="c\",d=\"e"}`],
  ])("are two: %s", (_, one, other) => {
    expect(firsts([one, other])).toEqual([0, 1]);
  });

  test("are different for different owners", () => {
    expect(firsts(['a{b="c"}', 'a{b="c"}', 'a{b="c"}'], { owners: [1, 2, 1] })).toEqual([0, 1, 0]);
  });

  test("are equal with many owners in between", () => {
    const lines = Array.from({ length: 64 }, () => 'a{b="c",d="e"}');
    expect(firsts(lines, { owners: [...lines.keys()] })).toEqual([...lines.keys()]);
    expect(firsts(lines, { owners: lines.map((_, n) => n % 8) })).toEqual(lines.map((_, n) => n % 8));
  });
});

describe("a label set apart", () => {
  const rest = { apart: "le", isWhole: false };
  test.each([
    ["last", 'h{b="c",le="1"}', 'h{b="c"}'],
    ["first", 'h{le="1",b="c"}', 'h{b="c"}'],
    ["in the middle", 'h{b="c",le="1",d="e"}', 'h{b="c",d="e"}'],
    ["alone", 'h{le="1"}', "h"],
    ["in quotes, after the name", '{"h","le"="1",b="c"}', '{"h",b="c"}'],
    ["with another value, elsewhere", 'h{le="1",b="c"}', 'h{b="c",le="2"}'],
  ])("does not count: %s", (_, one, other) => {
    expect(firsts([one, other], rest)).toEqual([0, 0]);
    expect(firsts([other, one], rest)).toEqual([0, 0]);
  });
  test("counts among all labels, and must match by its whole name", () => {
    expect(firsts(['h{le="1"}', 'h{le="2"}', 'h{le="1"}'], { apart: "le" })).toEqual([0, 1, 0]);
    expect(firsts(['h{leb="1"}', 'h{l="1"}', 'h{ele="1"}'], rest)).toEqual([0, 1, 2]);
  });
  test.each([
    ["plain", 'h{b="c",le="0.5"}', "le", "0.5"],
    ["after spaces", 'h{ le = "1" }', "le", "1"],
    ["of a name with characters that are not ASCII", '{"h","\u00e9"="x"}', "\u00e9", "x"],
    ["of a name with an escape", String.raw`{"h","a\\b"="x"}`, String.raw`a\b`, "x"],
    ["absent", 'h{b="c"}', "le", ""],
  ])("its value is found: %s", (_, line, apart, value) => {
    const page = new Page();
    expect(readText(page, new TextEncoder().encode(`${line} 1\n`))).toBeUndefined();
    const walk = new LabelWalk(page);
    walk.read(0, apart);
    expect(new TextDecoder().decode(page.octets.subarray(walk.valueFrom, walk.valueTo))).toBe(value);
  });
});

test("different sets with one hash are distinguished", () => {
  // An escaped line feed hashes like an escaped backslash followed by n.
  const value = (i: number): string =>
    Array.from({ length: 6 }, (_, bit) => (((i >> bit) & 1) === 0 ? String.raw`\\n` : String.raw`\n`)).join("");
  const lines = Array.from({ length: 64 }, (_, i) => `a{b="${value(i)}",c="d"}`);
  const again = lines.map((_, i) => `a{c="d",b="${value(i)}"}`);
  expect(firsts([...lines, ...again])).toEqual([...lines.keys(), ...lines.keys()]);
});

test("sets without a free place are found", () => {
  const lines = Array.from({ length: 300 }, (_, i) => `a{b="${i}",c="d"}`);
  const again = lines.map((_, i) => `a{c="d",b="${i}"}`);
  const due = [...lines.keys(), ...lines.keys()];
  expect(firsts([...lines, ...again], { probes: 1 })).toEqual(due);
  expect(firsts([...lines, ...again])).toEqual(due);
  const owners = due.map((_, n) => (n < lines.length ? 1 : 2));
  expect(firsts([...lines, ...again], { probes: 1, owners })).toEqual([...due.keys()]);
});
