import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleaned, cut, oneLine, visible } from "./clean.ts";

describe("visible()", () => {
  test("shows invisible characters and keeps the rest", () => {
    expect(visible("a\u001b[31mb\u0000\u007f\u009b")).toBe("a\\x1b[31mb\\x00\\x7f\\x9b");
    expect(visible("\u2028 \u202e \u200b \ufeff \ud800")).toBe("\\u2028 \\u202e \\u200b \\ufeff \\ud800");
    expect(visible("tab\tline\nümlaut 漢字 😀")).toBe("tab\tline\nümlaut 漢字 😀");
  });

  test("any text becomes well-formed, and a second pass changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(fc.integer({ min: 0, max: 0xffff })), (text, units) => {
        const shown = visible(text + String.fromCharCode(...units));
        expect(shown.isWellFormed()).toBe(true);
        expect(visible(shown)).toBe(shown);
      }),
    );
  });
});

test("cleaned() reaches every string in lists, members and member names", () => {
  expect(cleaned({ a: ["\u0000", { "b\u0001": "\u0002", n: 1, t: true, u: undefined }], z: null })).toEqual({
    a: ["\\x00", { "b\\x01": "\\x02", n: 1, t: true, u: undefined }],
    z: null,
  });
});

test("oneLine() and cut() keep to one line and a length, and split no character", () => {
  expect(oneLine(" a\r\n  b\n")).toBe("a b");
  expect(cut("abcdef", 4)).toBe("abc…");
  expect(cut("abcd", 4)).toBe("abcd");
  expect(cut("ab😀cd", 4)).toBe("ab…");
});
