import fc from "fast-check";
import { expect, test } from "vitest";
import { Matcher } from "../model/index.ts";
import { matchersText, readMatchers } from "./matcher-text.ts";

const shown = (text: string): string => {
  const read = readMatchers(text);
  return "fault" in read ? "fault" : matchersText(read.matchers);
};

test.each([
  ["foo = bar", '{foo="bar"}'],
  ['foo="bar,baz"', '{foo="bar,baz"}'],
  ['{alertname="Watchdog", severity=~"warning|critical",}', '{alertname="Watchdog",severity=~"warning|critical"}'],
  ["{}", "{}"],
  ["", "{}"],
  ["foo!=bar, baz!~qu.x", '{foo!="bar",baz!~"qu.x"}'],
  ['"other name"="x"', '{"other name"="x"}'],
  ['Προμηθεύς="x"', '{Προμηθεύς="x"}'],
  [String.raw`foo="\xf0\x9f\x99\x82"`, String.raw`{foo="\\xf0\\x9f\\x99\\x82"}`],
  [String.raw`foo="a\"b\\c\nd"`, String.raw`{foo="a\"b\\c\nd"}`],
  // Only the older syntax allows these.
  ["foo=", '{foo=""}'],
  ["foo=bar baz", '{foo="bar baz"}'],
  [String.raw`foo=~\d+`, String.raw`{foo=~"\\d+"}`],
])("%j: is read as %j", (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test.each(["foo", "=x", "1a b=c", 'foo="x', 'foo=x"', 'foo="x"y', "{{a=b}}", 'foo=~"("', "a=b,,c=d"])("%j: is refused", (text) => {
  expect(shown(text)).toBe("fault");
});

test("any matchers: their text is read as the same matchers", () => {
  const one = fc.tuple(
    fc.string({ unit: "grapheme", minLength: 1 }),
    fc.constantFrom("=" as const, "!=" as const),
    fc.string({ unit: "grapheme" }),
  );
  fc.assert(
    fc.property(fc.array(one, { maxLength: 4 }), (rows) => {
      const text = matchersText(rows.map(([name, operator, value]) => new Matcher(name, operator, value)));
      expect(shown(text)).toBe(text);
    }),
  );
});

test("any text: no other error than a fault", () => {
  expect.assertions(0);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab={}!~,\"\\ x('\n") }), (text) => Object.keys(readMatchers(text)).length === 1),
  );
});
