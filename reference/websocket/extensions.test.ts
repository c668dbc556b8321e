import fc from "fast-check";
import { expect, test } from "vitest";
import { readExtensions, writeExtensions, type Extension, type Parameter } from "./extensions.ts";

const say = (...lines: readonly string[]): string | undefined => {
  const list = readExtensions(lines);
  return list === undefined ? undefined : writeExtensions(list);
};

test.each([
  ["permessage-deflate", "permessage-deflate"],
  ["a;b;c=1", "a; b; c=1"],
  [" a ;\tb = 1 , c ", "a; b=1, c"],
  ['a; b="1"', "a; b=1"],
  ['a; b="\\1\\x"', "a; b=1x"],
  ["a,,b", "a, b"],
  [", a", "a"],
  ["a; b; b=2", "a; b; b=2"],
])("readExtensions(): parses %s (rfc6455#9.1)", (line, told) => {
  expect(say(line)).toBe(told);
});

test("readExtensions(): joins several lines", () => {
  expect(say("a; b=1", "c")).toBe("a; b=1, c");
  expect(say()).toBe("");
});

test.each([
  "",
  " ",
  ",",
  "a b",
  "a;",
  "a; ",
  ";b",
  "a; =1",
  "a; b=",
  "a; b=1 2",
  'a; b="',
  'a; b=""',
  'a; b="1 2"',
  'a; b="1,2"',
  'a; b="1"c',
  'a; b=1"2"',
  "a; b=c=d",
  "ä",
  "a/b",
  `a${"; b".repeat(100)}`,
  "a,".repeat(100),
])("readExtensions(): refuses %j", (line) => {
  expect(say(line)).toBeUndefined();
  expect(say("a", line)).toBeUndefined();
});

const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,10}$/);
test("writeExtensions(): parses back to the same list", () => {
  const parameter: fc.Arbitrary<Parameter> = fc.tuple(token, fc.oneof(token, fc.constant<true>(true)));
  const list: fc.Arbitrary<Extension[]> = fc.array(fc.record({ name: token, parameters: fc.array(parameter, { maxLength: 4 }) }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(list, (extensions) => {
      expect(readExtensions([writeExtensions(extensions)])).toEqual(extensions);
    }),
  );
});
test("readExtensions(): never throws, whatever the text", () => {
  const signs = fc.string({ unit: fc.constantFrom("a", ";", ",", "=", '"', "\\", " ") });
  fc.assert(
    fc.property(fc.oneof(fc.string(), signs), (line) => {
      const list = readExtensions([line]);
      expect(list === undefined || list.every(({ name }) => name !== "")).toBe(true);
    }),
  );
});
