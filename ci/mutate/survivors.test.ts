import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Outcome } from "./outcome.ts";
import { isRed, summaryOf, summaryText } from "./summary.ts";
import { readSurvivors, type Survivor, Survivors, survivorsOf } from "./survivors.ts";
import { mutantsOf } from "./mutants.ts";
import { isOfAnother, mutantsOfTarget } from "./target-mutants.ts";
import { TARGETS } from "./targets.ts";
import { errorTables } from "./error-tables.ts";

const mutants = mutantsOf("a.ts", "f(1, 2, 3, 4);", errorTables([]));
const [first, second, third, fourth] = mutants;
const outcome = (mutant: Outcome["mutant"] | undefined, found: Pick<Outcome, "suite" | "unit" | "lived"> = {}): Outcome => ({
  mutant: mutant!,
  ms: 1,
  asked: { abuse: true, units: true },
  ...found,
});
const entry = (key: string): Survivor => ({ key, why: "equivalent", reason: "it does the same" });

test("survivors.json: an entry must say why, and what proves it", () => {
  const read = (value: unknown) => () => readSurvivors(JSON.stringify(value), "survivors.json");
  expect(read([entry("a")])()).toHaveLength(1);
  expect(read([{ ...entry("a"), all: { file: "a.ts", owner: "f", operators: ["boundary"] } }])).toThrow("survivors.json");
  expect(read([{ why: "equivalent", reason: "r", all: { file: "a.ts", owner: "f", operators: [] } }])).toThrow("survivors.json");
  expect(read([{ key: "a", why: "equivalent" }])).toThrow("reason");
  expect(read([{ key: "a", why: "lawful", reason: "allowed" }])).toThrow("passage");
  expect(read([{ key: "a", why: "invisible", reason: "not on the wire" }])).toThrow("test");
  expect(read([{ ...entry("a"), why: "tired" }])).toThrow("survivors.json");
});

test("an entry without a mutant is stale, unless its file belongs to another target", () => {
  const survivors = new Survivors([entry(first?.key ?? ""), entry("a.ts | boundary | gone"), entry("other.ts | boundary | f")]);
  const isOther = (file: string): boolean => file === "other.ts";
  expect(survivors.stale(() => mutants, isOther)).toEqual(["a.ts | boundary | gone"]);
});

test("an entry for a kind covers its operators in one function, wants a mutant for each, and may have caught ones", () => {
  const { file, owner, operator } = first!;
  const kind = (operators: readonly string[], code?: string): Survivors =>
    new Survivors([
      { all: { file, owner, operators, ...(code !== undefined && { code }) }, why: "lawful", reason: "r", passage: "rfc9113#5" },
    ]);
  const isOther = (): boolean => false;
  const survivors = kind([operator]);
  expect(mutants.map((one) => survivors.of(one) !== undefined)).toEqual(mutants.map((one) => one.operator === operator));
  expect(survivors.stale(() => mutants, isOther)).toEqual([]);
  expect(kind([operator, "no-operator"]).stale(() => mutants, isOther)).toEqual([`${file} | ${owner}`]);
  expect(kind([operator], "luck").of(first!)).toBeUndefined();
  expect(isRed(summaryOf("toy", [outcome(first, { suite: { by: "toy/a", how: "fail" } })], survivors, []))).toBe(false);
});

test("the score counts what is caught of what is not equivalent", () => {
  const outcomes = [
    outcome(first, { suite: { by: "toy/a", how: "fail" } }),
    outcome(second, { unit: { by: "a.test.ts", how: "f" } }),
    outcome(third),
    outcome(fourth),
  ];
  const summary = summaryOf("toy", outcomes, new Survivors([entry(fourth?.key ?? "")]), []);
  expect(summary).toMatchObject({ mutants: 4, caught: 1, listed: 1, equivalent: 1, score: 1 / 3 });
  expect(isRed(summary)).toBe(true);
  expect(summaryText([summary])).toContain("33.3 %");
  expect(summaryText([summary])).toContain(`SURVIVED ${third?.key}`);
  expect(summaryText([summary])).toContain("noticed by a.test.ts");
});

const witness = { seed: 7, original: "sends 00", mutant: "sends 01" };

test("a survivor whose lives are all alike counts as equivalent, and is not red", () => {
  const summary = summaryOf(
    "toy",
    [outcome(first, { suite: { by: "toy/a", how: "fail" } }), outcome(second, { lived: { count: 9 } })],
    new Survivors(),
    [],
  );
  expect(summary).toMatchObject({ alike: 1, unnoticed: [], score: 1 });
  expect(isRed(summary)).toBe(false);
});

test("an open survivor is printed with the life that differs", () => {
  const summary = summaryOf("toy", [outcome(first, { lived: { count: 9, witness } })], new Survivors(), []);
  expect(isRed(summary)).toBe(true);
  expect(summaryText([summary])).toContain("life 7, original: sends 00");
});

test("an entry that calls a mutant equivalent is red if a life differs", () => {
  const key = first?.key ?? "";
  const summary = summaryOf("toy", [outcome(first, { lived: { count: 9, witness } })], new Survivors([entry(key)]), []);
  expect(isRed(summary)).toBe(true);
  expect(summaryText([summary])).toContain(`NOT EQUIVALENT ${key}`);
});

test("a stale entry and one that is caught are red", () => {
  const caught = [outcome(first, { suite: { by: "toy/a", how: "fail" } })];
  expect(isRed(summaryOf("toy", caught, new Survivors(), []))).toBe(false);
  expect(isRed(summaryOf("toy", caught, new Survivors(), ["gone"]))).toBe(true);
  expect(isRed(summaryOf("toy", caught, new Survivors([entry(first?.key ?? "")]), []))).toBe(true);
});

test.for(Object.entries(TARGETS))("%s: every entry of survivors.json is a mutant", ([, target]) => {
  const isElsewhere = (file: string): boolean => isOfAnother(file, target);
  expect(survivorsOf(target).stale(() => mutantsOfTarget(target), isElsewhere)).toEqual([]);
  for (const source of target.sources) expect(existsSync(join(target.root, source)), source).toBe(true);
});

test.for(["http1", "http2", "websocket"])("%s: mutants can be parsed", async (name) => {
  const { applied } = await import("./applied.ts");
  const { parse } = await import("./syntax.ts");
  const target = TARGETS[name]!;
  const sources = new Map<string, string>();
  const broken = mutantsOfTarget(target).filter(({ file, edit }, at) => {
    // A few of each file are enough.
    if (at % 8 !== 0) return false;
    const source = sources.get(file) ?? readFileSync(join(target.root, file), "utf8");
    sources.set(file, source);
    try {
      parse(applied(source, edit));
      return false;
    } catch {
      return true;
    }
  });
  expect(broken.map(({ key, about }) => `${key}: ${about}`)).toEqual([]);
});
