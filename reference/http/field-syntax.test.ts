import { expect, test } from "vitest";
import {
  isFieldValue,
  isLowerToken,
  isParameters,
  isScheme,
  isTarget,
  isToken,
  parseDecimal,
  parseTokens,
  trimSpace,
} from "./field-syntax.ts";

const char = (octet: number): string => String.fromCharCode(octet);
const octets = Array.from({ length: 256 }, (_, octet) => octet);

test("isToken(): visible ASCII without delimiters; isLowerToken(): without capitals too", () => {
  const tokens = octets
    .filter((octet) => isToken(char(octet)))
    .map(char)
    .join("");
  expect(tokens).toBe("!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~");
  const lower = octets
    .filter((octet) => isLowerToken(char(octet)))
    .map(char)
    .join("");
  expect(lower).toBe(tokens.replace(/[A-Z]/g, ""));
  expect([isToken(""), isLowerToken(""), isToken("a b"), isToken("a:"), isLowerToken("ab\u0100")]).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("isFieldValue(): no control except HTAB, and no white space at either end", () => {
  const refused = octets.filter((octet) => !isFieldValue(`a${char(octet)}b`));
  expect(refused).toEqual([...octets.slice(0, 9), ...octets.slice(10, 32), 0x7f]);
  expect(["", "a", "a b", "a\tb"].map(isFieldValue)).toEqual([true, true, true, true]);
  expect([" a", "a ", "\ta", "a\t", " ", "a\u0100"].map(isFieldValue)).toEqual([false, false, false, false, false, false]);
});

test("isTarget(): no white space, control or fragment", () => {
  expect(octets.filter((octet) => !isTarget(char(octet)))).toEqual([...octets.slice(0, 33), 0x23, 0x7f]);
});

test.each([
  ["http", true],
  ["https", true],
  ["HTTP", true],
  ["coap+tcp", true],
  ["", false],
  ["1x", false],
  ["a b", false],
  ["http:", false],
])("isScheme(%j) is %s", (text, valid) => {
  expect(isScheme(text)).toBe(valid);
});

test.each([
  ["0", 0],
  ["007", 7],
  ["999999999999999", 999_999_999_999_999],
  ["", -1],
  ["-1", -1],
  ["+1", -1],
  ["1.0", -1],
  ["1e3", -1],
  ["0x10", -1],
  ["5, 5", -1],
  [" 5", -1],
  ["9999999999999999", -1],
])("parseDecimal(%j) is %s", (text, value) => {
  expect(parseDecimal(text)).toBe(value);
});

test.each([
  ["", []],
  ["a", ["a"]],
  ["A, b ,\tC", ["a", "b", "c"]],
  [",, a,,b,", ["a", "b"]],
  ["a b", undefined],
  ["a;b", undefined],
  ['"a"', undefined],
  ["a,\u00e9", undefined],
])("parseTokens(%j) is %j", (text, tokens) => {
  expect(parseTokens(text)).toEqual(tokens);
});

test.each([
  ["", true],
  [";a", true],
  [";a=b;c", true],
  [' ; a = "b\\"c;d" \t;e', true],
  [';a=""', true],
  [';a="\u00ff"', true],
  [";", false],
  [";a=", false],
  ["a", false],
  [";a;", false],
  [";a b", false],
  [';a="b', false],
  [';a="b"c', false],
  [';a="\\"', false],
  [';a="\r"', false],
  [";a ", false],
])("isParameters(%j) is %s", (text, are) => {
  expect(isParameters(text)).toBe(are);
});

test("trimSpace(): removes spaces and tabs, and no other white space", () => {
  expect(trimSpace(" \t a b\t ")).toBe("a b");
  expect(trimSpace(" \t")).toBe("");
  expect(trimSpace("\u00a0a\v")).toBe("\u00a0a\v");
});
