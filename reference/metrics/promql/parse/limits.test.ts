import { describe, expect, test } from "vitest";
import { parse, type ParseOptions } from "./parse.ts";
import { PARSE_LIMITS } from "./cursor.ts";
import { pretty } from "../print/pretty.ts";
import { print } from "../print/print.ts";
import { printTree } from "../print/tree.ts";

const { maxLength, maxNesting, maxDepth, maxPatterns } = PARSE_LIMITS;
const message = (text: string, options?: ParseOptions): string => {
  const expr = parse(text, options);
  return expr.is === "fault" ? expr.message : expr.is;
};
const within = (open: string, close: string, count: number): string => `${open.repeat(count)}a${close.repeat(count)}`;

describe("limits: an expression that costs too much is refused, however long it is", () => {
  const nested = `expression is nested deeper than ${maxNesting} levels`;
  const deep = `expression is deeper than ${maxDepth} levels`;
  test.each([
    ["parentheses", within("(", ")", 100_000), nested],
    ["unclosed parentheses", "(".repeat(500_000), nested],
    ["signs", `${"-".repeat(100_000)}a`, nested],
    ["powers", `${"a^".repeat(100_000)}a`, nested],
    ["calls", within("abs(", ")", 100_000), nested],
    ["aggregations", within("sum by (a) (", ")", 40_000), nested],
    ["parentheses in a duration", `a[${"(".repeat(100_000)}1`, nested],
    ["signs in a duration", `a offset ${"-".repeat(100_000)}1m`, nested],
    ["a chain of vectors", `${"a+".repeat(100_000)}a`, deep],
    ["a chain of scalars", `${"1+".repeat(100_000)}1`, deep],
    ["a chain in a duration", `a[${"1+".repeat(100_000)}1]`, deep],
    ["powers in a duration", `a[${"1^".repeat(100_000)}1]`, nested],
    ["chains within chains", `${`(${"1+".repeat(maxDepth / 2)}`.repeat(3)}1${")+1".repeat(3)}`, "binary"],
    ["subqueries on subqueries", `a${"[5m:]".repeat(10_000)}`, deep],
    ["regular expressions", `a{b=~"${"(c*)*".repeat(7_000)}"}`, `regular expressions are longer than ${maxPatterns} characters together`],
    [
      "many regular expressions",
      `a{${`b=~"${"c.".repeat(500)}",`.repeat(50)}}`,
      `regular expressions are longer than ${maxPatterns} characters together`,
    ],
    ["a long list of words", `a{b=~"${"word|".repeat(50_000)}"}`, "vectorSelector"],
    ["a text beyond the length", "a".repeat(maxLength + 1), `expression is longer than ${maxLength} characters`],
  ])("%s", (_about, text, expected) => expect(message(text)).toBe(expected));

  test("an expression just within the limits is parsed and printed", () => {
    for (const text of [
      within("(", ")", maxNesting - 1),
      `${"-".repeat(maxNesting - 1)}a`,
      `${"a+".repeat(maxDepth - 1)}a`,
      within("abs(avg_over_time(", "[5m:]))", maxNesting / 2 - 1),
      `"${"x".repeat(maxLength - 2)}"`,
      `a{${'b="c",'.repeat(100_000)}}`,
      "9".repeat(300),
    ]) {
      const expr = parse(text);
      expect(expr.is).not.toBe("fault");
      if (expr.is === "fault") continue;
      expect(print(expr).length).toBeGreaterThan(0);
      expect(pretty(expr).length).toBeGreaterThan(0);
      expect(printTree(expr)).toHaveProperty("type");
    }
  });

  test("the message about a long pattern is short", () => expect(message(`a{b=~"${"(".repeat(30_000)}"}`).length).toBeLessThan(250));

  test("the limits can be set", () => {
    expect(message("((a))", { limits: { maxNesting: 2 } })).toBe("expression is nested deeper than 2 levels");
    expect(message("a+a+a", { limits: { maxDepth: 2 } })).toBe("expression is deeper than 2 levels");
    expect(message("abs(a)", { limits: { maxLength: 5 } })).toBe("expression is longer than 5 characters");
  });
});
