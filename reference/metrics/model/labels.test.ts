import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareLabels, compareText, Labels } from "./index.ts";

const name = fc.string({ unit: "binary", minLength: 1, maxLength: 4 });
const labels = fc.dictionary(name, fc.string({ unit: "binary", maxLength: 3 })).map((pairs) => Labels.of(pairs));

describe("Labels", () => {
  test("are sorted by name, with the last value of each name and no empty value", () => {
    const given = [
      ["b", "1"],
      ["a", "2"],
      ["b", "3"],
      ["c", ""],
    ] as const;
    expect(Labels.of(given).flat).toEqual(["a", "2", "b", "3"]);
  });

  test("with(), only() and without() equal building new labels", () => {
    fc.assert(
      fc.property(labels, name, fc.string({ maxLength: 2 }), (one, key, value) => {
        const pairs = [...one];
        expect(one.with(key, value).flat).toEqual(Labels.of([...pairs, [key, value]]).flat);
        expect(one.only(new Set([key])).flat).toEqual(pairs.filter(([own]) => own === key).flat());
        expect(one.without(new Set([key])).flat).toEqual(one.with(key, "").flat);
      }),
    );
  });

  test("have equal keys, and compare as 0, exactly when they are equal", () => {
    fc.assert(
      fc.property(labels, labels, (a, b) => {
        expect(a.key === b.key).toBe(a.equals(b));
        expect(compareLabels(a, b) === 0).toBe(a.equals(b));
        expect(Math.sign(compareLabels(a, b))).toBe(-Math.sign(compareLabels(b, a)) + 0);
      }),
    );
  });

  test("print as a selector", () => {
    expect(Labels.of({ __name__: "up", job: 'a"b\\c\n' }).toString()).toBe('up{job="a\\"b\\\\c\\n"}');
    expect(Labels.of({ __name__: "http.requests", "my.label": "x" }).toString()).toBe('{"http.requests", "my.label"="x"}');
    expect(Labels.NONE.toString()).toBe("{}");
  });
});

test("compareText() orders like the octets of UTF-8", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
  expect(compareText("\u{10000}", "\uffff")).toBeGreaterThan(0);
});
