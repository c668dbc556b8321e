import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BREAKING_RULES, LINT_RULES } from "../../reference/rpc/contract/index.ts";
import { linter } from "../lint.ts";
import { bufBreaks, bufCommand, bufLints, recordedBreaks, recordedLints } from "./buf.ts";
import { breaksBetween, lintsOf } from "./contract.ts";
import { PAIRS, pairsOf, STYLES, stylesOf } from "./make.ts";
import { type BreakingSource, type Breaks, RULE_NAMES, STRENGTHS } from "./source/breaking/craft.ts";

const files: [string, BreakingSource][] = Object.entries(PAIRS);
const pairs = files.flatMap(([file, { vectors }]) => vectors.map((pair) => ({ file, title: `${file}/${pair.name}`, pair })));
const styles = STYLES["lint-rules"].vectors;

const texts: [string, string, readonly { readonly name: string }[]][] = [
  ...files.map(([name, source]): [string, string, BreakingSource["vectors"]] => [name, pairsOf(source), source.vectors]),
  ["lint-rules", stylesOf(STYLES["lint-rules"]), styles],
];
test.each(texts)("%s: the file is as its source makes it, valid, and names are unique", (name, text, vectors) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(text);
  expect(linter()(`rpc/${name}`)).toEqual([]);
  const names = vectors.map((each) => each.name);
  expect(names.filter((each, at) => names.indexOf(each) !== at)).toEqual([]);
});

describe("our comparison", () => {
  test.each(files)("%s: breaks what the vectors say, for each strength", (_, { vectors }) => {
    for (const pair of vectors) expect([pair.name, breaksBetween(pair)]).toEqual([pair.name, pair.breaks]);
  });

  test.each(files)("%s: nothing breaks between a contract and itself", (_, { vectors }) => {
    const none = { file: [], package: [], wireJson: [], wire: [] };
    for (const { name, old } of vectors) expect([name, breaksBetween({ old, new: old })]).toEqual([name, none]);
  });

  test("has the rules of the vectors", () => {
    expect(BREAKING_RULES.map(({ name }) => name).sort()).toEqual(RULE_NAMES.toSorted());
  });
});

describe("our linter", () => {
  test.each(styles)("$name", (style) => expect(lintsOf(style)).toEqual(style.findings.toSorted()));

  test("has a vector for every rule", () => {
    const found = new Set(styles.flatMap(({ findings }) => findings.map((finding) => finding.split(" ")[1])));
    expect(LINT_RULES.map(({ name }) => name).filter((name) => !found.has(name))).toEqual([]);
  });
});

test("every rule is broken by a pair, and a fifth of the pairs breaks none", () => {
  const broken = new Set(pairs.flatMap(({ pair }) => STRENGTHS.flatMap((strength) => pair.breaks[strength])));
  expect(RULE_NAMES.filter((rule) => !broken.has(rule))).toEqual([]);
  expect(pairs.filter(({ pair }) => pair.result === "valid").length).toBeGreaterThan(pairs.length / 5);
});

/** Whether a weaker strength is broken and a stronger one is not. */
function isOdd(breaks: Breaks): boolean {
  const [file, pack, wireJson, wire] = STRENGTHS.map((strength) => breaks[strength].length > 0);
  return (wire === true && wireJson !== true) || (pack === true && file !== true) || (wireJson === true && pack !== true);
}
test("whoever breaks a weaker strength breaks the stronger ones", () => {
  expect(pairs.filter(({ pair: { breaks } }) => isOdd(breaks)).map(({ title }) => title)).toEqual([]);
});
test("the same is true between contracts of different pairs", () => {
  const odd = pairs.filter(({ pair }, at) => isOdd(breaksBetween({ old: pair.new, new: pairs[(at * 7 + 3) % pairs.length]!.pair.old })));
  expect(odd.map(({ title }) => title)).toEqual([]);
});

const buf = bufCommand();
// All of them take minutes: `node vectors/rpc/buf.ts`.
if (buf === undefined) console.log("buf is not installed: its answers are not compared (ci/peers.sh installs it)");
else
  describe("buf answers as recorded", () => {
    test.each(pairs.filter((_, at) => at % 50 === 0))("$title", ({ pair }) => expect(bufBreaks(buf, pair)).toEqual(recordedBreaks(pair)));
    test.each(styles.filter((_, at) => at % 25 === 0))("$name", (style) => expect(bufLints(buf, style)).toEqual(recordedLints(style)));
  });
