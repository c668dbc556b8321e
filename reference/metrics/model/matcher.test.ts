import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BadPattern, Matcher } from "./index.ts";

describe("Matcher", () => {
  test.each([
    ["=", "a", "a", true],
    ["=", "", "", true],
    ["!=", "a", "b", true],
    ["!=", "a", "a", false],
    ["=~", "a", "ab", false],
    ["=~", "a|b", "b", true],
    ["=~", "a|", "", true],
    ["=~", "a.c", "a\nc", true],
    ["=~", "/api/.*", "/api/", true],
    ["=~", "/api/.+", "/api/", false],
    ["=~", ".*", "", true],
    ["=~", ".+", "", false],
    ["=~", "(a+)+b", "a".repeat(5_000), false],
    ["!~", "a|b", "c", true],
    ["!~", "a.*", "abc", false],
  ] as const)("x%s%j takes or refuses %j", (operator, pattern, value, verdict) => {
    expect(new Matcher("x", operator, pattern).matches(value)).toBe(verdict);
  });

  test("a list of words has its values, a pattern its common prefix", () => {
    expect(new Matcher("x", "=~", "a|b").values).toEqual(["a", "b"]);
    expect(new Matcher("x", "!~", "a|b").values).toBeUndefined();
    expect(new Matcher("x", "=~", "/api/v[12]").prefix).toBe("/api/v");
    expect(new Matcher("x", "=~", "/api/v?x").prefix).toBe("/api/");
    expect(new Matcher("x", "=~", "ab|cd.*").prefix).toBe("");
  });

  test("patterns without an automaton match like the automaton", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "|", ".", "*", "+"), maxLength: 6 });
    fc.assert(
      fc.property(word, fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 4 }), (pattern, value) => {
        // RE2 accepts repeated operators, `a**`; JavaScript does not.
        fc.pre(!/[*+][*+]/.test(pattern));
        const verdict = of(() => new Matcher("x", "=~", pattern).matches(value), BadPattern);
        expect(verdict).toBe(of(() => new RegExp(`^(?:${pattern})$`, "s").test(value), SyntaxError));
        expect(verdict === true && !value.startsWith(new Matcher("x", "=~", pattern).prefix)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test("an invalid regular expression is refused with a reason", () => {
    expect(() => new Matcher("x", "=~", "a(")).toThrow(/"a\(" is not a regular expression: .*missing closing/);
  });
});

function of(verdict: () => boolean, refusal: typeof BadPattern | typeof SyntaxError): boolean | "refused" {
  try {
    return verdict();
  } catch (error) {
    if (error instanceof refusal) return "refused";
    throw error;
  }
}
