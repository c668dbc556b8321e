import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, pretty, print, printTree } from "../../../reference/metrics/promql/index.ts";
import { octetsOf, staysTheSame } from "./round-trip.fuzz.ts";
import { inWords } from "./same.ts";
import { mutated } from "./texts.ts";
import { anyExpr } from "./trees.ts";

const seed = 7;

describe("expressions: printing and parsing is the identity", () => {
  test("for every tree, on one line and on several", () => {
    fc.assert(
      fc.property(anyExpr, (expr) => {
        for (const text of [print(expr), pretty(expr)]) {
          const again = parse(text);
          expect(again.is === "fault" ? `${again.message}: ${text}` : inWords(again)).toBe(inWords(expr));
        }
        expect(printTree(expr)).toHaveProperty("type");
      }),
      { numRuns: 1_500, seed },
    );
  });

  test("for every mutated text that is an expression, and no text throws", () => {
    let read = 0;
    fc.assert(
      fc.property(mutated, (text) => {
        read += staysTheSame(octetsOf(text)) ? 1 : 0;
      }),
      { numRuns: 3_000, seed },
    );
    // Most mutations are not expressions: make sure that enough of them are.
    expect(read).toBeGreaterThan(300);
  });
});
