import { describe, expect, test } from "vitest";
import { parse } from "../parse/parse.ts";
import { pretty } from "./pretty.ts";
import { print } from "./print.ts";
import { printTree } from "./tree.ts";

const canonical = (text: string): string => {
  const expr = parse(text);
  return expr.is === "fault" ? expr.message : print(expr);
};
const spread = (text: string): string => {
  const expr = parse(text);
  return expr.is === "fault" ? expr.message : pretty(expr);
};
const tree = (text: string) => {
  const expr = parse(text);
  return expr.is === "fault" ? expr.message : printTree(expr);
};

describe("print: the canonical text", () => {
  test.each([
    ["foo/bar", "foo / bar"],
    ["a{ }#x", "a"],
    [`a{z="1",b='2',__name__="a"}`, 'metric name must not be set twice: "a" or "a"'],
    [`a{z="1",b='2'}`, 'a{b="2",z="1"}'],
    [`{a="b","my.metric","c d"=~"e"}`, '{"c d"=~"e",__name__="my.metric",a="b"}'],
    ["info(a,{})", "info(a, {})"],
    ["1E-7", "0.0000001"],
    ["1.5e22", "15000000000000000000000"],
    ["- 1", "-1"],
    ["-0", "-0"],
    ["inf - nan", "+Inf - NaN"],
    ["inf ^ 2", "Inf ^ 2"],
    ["0x10", "16"],
    ["90m", "1h30m"],
    ["-(7d)", "-(1w)"],
    ["366d", "366d"],
    ["1s1ms", "1s1ms"],
    ["0h", "0s"],
    ["-0h", "-0s"],
    ["'\"\\x00\\u200b\\n'", String.raw`"\"\x00\u200b\n"`],
    ["a[300]", "a[5m]"],
    ["a[5m:60]", "a[5m:1m]"],
    ["a offset 0", "a"],
    ["a offset 5m @ 1.2345", "a @ 1.235 offset 5m"],
    ["a offset 1m smoothed @ END()", "a @ end() smoothed offset 1m"],
    ["a[5m] offset -(1m+2)", "a[5m] offset -(1m + 2)"],
    ["a[2*STEP():min_of(1m,(range()%5)^2)]", "a[2 * step():min_of(1m, (range() % 5) ^ 2)]"],
    ["SUM(a)BY(b,)", "sum by (b) (a)"],
    ["sum by()(a)", "sum(a)"],
    ["sum without()(a)", "sum without () (a)"],
    ['topk(5,a) by("x y", a:b)', 'topk by ("x y", "a:b") (5, a)'],
    ["a+ignoring()b", "a + b"],
    ["a+ignoring()group_left(x)b", "a + ignoring () group_left (x) b"],
    ["a+on()b", "a + on () b"],
    ["a>bool ignoring(x)group_left b", "a > bool ignoring (x) group_left () b"],
    ["a+on(x)group_right(y)fill(0)b", "a + on (x) group_right (y) fill (0) b"],
    ["a+fill_right(1)fill_left(2)b", "a + fill_left (2) fill_right (1) b"],
    ["-a^-b", "-a ^ -b"],
    ["((a))", "((a))"],
  ])("%s", (text, printed) => expect(canonical(text)).toBe(printed));
});

describe("pretty: long expressions on several lines", () => {
  const long = (letter: string): string => `${letter.repeat(60)}{x="y"}`;
  test("100 octets stay on a line, one more does not", () => {
    expect(spread(`abs(${"a".repeat(95)})`)).toBe(`abs(${"a".repeat(95)})`);
    expect(spread(`abs(${"a".repeat(96)})`)).toBe(`abs(\n  ${"a".repeat(96)}\n)`);
    expect(spread(`abs(a{b="${"é".repeat(46)}"})`)).toContain("\n");
  });
  test("an operator stands between its sides", () =>
    expect(spread(`${long("a")} > bool on(x) ${long("b")}`)).toBe(`  ${long("a")}\n> bool on (x)\n  ${long("b")}`));
  test("parentheses indent", () =>
    expect(spread(`-(${long("a")} or ${long("b")})`)).toBe(`-(\n    ${long("a")}\n  or\n    ${long("b")}\n)`));
  test("a sign stays with its parenthesis, however deep", () =>
    expect(spread(`abs(-(${long("a")} or ${long("b")}))`)).toBe(`abs(\n  -(\n      ${long("a")}\n    or\n      ${long("b")}\n  )\n)`));
  test("a subquery ends behind the last line", () =>
    expect(spread(`max_over_time((${long("a")} or ${long("b")})[5m:] offset 1m)`)).toBe(
      `max_over_time(\n  (\n      ${long("a")}\n    or\n      ${long("b")}\n  )[5m:] offset 1m\n)`,
    ));
  test("arguments of an aggregation, its parameter first", () =>
    expect(spread(`topk by (x) (5, ${long("a")} or ${long("b")})`)).toBe(
      `topk by (x) (\n  5,\n    ${long("a")}\n  or\n    ${long("b")}\n)`,
    ));
});

describe("tree: as JSON", () => {
  const vector = (name: string) => ({
    type: "vectorSelector",
    name,
    matchers: [{ name: "__name__", type: "=", value: name }],
    offset: 0,
    timestamp: null,
    startOrEnd: null,
  });
  test("the published example", () =>
    expect(tree("foo/bar")).toEqual({
      type: "binaryExpr",
      op: "/",
      bool: false,
      lhs: vector("foo"),
      rhs: vector("bar"),
      matching: { card: "one-to-one", include: [], labels: [], on: false },
    }));
  test.each([
    ["1", { type: "numberLiteral", val: "1" }],
    ["'a'", { type: "stringLiteral", val: "a" }],
    ["-a", { type: "unaryExpr", op: "-", expr: vector("a") }],
    ["(a)", { type: "parenExpr", expr: vector("a") }],
    ["a offset 5m @ 2", { ...vector("a"), offset: 300_000, timestamp: 2_000 }],
    ["a[5m] @ start()", { ...vector("a"), type: "matrixSelector", range: 300_000, startOrEnd: "start" }],
    [
      "a[step()] anchored",
      {
        ...vector("a"),
        type: "matrixSelector",
        range: 0,
        rangeExpr: { type: "durationExpr", op: "step", lhs: null, rhs: null, wrapped: false },
        anchored: true,
      },
    ],
    ["a[1h:]", { type: "subquery", expr: vector("a"), range: 3_600_000, step: 0, offset: 0, timestamp: null, startOrEnd: null }],
    ["sum by (x) (a)", { type: "aggregation", op: "sum", expr: vector("a"), param: null, grouping: ["x"], without: false }],
    ["time()", { type: "call", func: { name: "time", argTypes: [], variadic: 0, returnType: "scalar" }, args: [] }],
    ["1 > bool a", { type: "binaryExpr", op: ">", bool: true, lhs: { type: "numberLiteral", val: "1" }, rhs: vector("a"), matching: null }],
  ])("%s", (text, json) => expect(tree(text)).toEqual(json));
  test("a duration that is worked out later, as a tree of its own", () => {
    const number = (val: string, duration: boolean) => ({ type: "numberLiteral", val, duration });
    const node = (op: string, lhs: unknown, rhs: unknown, wrapped = false) => ({ type: "durationExpr", op, lhs, rhs, wrapped });
    expect(tree("a[5m * 2:min_of(range(), -(3))] offset (1 + 2)")).toMatchObject({
      range: 0,
      rangeExpr: node("*", number("300", true), number("2", false)),
      step: 0,
      stepExpr: node("min_of", node("range", null, null), node("-", null, node("+", null, number("3", false), true))),
      offset: 0,
      offsetExpr: node("+", number("1", false), number("2", false), true),
    });
  });
  test("fill values of both sides", () =>
    expect(tree("a + fill_left(1) b")).toMatchObject({ matching: { fillValues: { lhs: 1, rhs: null } } }));
});
