import { describe, expect, test } from "vitest";
import { evaluateInstant, evaluateRange, finish } from "./engine.ts";
import type { Expr } from "../syntax/ast.ts";
import { parse } from "../parse/parse.ts";
import { Labels } from "../../model/index.ts";
import { MemoryStorage, type Queryable } from "../../storage/index.ts";

/** What an expression without selectors asks for is all its own doing. */
const NOTHING: Queryable = {
  querier: () => ({ select: () => [], labelNames: () => [], labelValues: () => [], close() {} }),
};
const HOUR = { startMs: 0, endMs: 3_600_000, stepMs: 1_000 };
const nested = (open: string, close: string): Expr => parse(`${open.repeat(40)}vector(1)${close.repeat(40)}`) as Expr;

describe("expensive expressions", () => {
  test("a window over many samples yields between steps, not only between series", () => {
    let pauses = 0;
    const work = evaluateRange(NOTHING, parse("deriv(vector(1)[1h:1s])") as Expr, { ...HOUR, stepMs: 10_000 });
    finish(work, () => void (pauses += 1));
    expect(pauses).toBeGreaterThan(15);
  });

  test.each([
    ["label_join()", nested("label_join(", ', "x", "y", "x", "x", "x", "x")')],
    ["label_replace()", nested("label_replace(", ', "x", "a$1$1", "x", "(.*)")')],
  ])("labels that grow at every call of %s end the query", (_name, expr) => {
    expect(() => finish(evaluateInstant(NOTHING, expr, 0))).toThrow("a label would be longer than 65536 characters");
  });

  test("many short labels count", () => {
    const expr = parse('label_join(label_replace(vector(1), "x", "0123456789", "", ""), "y", "", "x", "x")') as Expr;
    expect(() => finish(evaluateInstant(NOTHING, expr, 0, { maxSamples: 5 }))).toThrow("too many samples");
    expect(() => finish(evaluateInstant(NOTHING, expr, 0, { maxSamples: 50 }))).not.toThrow();
  });

  test("count_values() with a different value at every step fails before it allocates the cells", () => {
    const expr = parse('count_values("v", vector(time()))') as Expr;
    expect(() => finish(evaluateRange(NOTHING, expr, HOUR, { maxSamples: 100_000 }))).toThrow("too many samples");
    expect(finish(evaluateRange(NOTHING, expr, { ...HOUR, endMs: 9_000 })).value).toMatchObject({ size: 10 });
  });

  test("the text of new labels counts for every series, even if they share it", () => {
    const long = `label_replace(load, "text", "${"x".repeat(1_000)}", "", "")`;
    const storage = new MemoryStorage();
    const appender = storage.appender();
    for (let at = 0; at < 30; at++) appender.append(appender.series(Labels.of({ __name__: "load", at: String(at) })), 0, at);
    appender.commit();
    expect(() => finish(evaluateInstant(storage, parse(long) as Expr, 0, { maxSamples: 10_000 }))).toThrow("too many samples");
    expect(() => finish(evaluateInstant(storage, parse(long) as Expr, 0, { maxSamples: 20_000 }))).not.toThrow();
  });
});
