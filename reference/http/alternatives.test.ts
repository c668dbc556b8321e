import { expect, test } from "vitest";
import { formatAlternative, parseAlternatives } from "./alternatives.ts";

const h3 = { alpn: "h3", host: "", port: 443, seconds: 86_400 };

test.each([
  ['h3=":443"', [h3]],
  ['h3=":443"; ma=60', [{ ...h3, seconds: 60 }]],
  ['h3=":443";ma="60"; persist=1', [{ ...h3, seconds: 60 }]],
  ['h3=":443"; unknown="a,b;c"; ma=0', [{ ...h3, seconds: 0 }]],
  [' h3-29="alt.example:8443" , h3=":443"\t', [{ ...h3, alpn: "h3-29", host: "alt.example", port: 8443 }, h3]],
  ['h3="[2001:db8::1]:443"', [{ ...h3, host: "[2001:db8::1]" }]],
  ['w%3Dx%3Ay%23z="a\\b:1"', [{ alpn: "w=x:y#z", host: "ab", port: 1, seconds: 86_400 }]],
  ["clear", []],
  ['h3=":443", clear', []],
  ['clear, h3=":443"', []],
])("%j names %j", (text, expected) => expect(parseAlternatives(text)).toEqual(expected));

test.each([
  "",
  "h3",
  "h3=443",
  "h3=:443",
  'h3=":0"',
  'h3=":65536"',
  'h3="443"',
  'h3="a:b:443"',
  'h3=":443"; ma=soon',
  'h3=":443" ma=1',
  'h3=":443" h2=":443"',
  'h3=":443',
  "Clear",
])("%j is malformed", (text) => expect(parseAlternatives(text)).toBeUndefined());

test("an alternative is read as it was written", () => {
  const alternative = { alpn: "h3", host: "alt.example", port: 8443, seconds: 60 };
  expect(formatAlternative(alternative)).toBe('h3="alt.example:8443"; ma=60');
  expect(parseAlternatives(formatAlternative(alternative))).toEqual([alternative]);
});

test("a value that never ends well is refused without long thought", () => {
  const value = `h3="${"\\a".repeat(50_000)}`;
  expect(parseAlternatives(value)).toBeUndefined();
  expect(parseAlternatives(`h3=":1"${"; a=b".repeat(50_000)}; `)).toBeUndefined();
});
