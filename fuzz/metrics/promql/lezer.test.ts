import { parser } from "@prometheus-io/lezer-promql";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, print } from "../../../reference/metrics/promql/index.ts";
import { loadScripts } from "../../../vectors/promql/load.ts";
import { ONLY_HERE, ONLY_THERE } from "./lezer-differences.ts";
import { mutated } from "./texts.ts";
import { anyExpr } from "./trees.ts";

/** Whether lezer-promql accepts the text: its tree has no error node. */
function accepts(text: string): boolean {
  let accepted = true;
  parser.parse(text).iterate({
    enter: ({ type }) => {
      accepted &&= !type.isError;
    },
  });
  return accepted;
}

/** Which side alone accepts the text, and the listed reason. Undefined if both agree, or if our parser accepts the syntax and refuses the meaning. */
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
describe("lezer-promql: agreement on the syntax of expressions", () => {
  test("holds for the cases of the vectors", () => {
    const texts = loadScripts().flatMap(({ script }) => script.steps.flatMap((step) => (step.is === "eval" ? [step.expr] : [])));
    expect(texts.map(unexplained).filter((line) => line !== undefined)).toEqual([]);
  });

  test("holds for random expressions and mutated texts", () => {
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

  /** Each listed difference with a text: remove an entry that no longer occurs. */
  test.each([
    ["a label in a list may contain a colon", "sum by (a:b) (c)"],
    ["min_of and max_of are functions", "min_of(1, 2)"],
    ["offset may be a metric name", "offset"],
    ["a number may end with a decimal point", "1."],
    ["step and range may be upper-case", "a[STEP()]"],
    ["atan2 is only an operator", "atan2"],
    ["Inf and NaN are numbers", "sum by (inf) (a)"],
    ["letters after a number belong to it", "a @ 0.5offset 1m"],
    ["a duration is finite", "a[Inf]"],
    ["ranges are for selectors", "1[5m]"],
    ["the number of arguments of an aggregation", "sum()"],
    ["the limits of numbers and durations", "300y"],
    ["the meaning of an escape sequence", String.raw`"\q"`],
    ["whether a pattern is a valid regular expression", 'a{b=~"("}'],
    ["that a label in a list is not empty", 'sum by ("") (a)'],
    ["a string must end on its line", '"a'],
  ])("the listed difference occurs: %s", (why, text) => expect(disagreement(text)?.why).toContain(why));
});
