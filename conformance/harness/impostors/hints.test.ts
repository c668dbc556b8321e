import { expect, test } from "vitest";
import type { Case } from "../case.ts";
import type { Driver } from "../driver.ts";
import type { Party } from "./catch.ts";
import { searchHints } from "./hints.ts";

const known = (id: Case<unknown, unknown>["id"]): Case<unknown, unknown> => ({
  id,
  spec: "rfc9110#1",
  covers: ["rfc9110#1/nothing"],
  level: "MUST",
  role: "server",
  title: id,
  steps: [1],
  control: [],
  allowed: [{ see: {}, why: "" }] as never,
});

/** Impostors by name, and what each fails, asked for the n-th time. */
const party = (
  ids: readonly Case<unknown, unknown>["id"][],
  fails: Readonly<Record<string, (id: string, time: number) => boolean>>,
): Party => {
  const times = new Map<string, number>();
  const driver = (name: string, time: number): Driver => ({
    role: "server",
    probe: async () => ({ features: new Map() }),
    play: async ({ id }) => ({ is: fails[name]?.(id, time) === true ? "other" : "allowed", reason: "", observed: "", transcript: [] }),
    control: async () => ({ is: "accepted", reason: "", transcript: [] }),
    controlKey: ({ id }) => id,
    expected: () => [],
    close: async () => {},
  });
  const start: Party["start"] = async (name) => {
    times.set(name, (times.get(name) ?? 0) + 1);
    return { driver: driver(name, times.get(name) ?? 0), stop: async () => {} };
  };
  return { cases: ids.map(known), names: Object.keys(fails), start, concurrency: 1 };
};

test("hints of several parties: sorted by impostor and case, without the first impostor of each; unfailed cases are returned", async () => {
  const one = party(["x/d", "x/c", "x/b", "x/a"], {
    lenient: (id) => id === "x/a",
    zealous: (id) => id === "x/d" || id === "x/c",
  });
  const two = party(["y/a"], { lenient: () => false, brave: (id) => id === "y/a" });
  const found = await searchHints([one, two]);
  expect(JSON.stringify(found)).toBe('{"hints":{"brave":["y/a"],"zealous":["x/c","x/d"]},"left":["x/b"]}');
});

test("hints: a case that an impostor fails only the second time is asked twice", async () => {
  const found = await searchHints([party(["x/a"], { lenient: () => false, slow: (_, time) => time === 2 })]);
  expect(found).toEqual({ hints: { slow: ["x/a"] }, left: [] });
});
