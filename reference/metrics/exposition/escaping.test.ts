import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeName, ESCAPING_SCHEMES, isPlainName, unescapeName } from "./escaping.ts";

/** Any code points, including lone surrogates. */
const names = fc
  .array(fc.integer({ min: 0, max: 0x10_ffff }), { minLength: 1, maxLength: 12 })
  .map((points) => String.fromCodePoint(...points));

describe("escapeName()", () => {
  test.each([
    ["metric.name/with/slashes", "underscores", "metric_name_with_slashes"],
    ["metric.name.with.dots", "dots", "metric_dot_name_dot_with_dot_dots"],
    ["metric.name", "values", "U__metric_2E_name"],
    ["metric.name", "allow-utf-8", "metric.name"],
    ["a_b", "underscores", "a_b"],
    ["a_b.c d", "dots", "a__b_dot_c_d"],
    ["1a", "underscores", "_a"],
    ["a_b", "values", "a_b"],
    ["a_b.c", "values", "U__a__b_2E_c"],
    ["温😀", "values", "U___6E29__1F600_"],
    ["U__a", "values", "U__U____a"],
    ["a\ud800", "values", "U__a_FFFD_"],
  ] as const)("%s by %s is %s", (name, scheme, escaped) => {
    expect(escapeName(name, scheme)).toBe(escaped);
  });
  test("a label name has no colon", () => {
    expect([escapeName("a:b", "underscores"), escapeName("a:b", "underscores", "label")]).toEqual(["a:b", "a_b"]);
  });
  test("the result is a plain name unless UTF-8 is allowed", () => {
    const schemes = ESCAPING_SCHEMES.filter((scheme) => scheme !== "allow-utf-8");
    expect(() =>
      fc.assert(
        fc.property(names, fc.constantFrom(...schemes), fc.constantFrom("metric", "label"), (name, scheme, of) =>
          isPlainName(escapeName(name, scheme, of), of),
        ),
      ),
    ).not.toThrow();
  });
});

describe("unescapeName()", () => {
  test("values restores every name", () => {
    expect(() =>
      fc.assert(fc.property(names, (name) => unescapeName(escapeName(name, "values"), "values") === name.toWellFormed())),
    ).not.toThrow();
  });
  test("dots restores dots and underscores", () => {
    expect(() =>
      fc.assert(
        fc.property(fc.array(fc.constantFrom("a", "_", ".", "dot", "_dot_", "b1"), { minLength: 1 }), (parts) => {
          const name = `x${parts.join("")}`;
          return unescapeName(escapeName(name, "dots"), "dots") === name;
        }),
      ),
    ).not.toThrow();
  });
  test.each(["plain", "U__a_b", "U__a_110000_", "U__a_D800_", "U__a_2", "U__é"])(
    "%s is not escaped by values and stays unchanged",
    (name) => {
      expect(unescapeName(name, "values")).toBe(name);
    },
  );
  test("lower-case hexadecimal digits are accepted", () => {
    expect(unescapeName("U__a_2e_b", "values")).toBe("a.b");
  });
});
