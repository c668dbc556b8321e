import { describe, expect, test } from "vitest";
import { parse } from "./parse.ts";
import { describeFault } from "./position.ts";

const told = (text: string): string => {
  const expr = parse(text);
  return expr.is === "fault" ? describeFault(text, expr) : "accepted";
};

/** Texts that are no expression, and what is said of them: line and column of the place, then why. */
const FAULTS: Readonly<Record<string, readonly (readonly [text: string, said: string])[]>> = {
  "the end of the text": [
    ["", "1:1: parse error: no expression found in input"],
    ["# only this", "1:1: parse error: no expression found in input"],
    ["1 +", "1:4: parse error: unexpected end of input"],
    ["(1", "1:3: parse error: unclosed left parenthesis"],
    ["sum(a", "1:6: parse error: unclosed left parenthesis"],
    ["a{", "1:3: parse error: unexpected end of input inside braces"],
    ["a[", "1:3: parse error: unexpected end of input in duration expression"],
    ["a[5m", "1:5: parse error: unclosed left bracket"],
    ["a @", "1:4: parse error: unexpected end of input in @, expected timestamp"],
    ["a offset", "1:9: parse error: unexpected end of input in offset, expected number, duration, step(), or range()"],
  ],
  "what stands in the wrong place": [
    [")", "1:1: parse error: unexpected right parenthesis ')'"],
    ["a\n+\n (b))", "3:5: parse error: unexpected right parenthesis ')'"],
    ["a b", '1:3: parse error: unexpected identifier "b"'],
    ["1 2", '1:3: parse error: unexpected number "2"'],
    ["a 5m", '1:3: parse error: unexpected duration "5m"'],
    ["a:b c:d", '1:5: parse error: unexpected metric identifier "c:d"'],
    ["a sum", "1:3: parse error: unexpected <aggr:sum>"],
    ["a * / b", "1:5: parse error: unexpected <op:/>"],
    ["atan2", "1:1: parse error: unexpected <op:atan2>"],
    ["on", "1:1: parse error: unexpected <on>"],
    ["sum(a)(b)", '1:7: parse error: unexpected "("'],
    ["a + group_left b", "1:5: parse error: unexpected <group_left>"],
    ["a + on b", '1:8: parse error: unexpected identifier "b" in grouping opts, expected "("'],
    ["sum by (1) (a)", '1:9: parse error: unexpected number "1" in grouping opts, expected label'],
    ["sum by (a b) (c)", '1:11: parse error: unexpected identifier "b" in grouping opts, expected "," or ")"'],
    ['sum by ("") (a)', '1:9: parse error: invalid label name for grouping: ""'],
    ["sum by (a) b", '1:12: parse error: unexpected identifier "b" in aggregation'],
    ["sum(a) by (b) by (c)", "1:15: parse error: unexpected <by>"],
    ["abs(a,)", "1:6: parse error: trailing commas not allowed in function call args"],
    ["a @ step()", '1:5: parse error: unexpected "step" in @, expected timestamp'],
  ],
  "signs that mean nothing": [
    ["a $ b", "1:3: parse error: unexpected character: '$'"],
    ["日", "1:1: parse error: unexpected character: '日'"],
    ["a + 😀", "1:5: parse error: unexpected character: '😀'"],
    ['"日" ~', "1:7: parse error: unexpected character: '~'"],
    ["a ! b", "1:3: parse error: unexpected character after '!': ' '"],
    ["a!", "1:2: parse error: unexpected end of input after '!'"],
    ['a{1="b"}', "1:3: parse error: unexpected character inside braces: '1'"],
    ["a[%d]", "1:3: parse error: unexpected <op:%> in subquery or range selector, expected number, duration, step(), or range()"],
    ["a[b]", "1:3: parse error: unexpected character in duration expression: 'b'"],
    ["a[?]", "1:3: parse error: unexpected character in duration expression: '?'"],
  ],
  "numbers, durations, strings": [
    ["1__0", '1:1: parse error: bad number or duration syntax: "1__0"'],
    ["1_", '1:1: parse error: bad number or duration syntax: "1_"'],
    ["0x", '1:1: parse error: bad number or duration syntax: "0x"'],
    ["5foo", '1:1: parse error: bad number or duration syntax: "5foo"'],
    ["1e999", '1:1: parse error: error parsing number: "1e999" is out of range'],
    ["a[5mm]", '1:3: parse error: bad number or duration syntax: "5mm"'],
    ["1m30", '1:1: parse error: bad number or duration syntax: "1m30"'],
    ["1.5h", '1:1: parse error: not a valid duration string: "1.5h"'],
    ["0x5m", '1:1: parse error: not a valid duration string: "0x5m"'],
    ["a[1m1h]", '1:3: parse error: not a valid duration string: "1m1h"'],
    ["300y", "1:1: parse error: duration out of range"],
    ["a[1e10]", "1:3: parse error: duration out of range"],
    ["a[0]", "1:3: parse error: duration must be greater than 0"],
    ["a[5m:-1m]", "1:6: parse error: duration must be greater than 0"],
    ["a offset NaN", "1:10: parse error: duration out of range"],
    ["a[5m / 0]", "1:8: parse error: division by zero"],
    ["a[5m % 0s]", "1:8: parse error: modulo by zero"],
    ['"a', "1:1: parse error: unterminated quoted string"],
    ['"a\nb"', "1:1: parse error: unterminated quoted string"],
    ["`a", "1:1: parse error: unterminated raw string"],
    [String.raw`"ab\q"`, "1:4: parse error: unknown escape sequence U+0071 'q'"],
    [String.raw`"\'"`, "1:2: parse error: unknown escape sequence U+0027 '''"],
    [String.raw`"\ud800"`, "1:2: parse error: escape sequence is an invalid Unicode code point"],
    [String.raw`"\x4"`, "1:2: parse error: escape sequence \\x needs 2 digits"],
    [String.raw`"\18"`, "1:2: parse error: invalid octal escape sequence"],
    [String.raw`"\400"`, "1:2: parse error: invalid octal escape sequence"],
  ],
  selectors: [
    ["a{b}", '1:4: parse error: unexpected "}" in label matching, expected label matching operator'],
    ["a{b=}", '1:5: parse error: unexpected "}" in label matching, expected string'],
    ["a{,}", '1:3: parse error: unexpected "," in label matching, expected identifier or "}"'],
    ['a{b="c" d="e"}', '1:9: parse error: unexpected identifier "d" in label matching, expected "," or "}"'],
    ['a{b=~"("}', "1:3: parse error: error parsing regexp: missing closing ): `(`"],
    ["{}", "1:1: parse error: vector selector must contain at least one non-empty matcher"],
    ['1 + {a=~".*"}', "1:5: parse error: vector selector must contain at least one non-empty matcher"],
    ['a{__name__="b"}', '1:1: parse error: metric name must not be set twice: "a" or "b"'],
    ['a{"b"}', '1:1: parse error: metric name must not be set twice: "a" or "b"'],
    ["(a)[5m]", "1:4: parse error: ranges only allowed for vector selectors"],
    ["a[5m:1m:1m]", "1:8: parse error: unexpected colon ':'"],
    ["a[:1m]", "1:3: parse error: unexpected colon before duration in duration expression"],
    ["a[5m][5m:]", "1:1: parse error: subquery is only allowed on instant vector, got matrix instead"],
    ["1[5m:]", "1:1: parse error: subquery is only allowed on instant vector, got scalar instead"],
    ["a offset 5m[5m]", "1:12: parse error: no offset modifiers allowed before range"],
    ["a @ 5 [5m]", "1:7: parse error: no @ modifiers allowed before range"],
    ["a offset 1m offset 2m", "1:1: parse error: offset may not be set multiple times"],
    ["a @ 1 @ start()", "1:1: parse error: @ <timestamp> may not be set multiple times"],
    ["a @ 1e20", "1:1: parse error: timestamp out of bounds for @ modifier: 1e20"],
    ["a @ -Inf", "1:1: parse error: timestamp out of bounds for @ modifier: -Inf"],
    [
      "sum(a) offset 5m",
      "1:1: parse error: offset modifier must be preceded by an instant vector selector or range vector selector or a subquery",
    ],
    ["(a) @ 5", "1:1: parse error: @ modifier must be preceded by an instant vector selector or range vector selector or a subquery"],
    ["a smoothed anchored", "1:1: parse error: anchored and smoothed modifiers cannot be used together"],
    ["a[5m:] anchored", "1:1: parse error: anchored modifier is not supported for subqueries"],
    ["1 smoothed", "1:1: parse error: smoothed modifier must be preceded by an instant vector selector or range vector selector"],
  ],
  "types of operators": [
    ["1 > 2", "1:3: parse error: comparisons between scalars must use BOOL modifier"],
    ["a + bool b", "1:3: parse error: bool modifier can only be used on comparison operators"],
    ["1 and a", '1:1: parse error: set operator "and" not allowed in binary scalar expression'],
    ["a or 1", '1:1: parse error: set operator "or" not allowed in binary scalar expression'],
    ["1 + on(x) a", "1:1: parse error: vector matching only allowed between instant vectors"],
    ["1 + fill(0) a", "1:1: parse error: filling in missing series only allowed between instant vectors"],
    ["a and fill(0) b", "1:1: parse error: filling in missing series not allowed for set operators"],
    ["a and on(x) group_left b", '1:1: parse error: no grouping allowed for "and" operation'],
    ["a + on(x) group_left(x) b", '1:3: parse error: label "x" must not occur in ON and GROUP clause at once'],
    ["a + b[5m]", "1:5: parse error: binary expression must contain only scalar and instant vector types"],
    ['"a" + a', "1:1: parse error: binary expression must contain only scalar and instant vector types"],
    ["-a[5m]", '1:1: parse error: unary expression only allowed on expressions of type scalar or instant vector, got "range vector"'],
    ['+"a"', '1:1: parse error: unary expression only allowed on expressions of type scalar or instant vector, got "string"'],
  ],
  "calls and aggregations": [
    ["nothing(a)", '1:1: parse error: unknown function with name "nothing"'],
    ["Rate(a[5m])", '1:1: parse error: unknown function with name "Rate"'],
    ["STEP()", '1:1: parse error: unknown function with name "STEP"'],
    ["rate()", '1:1: parse error: expected 1 argument(s) in call to "rate", got 0'],
    ["round()", '1:1: parse error: expected at least 1 argument(s) in call to "round", got 0'],
    ["round(a, 1, 2)", '1:1: parse error: expected at most 2 argument(s) in call to "round", got 3'],
    ["rate(a)", '1:6: parse error: expected type range vector in call to function "rate", got instant vector'],
    ['label_join(a, "b", "c", 1)', '1:25: parse error: expected type string in call to function "label_join", got scalar'],
    ["label_join(a, 'b', 'c', 'd', 1)", '1:30: parse error: expected type string in call to function "label_join", got scalar'],
    ["a + fill_right(1) fill_right(2) b", '1:29: parse error: unexpected "("'],
    ["vector(a)", '1:8: parse error: expected type scalar in call to function "vector", got instant vector'],
    ["info(a, b)", "1:9: parse error: expected label selectors only, got vector selector instead"],
    ['info(a, ({b="c"}))', "1:9: parse error: expected label selectors only"],
    ["sum()", "1:1: parse error: no arguments for aggregate expression provided"],
    ["sum(a, b)", "1:1: parse error: wrong number of arguments for aggregate expression provided, expected 1, got 2"],
    ["topk(a)", "1:1: parse error: wrong number of arguments for aggregate expression provided, expected 2, got 1"],
    ["sum(1)", "1:5: parse error: expected type instant vector in aggregation expression, got scalar"],
    ["topk(a, a)", "1:6: parse error: expected type scalar in aggregation parameter, got instant vector"],
    ["count_values(1, a)", "1:14: parse error: expected type string in aggregation parameter, got scalar"],
  ],
};

for (const [about, cases] of Object.entries(FAULTS))
  describe(`faults: ${about}`, () => {
    test.each(cases)("%j", (text, said) => expect(told(text)).toBe(said));
  });

test("faults: tell syntax errors from semantic errors", () => {
  expect(parse("sum(1")).toMatchObject({ concerns: "form" });
  for (const text of ["sum(1)", "{}", "a[0]", "a offset 1 offset 2"]) expect(parse(text)).toMatchObject({ concerns: "meaning" });
});

test("faults: a syntax error is reported before a type error", () => {
  expect(told("sum(1) + )")).toContain("unexpected right parenthesis");
  expect(told("sum(1) + abs(2)")).toContain("aggregation expression");
});
