import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { BadPattern, Labels } from "../model/index.ts";
import { DEFAULT_RELABEL, relabelFault, Relabelling, type RelabelConfig } from "./index.ts";

/** Relabelling: the results of hashes, templates, letters and absent labels were computed by Prometheus 3.16.0. */

const md5 = (octets: Uint8Array): Uint8Array => createHash("md5").update(octets).digest();
type Rule = Partial<RelabelConfig>;
const run = (labels: Record<string, string>, ...rules: Rule[]): Record<string, string> | undefined =>
  new Relabelling(
    rules.map((rule) => ({ ...DEFAULT_RELABEL, ...rule })),
    { md5 },
  )
    .apply(Labels.of(labels))
    ?.toJSON();

const ABC = { a: "foo", b: "bar", c: "baz" };

describe("replace", () => {
  test.each<[string, Rule, Record<string, string>]>([
    [
      "a group of the pattern",
      { source_labels: ["a"], regex: "f(.*)", target_label: "d", replacement: "ch${1}-ch${1}" },
      { ...ABC, d: "choo-choo" },
    ],
    ["joined values", { source_labels: ["a", "b"], target_label: "d", separator: "-" }, { ...ABC, d: "foo-bar" }],
    ["an absent label is empty", { source_labels: ["a", "x"], target_label: "d" }, { ...ABC, d: "foo;" }],
    ["no match changes nothing", { source_labels: ["a"], regex: "fo", target_label: "d" }, ABC],
    ["the pattern is for the whole value", { source_labels: ["a"], regex: "o", target_label: "d" }, ABC],
    [
      "a dot matches a line feed",
      { source_labels: ["n"], regex: "x.y", target_label: "d", replacement: "yes" },
      { ...ABC, n: "x\ny", d: "yes" },
    ],
    [
      "an empty result removes the label",
      { source_labels: ["a"], regex: "foo", target_label: "b", replacement: "" },
      { a: "foo", c: "baz" },
    ],
    [
      "the name of the target from a group",
      { source_labels: ["a"], regex: "(f)(.*)", target_label: "${1}_x", replacement: "$2" },
      { ...ABC, f_x: "oo" },
    ],
    ["a group by name", { source_labels: ["a"], regex: "(?P<n>fo)o", target_label: "d", replacement: "$n" }, { ...ABC, d: "fo" }],
    ["a name is as long as possible", { source_labels: ["a"], target_label: "d", replacement: "$1_x" }, ABC],
    ["an absent group is empty", { source_labels: ["a"], regex: "(x)?foo", target_label: "d", replacement: "[$1$7]" }, { ...ABC, d: "[]" }],
    ["two dollars are one", { source_labels: ["a"], target_label: "d", replacement: "$$1" }, { ...ABC, d: "$1" }],
    ["an unfinished name stays", { source_labels: ["a"], target_label: "d", replacement: "${1" }, { ...ABC, d: "${1" }],
    ["no source labels", { target_label: "d", replacement: "x" }, { ...ABC, d: "x" }],
    ["an empty name of the target changes nothing", { source_labels: ["x"], target_label: "${1}", replacement: "x" }, ABC],
    [
      "alternatives are anchored together",
      { source_labels: ["a"], regex: "foo|bar", target_label: "d", replacement: "x" },
      { ...ABC, d: "x" },
    ],
  ])("%s", (_, rule, expected) => {
    expect(run("n" in expected ? { ...ABC, n: "x\ny" } : ABC, rule)).toEqual(expected);
  });
});

describe("keep and drop", () => {
  test.each<[string, Rule, boolean]>([
    ["keep: a match", { action: "keep", source_labels: ["a"], regex: "foo" }, true],
    ["keep: no match", { action: "keep", source_labels: ["a"], regex: "fo" }, false],
    ["drop: a match", { action: "drop", source_labels: ["a", "b"], regex: "foo;.*" }, false],
    ["drop: no match", { action: "drop", source_labels: ["a"], regex: "o" }, true],
    ["keep: an absent label and an empty pattern", { action: "keep", source_labels: ["x"], regex: "" }, true],
    ["keepequal: equal", { action: "keepequal", source_labels: ["a"], target_label: "a" }, true],
    ["keepequal: other", { action: "keepequal", source_labels: ["a"], target_label: "b" }, false],
    ["dropequal: equal", { action: "dropequal", source_labels: ["a"], target_label: "a" }, false],
    ["dropequal: other", { action: "dropequal", source_labels: ["a"], target_label: "b" }, true],
    ["dropequal: both absent", { action: "dropequal", source_labels: ["x"], target_label: "y" }, false],
  ])("%s", (_, rule, isKept) => {
    expect(run(ABC, rule)).toEqual(isKept ? ABC : undefined);
  });
  test("rules after one that drops do not run", () => {
    expect(run(ABC, { action: "drop", source_labels: ["a"] }, { target_label: "d", replacement: "x" })).toBeUndefined();
  });
});

describe("the other actions", () => {
  test.each<[string, Rule, Record<string, string>]>([
    ["hashmod", { action: "hashmod", source_labels: ["c"], target_label: "d", modulus: 1000n }, { ...ABC, d: "976" }],
    [
      "hashmod of a line feed",
      { action: "hashmod", source_labels: ["a", "b"], separator: "\n", target_label: "d", modulus: 1000n },
      { ...ABC, d: "734" },
    ],
    [
      "hashmod with 64 bits",
      { action: "hashmod", source_labels: ["a"], target_label: "d", modulus: 18446744073709551615n },
      { ...ABC, d: "17145033699835028696" },
    ],
    ["labelmap", { action: "labelmap", regex: "(b.*|a)", replacement: "meta_$1" }, { ...ABC, meta_a: "foo", meta_b: "bar" }],
    ["labelmap: no match", { action: "labelmap", regex: "x", replacement: "$1" }, ABC],
    ["labeldrop", { action: "labeldrop", regex: "[ab]" }, { c: "baz" }],
    ["labelkeep", { action: "labelkeep", regex: "[ab]" }, { a: "foo", b: "bar" }],
    ["uppercase", { action: "uppercase", source_labels: ["a", "b"], target_label: "d" }, { ...ABC, d: "FOO;BAR" }],
    [
      "lowercase of an absent label removes the target",
      { action: "lowercase", source_labels: ["x"], target_label: "a" },
      { b: "bar", c: "baz" },
    ],
  ])("%s", (_, rule, expected) => {
    expect(run(ABC, rule)).toEqual(expected);
  });
  test("each letter has its case changed on its own", () => {
    const labels = { s: "straße ŒΣΑΣ İ" };
    expect(run(labels, { action: "uppercase", source_labels: ["s"], target_label: "s" })).toEqual({ s: "STRAßE ŒΣΑΣ İ" });
    expect(run(labels, { action: "lowercase", source_labels: ["s"], target_label: "s" })).toEqual({ s: "straße œσασ i" });
  });
  test("labelmap sees the labels as they were before it", () => {
    expect(run({ a: "1", ax: "2" }, { action: "labelmap", regex: "(.*)", replacement: "${1}x" })).toEqual({ a: "1", ax: "1", axx: "2" });
  });
});

test("without rules labels stay the same object", () => {
  const labels = Labels.of(ABC);
  expect(new Relabelling([], { md5 }).apply(labels)).toBe(labels);
});

test("an invalid pattern throws", () => {
  expect(() => new Relabelling([{ ...DEFAULT_RELABEL, regex: "(" }], { md5 })).toThrow(BadPattern);
});

test("names of the older rule: a target that is not plain is not set", () => {
  const rule: RelabelConfig = { ...DEFAULT_RELABEL, source_labels: ["a"], target_label: "x$1", replacement: "y" };
  expect(new Relabelling([rule], { md5, scheme: "legacy" }).apply(Labels.of({ a: "-" }))?.toJSON()).toEqual({ a: "-" });
  expect(new Relabelling([rule], { md5 }).apply(Labels.of({ a: "-" }))?.toJSON()).toEqual({ a: "-", "x-": "y" });
});

test.each<[Rule, string | undefined]>([
  [{ target_label: "a" }, undefined],
  [{}, "target_label"],
  [{ target_label: "a.b" }, "target_label"],
  [{ action: "labelmap", replacement: "a.$1" }, "replacement"],
  [{ action: "hashmod", target_label: "a" }, "modulus"],
  [{ action: "keep" }, undefined],
])("the fault of %o with names of the older rule: %s", (rule, field) => {
  expect(relabelFault({ ...DEFAULT_RELABEL, ...rule }, "legacy")?.field).toBe(field);
});

test("steps: the labels after each rule, and nothing after the rule that drops them", () => {
  const rules: Rule[] = [
    { target_label: "d", replacement: "new" },
    { source_labels: ["b"], regex: "bar", action: "drop" },
    { target_label: "e", replacement: "late" },
  ];
  const all = new Relabelling(
    rules.map((rule) => ({ ...DEFAULT_RELABEL, ...rule })),
    { md5 },
  );
  const steps = (labels: Record<string, string>) => all.steps(Labels.of(labels)).map(({ output, keep }) => [output.toJSON(), keep]);
  expect(steps({ b: "bar" })).toEqual([
    [{ b: "bar", d: "new" }, true],
    [{}, false],
    [{}, false],
  ]);
  expect(steps({ b: "x" })).toEqual([
    [{ b: "x", d: "new" }, true],
    [{ b: "x", d: "new" }, true],
    [{ b: "x", d: "new", e: "late" }, true],
  ]);
});
