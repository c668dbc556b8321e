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

test("every fault is of a section that there is, and says what to do in a sentence", () => {
  expect(
    Object.entries(FAULTS)
      .filter(([, { spec, advice }]) => !isKnown(spec) || !/^[A-Z].*\.$/.test(advice))
      .map(([name]) => name),
  ).toEqual([]);
});

test("so are the sections that the sources of this folder name", () => {
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
