import { describe, expect, test } from "vitest";
import { Labels } from "../../model/index.ts";
import { MemoryStorage } from "../../storage/index.ts";
import { evaluateRange, finish, parse } from "../index.ts";

const STEPS = { startMs: 0, endMs: 180_000, stepMs: 60_000 };

/** Series by name and labels, a sample a minute; undefined leaves one out, and the look-back is shorter than the gap. */
function ask(
  series: readonly (readonly [Record<string, string>, readonly (number | undefined)[]])[],
  text: string,
): Record<string, string> {
  const storage = new MemoryStorage();
  const appender = storage.appender();
  for (const [labels, values] of series) {
    const id = appender.series(Labels.of(labels));
    for (const [at, value] of values.entries()) if (value !== undefined) appender.append(id, at * 60_000, value);
  }
  appender.commit();
  const expr = parse(text);
  if (expr.is === "fault") throw new Error(expr.message);
  const { value } = finish(evaluateRange(storage, expr, STEPS, { lookbackMs: 30_000 }));
  if (value.is !== "matrix") throw new Error(value.is);
  return Object.fromEntries(
    Array.from(value.series(), ([labels, { times, values, length }]) => [
      String(labels),
      Array.from({ length }, (_, row) => `${(times[row] ?? 0) / 60_000}:${values[row]}`).join(" "),
    ]),
  );
}

const A = [
  [{ __name__: "a", x: "1" }, [1, 2, 3, 4]],
  [{ __name__: "a", x: "2" }, [10, undefined, 30, undefined]],
] as const;

describe("series that alternate on one side", () => {
  const turns = Array.from(
    { length: 4 },
    (_, n) => [{ __name__: "b", z: `z${n}` }, Array.from({ length: 4 }, (_, at) => (at === n ? 100 * (n + 1) : undefined))] as const,
  );

  test("many-to-one: each step matches the series present and copies its label", () => {
    expect(ask([...A, ...turns], "a + on () group_left (z) b")).toEqual({
      '{x="1", z="z0"}': "0:101",
      '{x="1", z="z1"}': "1:202",
      '{x="1", z="z2"}': "2:303",
      '{x="1", z="z3"}': "3:404",
      '{x="2", z="z0"}': "0:110",
      '{x="2", z="z2"}': "2:330",
    });
  });

  test("one-to-one: the result is one series", () => {
    expect(ask([A[0], ...turns], "a + on () b")).toEqual({ "{}": "0:101 1:202 2:303 3:404" });
  });

  test("two elements at one step fail", () => {
    const twice = [{ __name__: "b", z: "again" }, [undefined, undefined, 7]] as const;
    expect(() => ask([A[0], ...turns, twice], "a + on () b")).toThrow(
      /duplicate series for the match group \{\} on the right hand-side of the operation: \[b\{z="z2"\}, b\{z="again"\}\];many-to-many/,
    );
  });
});

test("fill with group_left: one series replaces the missing many at every step where all are missing", () => {
  const ones = [
    [{ __name__: "b", x: "2" }, [5, 5, 5, 5]],
    [{ __name__: "b", x: "3" }, [6, 6, undefined, 6]],
  ] as const;
  expect(ask([...A, ...ones], "a + on (x) group_left fill(0) b")).toEqual({
    '{x="1"}': "0:1 1:2 2:3 3:4",
    '{x="2"}': "0:15 1:5 2:35 3:5",
    '{x="3"}': "0:6 1:6 3:6",
  });
});

test("fill with group_left: a label that comes from the one side has no value where that side is filled in", () => {
  const many = [[{ __name__: "a", x: "1", y: "own" }, [1]]] as const;
  expect(ask([...many, [{ __name__: "b", x: "1", y: "other" }, [5]]], "a + on (x) group_left (y) fill(0) b")).toEqual({
    '{x="1", y="other"}': "0:6",
  });
  expect(ask([...many, [{ __name__: "b", x: "1", y: "other" }, [undefined, 5]]], "a + on (x) group_left (y) fill(0) b")['{x="1"}']).toBe(
    "0:1",
  );
  const two = [...many, [{ __name__: "a", x: "1", y: "twin" }, [2]]] as const;
  expect(() => ask(two, "a + on (x) group_left (y) fill(0) b")).toThrow("grouping labels must ensure unique matches");
});

test("or: a series on both sides, at different steps, is one series of the result", () => {
  expect(ask(A, "(a < 3) or (a > 3)")).toEqual({ 'a{x="1"}': "0:1 1:2 3:4", 'a{x="2"}': "0:10 2:30" });
});
