import { describe, expect, test } from "vitest";
import type { Expr } from "../syntax/ast.ts";
import { parse, parseSelector } from "./parse.ts";
import { NO_FEATURES } from "./cursor.ts";

/** The shape of a tree in one line: every operator with its sides in parentheses. */
function shape(expr: Expr | { readonly is: "fault"; readonly message: string }): string {
  switch (expr.is) {
    case "fault":
      return `fault: ${expr.message}`;
    case "binary":
      return `(${shape(expr.left)} ${expr.op} ${shape(expr.right)})`;
    case "unary":
      return `(${expr.op}${shape(expr.expr)})`;
    case "paren":
      return `[${shape(expr.expr)}]`;
    case "vectorSelector":
      return expr.name;
    case "number":
      return String(expr.value);
    default:
      return expr.is;
  }
}

describe("operators: precedence and sides (Prometheus docs, querying/operators.md, Binary operator precedence)", () => {
  test.each([
    ["a + b * c", "(a + (b * c))"],
    ["a * b + c", "((a * b) + c)"],
    ["a - b - c", "((a - b) - c)"],
    ["2 ^ 3 ^ 2", "(2 ^ (3 ^ 2))"],
    ["a ^ b % c ^ d", "((a ^ b) % (c ^ d))"],
    ["a atan2 b * c", "((a atan2 b) * c)"],
    ["a * b atan2 c", "((a * b) atan2 c)"],
    ["a or b unless c", "(a or (b unless c))"],
    ["a == b + c", "(a == (b + c))"],
    ["a == b != c", "((a == b) != c)"],
    ["a </ b + c", "(a </ (b + c))"],
    ["a == b >/ c", "((a == b) >/ c)"],
    ["a or b and c", "(a or (b and c))"],
    ["a and b unless c", "((a and b) unless c)"],
    ["a AND b Or c", "((a and b) or c)"],
    ["a and b > c", "(a and (b > c))"],
    ["-a ^ b", "(-(a ^ b))"],
    ["-a * b", "((-a) * b)"],
    ["a ^ -b ^ c", "(a ^ (-(b ^ c)))"],
    ["a - -b", "(a - (-b))"],
    ["--a", "(-(-a))"],
    ["+a", "(+a)"],
    ["-2 ^ 2", "(-(2 ^ 2))"],
    ["2 ^ -1 * 3", "((2 ^ -1) * 3)"],
    ["-1 - +-1", "(-1 - -1)"],
    ["(a + b) * c", "([(a + b)] * c)"],
  ])("%s", (text, tree) => expect(shape(parse(text))).toBe(tree));
});

describe("numbers and strings", () => {
  test.each([
    ["1_000", 1000],
    ["1.", 1],
    [".5", 0.5],
    [".1_2", 0.12],
    ["1e1_0", 1e10],
    ["0x1F", 31],
    ["0x_1_f", 31],
    ["007", 7],
    ["iNf", Number.POSITIVE_INFINITY],
    ["-Inf", Number.NEGATIVE_INFINITY],
    ["NAN", Number.NaN],
    ["1h30m", 5_400],
    ["-5ms", -0.005],
    ["1y2w3d4h5m6s7ms", 365 * 86_400 + 14 * 86_400 + 3 * 86_400 + 4 * 3_600 + 5 * 60 + 6.007],
  ])("%s is %d", (text, value) => expect(parse(text)).toMatchObject({ is: "number", value }));

  test.each([
    [String.raw`"\a\b\f\n\r\t\v\\\""`, '\u0007\b\f\n\r\t\v\\"'],
    [String.raw`'\''`, "'"],
    [String.raw`"\x41\101\u00e9\U0001F600"`, "AAé😀"],
    [String.raw`"\xe6\x97\xa5\xff"`, "日\uDCFE"],
    ["`\\n\n\"'`", "\\n\n\"'"],
    ['"日本 # no comment"', "日本 # no comment"],
    ["''", ""],
  ])("%j", (text, value) => expect(parse(text)).toMatchObject({ is: "string", value }));
});

describe("selectors", () => {
  const matchersOf = (text: string): string[] => {
    const expr = parse(text);
    return expr.is === "vectorSelector" ? expr.matchers.map(String) : [shape(expr)];
  };
  test.each([
    ["a", ['__name__="a"']],
    ["a:b:c{}", ['__name__="a:b:c"']],
    [`{a="b",}`, ['a="b"']],
    [`m{a="b", c!='d', e=~"f", g!~\`h\`}`, ['a="b"', 'c!="d"', 'e=~"f"', 'g!~"h"', '__name__="m"']],
    [`{"my.metric", "a b"="c"}`, ['__name__="my.metric"', 'a b="c"']],
    [`{a="b", "m"}`, ['a="b"', '__name__="m"']],
    [`{__name__=~"a.+"}`, ['__name__=~"a.+"']],
    [`m{on="1", sum="2", inf="3"}`, ['on="1"', 'sum="2"', 'inf="3"', '__name__="m"']],
  ])("%s", (text, matchers) => expect(matchersOf(text)).toEqual(matchers));

  test.each("and or unless by without offset fill anchored start end step range min_of sum topk limitk rate time".split(" "))(
    "the keyword %s can be a metric's name",
    (word) => expect(parse(`${word} + ${word}{a="b"}`)).toMatchObject({ is: "binary", left: { name: word }, right: { name: word } }),
  );
  test.each("bool on ignoring group_left group_right atan2".split(" "))("the keyword %s cannot", (word) =>
    expect(parse(word)).toMatchObject({ is: "fault" }),
  );
  test.each("and on by bool without sum offset start atan2".split(" "))("the keyword %s can be a label", (word) =>
    expect(parse(`sum by (${word}) (a)`)).toMatchObject({ is: "aggregate", grouping: [word] }),
  );

  test("modifiers are equal in either order", () => {
    const modifiers = { offset: { is: "fixed", ms: 300_000 }, at: { is: "timestamp", ms: 1_500 } };
    expect(parse("a offset 5m @ 1.5")).toMatchObject(modifiers);
    expect(parse("a @ 1.5 offset 300")).toMatchObject(modifiers);
    expect(parse("a @ -1.5")).toMatchObject({ at: { ms: -1_500 } });
    expect(parse("a @ -0")).toEqual(parse("a @ +0"));
    expect(parse("a[1m] @ start() offset -1m")).toMatchObject({
      is: "matrixSelector",
      range: { ms: 60_000 },
      selector: { at: { is: "start" }, offset: { ms: -60_000 } },
    });
    expect(parse("a[1h:] @ end()")).toMatchObject({ is: "subquery", range: { ms: 3_600_000 }, step: undefined, at: { is: "end" } });
    expect(parse("a[1h:1m30s]")).toMatchObject({ is: "subquery", step: { ms: 90_000 } });
    expect(parse("a[5m] anchored")).toMatchObject({ selector: { extension: "anchored" } });
    expect(parse("a smoothed")).toMatchObject({ extension: "smoothed" });
  });

  test("parseSelector: accepts a single selector only", () => {
    expect(parseSelector('a{b="c"}')).toMatchObject({ is: "vectorSelector", name: "a" });
    for (const text of ["a[5m]", "a offset 1m", "a @ 1", "1", "sum(a)", "{}", "a b"])
      expect(parseSelector(text)).toMatchObject({ is: "fault" });
  });
});

describe("vector matching", () => {
  const matchingOf = (text: string) => {
    const expr = parse(text);
    return expr.is === "binary" ? expr.matching : shape(expr);
  };
  const none = { left: undefined, right: undefined };
  test.each([
    ["a + b", { card: "one-to-one", on: false, labels: [], include: [], fill: none }],
    ["a and b", { card: "many-to-many", on: false, labels: [], include: [], fill: none }],
    ["a / on (x) b", { card: "one-to-one", on: true, labels: ["x"], include: [], fill: none }],
    ['a / ignoring (x, "y z",) group_left b', { card: "many-to-one", on: false, labels: ["x", "y z"], include: [], fill: none }],
    ["a / on () group_right (y) b", { card: "one-to-many", on: true, labels: [], include: ["y"], fill: none }],
    ["a + fill (-1) b", { card: "one-to-one", on: false, labels: [], include: [], fill: { left: -1, right: -1 } }],
    ["a + fill (0) fill_left", { card: "one-to-one", on: false, labels: [], include: [], fill: { left: 0, right: 0 } }],
    ["a + fill_right(1) fill_left(2) b", { card: "one-to-one", on: false, labels: [], include: [], fill: { left: 2, right: 1 } }],
    ["a + 1", undefined],
  ])("%s", (text, matching) => expect(matchingOf(text)).toEqual(matching));
  test("a modifier keyword without a parenthesis is a metric name", () =>
    expect(parse("a + fill")).toMatchObject({ right: { is: "vectorSelector", name: "fill" } }));
});

describe("spans", () => {
  const text = '  sum(é{x="y"}[5m:] offset 1m) + -1 # done';
  const pieces = (expr: Expr): string => text.slice(expr.span.start, expr.span.end);
  test("the span of each node covers the text it was parsed from", () => {
    const expr = parse('  abs( rate(m{x="y"}[5m] offset 1m) ) + - 1 # done');
    expect(expr).toMatchObject({
      is: "binary",
      span: { start: 2, end: 43 },
      left: { is: "call", span: { start: 2, end: 37 }, args: [{ is: "call", span: { start: 7, end: 35 } }] },
      right: { is: "number", span: { start: 40, end: 43 } },
    });
  });
  test("a fault at a non-ASCII sign has the right position", () => {
    const expr = parse(text);
    expect(expr).toMatchObject({ is: "fault", message: "unexpected character: 'é'", span: { start: 6, end: 7 } });
    expect(pieces(expr as unknown as Expr)).toBe("é");
  });
});

describe("features: an experimental part is refused while it is off", () => {
  test.each([
    [
      "mad_over_time(a[5m])",
      'function "mad_over_time" is experimental and must be enabled with --enable-feature=promql-experimental-functions',
    ],
    ["limitk(1, a)", "limitk() is experimental and must be enabled with --enable-feature=promql-experimental-functions"],
    ["a + fill(0) b", "fill() is experimental and must be enabled with --enable-feature=promql-binop-fill-modifiers"],
    ["a[5m] anchored", "anchored modifier is experimental and must be enabled with --enable-feature=promql-extended-range-selectors"],
  ])("%s", (text, message) => {
    expect(parse(text, { features: NO_FEATURES })).toMatchObject({ is: "fault", message });
    expect(parse(text)).not.toMatchObject({ is: "fault" });
  });
  test("duration expressions are part of the language", () =>
    expect(parse("a[5m * 2]", { features: NO_FEATURES })).toMatchObject({ is: "matrixSelector" }));
});
