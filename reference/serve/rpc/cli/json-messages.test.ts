import fc from "fast-check";
import { expect, test } from "vitest";
import { BadInput, JsonMessages, jsonMessages } from "./json-messages.ts";

test.each([
  ["", []],
  [" \n\t", []],
  ['{"a":1}', [{ a: 1 }]],
  ['{"a":1}{"a":2}', [{ a: 1 }, { a: 2 }]],
  ['{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
  ['{"a":"}\\"{"}[1]', [{ a: '}"{' }, [1]]],
  ['1 2\n"x""y" true', [1, 2, "x", "y", true]],
  ['{"a":{"b":[{}]}} {}', [{ a: { b: [{}] } }, {}]],
])("%j is its messages", (text, messages) => {
  expect(jsonMessages(text, 100)).toEqual(messages);
});

test("any values, wherever their text is cut, and whatever is between them", () => {
  const value = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()), fc.string());
  fc.assert(
    fc.property(fc.array(value), fc.constantFrom("", " ", "\n", "\r\n\t"), fc.integer({ min: 1, max: 9 }), (values, between, size) => {
      const text = values.map((one) => JSON.stringify(one)).join(between);
      const messages = new JsonMessages(100_000);
      const got: unknown[] = [];
      for (let at = 0; at < text.length; at += size) got.push(...messages.push(text.slice(at, at + size)));
      expect([...got, ...messages.end()]).toEqual(values.map((one) => JSON.parse(JSON.stringify(one))));
    }),
  );
});

test.each([
  ['{"a":1}{"a":}', "message 2 is not JSON"],
  ['{"a":1', "message 1 is not JSON"],
  ["}", "message 1 is not JSON"],
  ["nonsense", "message 1 is not JSON"],
  [`{"a":"${"x".repeat(100)}`, "message 1 is longer than 100 characters"],
])("%j is refused", (text, why) => {
  expect(() => jsonMessages(text, 100)).toThrow(BadInput);
  expect(() => jsonMessages(text, 100)).toThrow(why);
});
