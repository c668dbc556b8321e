import { expect, test } from "vitest";
import { percentDecode, percentEncode } from "./percent.ts";

test.each([
  ["", ""],
  ['plain text, "quoted" ~ /?&+', 'plain text, "quoted" ~ /?&+'],
  ["100%", "100%25"],
  ["%41", "%2541"],
  ["a\r\nb\t\u007f", "a%0D%0Ab%09%7F"],
  ["\0", "%00"],
  ["até 再见 😀", "at%C3%A9 %E5%86%8D%E8%A7%81 %F0%9F%98%80"],
  ["\ufeffa", "%EF%BB%BFa"],
  ["~é ", "~%C3%A9%20"],
  [" a  b ", "%20a  b%20"],
  [" ", "%20"],
  ["  ", "%20%20"],
])("%j is written as %j, and read back", (message, value) => {
  expect(percentEncode(message)).toBe(value);
  expect(percentDecode(value)).toBe(message);
});

test("a lone surrogate becomes U+FFFD", () => {
  expect(percentEncode("a\ud800b")).toBe("a%EF%BF%BDb");
});

test.each([
  ["%", "%"],
  ["100%", "100%"],
  ["%4", "%4"],
  ["%zz", "%zz"],
  ["%4g%41", "%4gA"],
  ["%%41", "%A"],
  ["%c3%a9", "é"],
  ["%C3", "\ufffd"],
  ["%FFa", "\ufffda"],
  ["+", "+"],
  ["\u00c3\u00a9%41", "éA"],
])("the value %j is read as %j", (value, message) => {
  expect(percentDecode(value)).toBe(message);
});
