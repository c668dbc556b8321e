import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FAULTS, faultAt } from "./faults.ts";

const TITLES = JSON.parse(readFileSync(join(import.meta.dirname, "../../../conformance/requirements/titles.json"), "utf8")) as Record<
  string,
  Record<string, string>
>;
const isKnown = (ref: string): boolean => {
  const [document = "", section = ""] = ref.split("#");
  return TITLES[document]?.[section] !== undefined;
};

test("every fault has an existing section and one sentence of advice", () => {
  expect(
    Object.entries(FAULTS)
      .filter(([, { spec, advice }]) => !isKnown(spec) || !/^[A-Z].*\.$/.test(advice))
      .map(([name]) => name),
  ).toEqual([]);
});

test("the sections cited in this folder exist", () => {
  const sources = readdirSync(import.meta.dirname).map((name) => readFileSync(join(import.meta.dirname, name), "utf8"));
  const named = sources.flatMap((text) => text.match(/\bprometheus-[a-z]+#[a-z][a-z.-]*[a-z]/g) ?? []);
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((ref) => !isKnown(ref) && ref !== "prometheus-exposition#no-such")).toEqual([]);
  expect(isKnown("prometheus-exposition#no-such")).toBe(false);
});

test("faultAt(): lines and columns are counted from 1, in octets", () => {
  const page = new TextEncoder().encode("ab\n\né\n");
  const at = (offset: number): [number, number] => {
    const { line, column } = faultAt("lineUnexpected", page, offset);
    return [line, column];
  };
  expect([0, 1, 2, 3, 4, 5, 6, 7].map(at)).toEqual([
    [1, 1],
    [1, 2],
    [1, 3],
    [2, 1],
    [3, 1],
    [3, 2],
    [3, 3],
    [4, 1],
  ]);
});
