import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { linter } from "../lint.ts";
import { bufBreaks, bufCommand, recorded } from "./buf.ts";
import { PAIRS, pairsOf } from "./make.ts";
import { type BreakingSource, RULE_NAMES, STRENGTHS } from "./source/breaking/craft.ts";

const files: [string, BreakingSource][] = Object.entries(PAIRS);
const pairs = files.flatMap(([file, { vectors }]) => vectors.map((pair) => ({ file, title: `${file}/${pair.name}`, pair })));

test.each(files)("%s: the file is as its source makes it, valid, and names are unique", (name, source) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(pairsOf(source));
  expect(linter()(`rpc/${name}`)).toEqual([]);
  const names = source.vectors.map((pair) => pair.name);
  expect(names.filter((each, at) => names.indexOf(each) !== at)).toEqual([]);
});

test("every rule is broken by a pair, and a fifth of the pairs breaks none", () => {
  const broken = new Set(pairs.flatMap(({ pair }) => STRENGTHS.flatMap((strength) => pair.breaks[strength])));
  expect(RULE_NAMES.filter((rule) => !broken.has(rule))).toEqual([]);
  expect(pairs.filter(({ pair }) => pair.result === "valid").length).toBeGreaterThan(pairs.length / 5);
});

test("whoever breaks a weaker strength breaks the stronger ones", () => {
  const odd = pairs.filter(({ pair: { breaks } }) => {
    const [file, pack, wireJson, wire] = STRENGTHS.map((strength) => breaks[strength].length > 0);
    return (wire === true && wireJson !== true) || (pack === true && file !== true) || (wireJson === true && pack !== true);
  });
  expect(odd.map(({ title }) => title)).toEqual([]);
});

const buf = bufCommand();
// All of them take minutes: `node vectors/rpc/buf.ts`.
const sample = pairs.filter((_, at) => at % 50 === 0);
if (buf === undefined) console.log("buf is not installed: its answers are not compared (ci/peers.sh installs it)");
else
  describe("buf answers as recorded", () => {
    test.each(sample)("$title", ({ pair }) => expect(bufBreaks(buf, pair)).toEqual(recorded(pair)));
  });
