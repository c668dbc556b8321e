import { parser } from "@prometheus-io/lezer-promql";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, print } from "../../../reference/metrics/promql/index.ts";
import { loadScripts } from "../../../vectors/promql/load.ts";
import { ONLY_HERE, ONLY_THERE } from "./lezer-differences.ts";
import { mutated } from "./texts.ts";
import { anyExpr } from "./trees.ts";

/** Whether the grammar of editors has the text: its tree has no node of an error. */
function accepts(text: string): boolean {
  let accepted = true;
  parser.parse(text).iterate({
    enter: ({ type }) => {
      accepted &&= !type.isError;
    },
  });
  return accepted;
}

/** Which side alone accepts the text, and what was said here; nothing where both agree, or where a form is right and means nothing. */
function disagreement(text: string): { readonly by: string; readonly why: string | undefined } | undefined {
  const expr = parse(text);
  const there = accepts(text);
  if (expr.is !== "fault") return there ? undefined : { by: "here", why: ONLY_HERE.find(({ of }) => of.test(text))?.why };
  if (!there || expr.concerns === "meaning") return undefined;
  return { by: `there: ${expr.message}`, why: ONLY_THERE.find(({ of }) => of.test(expr.message))?.why };
}
const unexplained = (text: string): string | undefined => {
  const found = disagreement(text);
  return found === undefined || found.why !== undefined ? undefined : `${found.by}: ${text}`;
};

const seed = 7;
describe("lezer-promql: agreement on what has the form of an expression", () => {
  test("cases of the vectors", () => {
    const texts = loadScripts().flatMap(({ script }) => script.steps.flatMap((step) => (step.is === "eval" ? [step.expr] : [])));
    expect(texts.map(unexplained).filter((line) => line !== undefined)).toEqual([]);
  });

  test("texts of trees, and texts that were changed", () => {
    const texts = fc.oneof(
      anyExpr.map((expr) => print(expr)),
      { weight: 2, arbitrary: mutated },
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(unexplained(text)).toBeUndefined();
      }),
      { numRuns: 3_000, seed },
    );
  });

  /** Each with a text: an entry that nothing needs any more has to go. */
  test.each([
    ["a label of a list may have a colon", "sum by (a:b) (c)"],
    ["min_of and max_of are functions", "min_of(1, 2)"],
    ["offset may be a metric's name", "offset"],
    ["a number may end with its point", "1."],
    ["step and range may be in capitals", "a[STEP()]"],
    ["atan2 is an operator alone", "atan2"],
    ["Inf and NaN are numbers", "sum by (inf) (a)"],
    ["letters behind a number belong to it", "a @ 0.5offset 1m"],
    ["a duration is finite", "a[Inf]"],
    ["ranges are for selectors", "1[5m]"],
    ["how many arguments an aggregation has", "sum()"],
    ["what a number and a duration can hold", "300y"],
    ["what an escape stands for", String.raw`"\q"`],
    ["whether a pattern is a regular expression", 'a{b=~"("}'],
    ["that a label of a list has a name", 'sum by ("") (a)'],
    ["a string ends on its line", '"a'],
  ])("the difference exists: %s", (why, text) => expect(disagreement(text)?.why).toContain(why));
});
