import { describe, expect, test } from "vitest";
import { linter } from "../lint.ts";
import { loadVectors } from "../load.ts";
import { answerOf, type ExpressionVector } from "./expression.ts";

/** Our parser and printers on expressions that a current Prometheus formatted and parsed (Prometheus docs, querying/api.md). */

const { vectors } = loadVectors<ExpressionVector>("promql/expressions");

test("the file is valid by its schema", () => expect(linter()("promql/expressions")).toEqual([]));

test("the recorded server agrees with nearly all of them, and one side alone accepts few, or reads them otherwise", () => {
  const differing = vectors.filter(({ peer }) => peer !== undefined).length;
  const acceptable = vectors.filter(({ result }) => result === "acceptable").length;
  expect([vectors.length >= 1_100, differing < vectors.length / 8, acceptable < 40]).toEqual([true, true, true]);
});

describe("every expression is formatted and parsed as recorded, or refused", () => {
  test.each(vectors.map((vector) => ({ title: `${vector.id}: ${vector.text.slice(0, 60)}`, vector })))("$title", ({ vector }) => {
    const { text, without, printed, tree, fault } = vector;
    // JSON has no -0.
    expect(JSON.parse(JSON.stringify(answerOf(text, without === true)))).toEqual(fault === undefined ? { printed, tree } : { fault });
  });
});

describe("what is printed", () => {
  const printed = [...new Set(vectors.flatMap((vector) => vector.printed ?? []))];
  test.each(printed)("%s is printed again as it is", (text) => expect(answerOf(text, false).printed).toBe(text));
});
