import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LabelOctets, Labels } from "./index.ts";

const encoder = new TextEncoder();

/** Adds labels that are adjacent in one array, as on a page. */
function told(labels: LabelOctets, pairs: readonly (readonly [string, string])[]): Labels {
  labels.clear();
  const lengths = pairs.map((pair) => pair.map((text) => encoder.encode(text).length) as [number, number]);
  const page = encoder.encode(pairs.flat().join(""));
  let at = 0;
  for (const [name, value] of lengths) {
    labels.add(page, at, at + name, at + name, at + name + value);
    at += name + value;
  }
  return labels.toLabels();
}

const text = fc.string({ unit: "grapheme", maxLength: 4 });
const name = fc.oneof(fc.constantFrom("a", "ab", "b", "é"), fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 }));

describe("labels as octets", () => {
  test("equal Labels.of() of the same pairs, whatever came before", () => {
    const labels = new LabelOctets();
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text), { maxLength: 8 }), (pairs) => {
        expect(told(labels, pairs).flat).toEqual(Labels.of(pairs).flat);
        expect(labels.size).toBe(Labels.of(pairs).size);
      }),
    );
  });

  test("a repeated name takes the last value, and an empty value removes it", () => {
    const labels = new LabelOctets();
    const pairs = [
      ["b", "1"],
      ["a", "2"],
      ["c", "3"],
      ["b", "4"],
      ["a", ""],
      ["d", ""],
    ] as const;
    expect(told(labels, pairs).flat).toEqual(["b", "4", "c", "3"]);
  });

  test("may come from several sources: the metric name, a page, and texts", () => {
    const labels = new LabelOctets();
    const page = encoder.encode("up{z=é}");
    labels.add(page, 3, 4, 5, 7);
    labels.addText("job", "");
    labels.addText("instance", "ünï");
    labels.addMetric(page, 0, 2);
    expect(labels.toLabels().flat).toEqual(["__name__", "up", "instance", "ünï", "z", "é"]);
  });

  test("grow without limit, and the longest text is known", () => {
    const labels = new LabelOctets();
    const pairs = Array.from({ length: 500 }, (_, at) => [`label_${(at * 7) % 500}`, `${at}`] as const);
    expect(told(labels, pairs).flat).toEqual(Labels.of(pairs).flat);
    expect(labels.longest).toBe("label_499".length);
    const few = [
      ["a", "éé"],
      ["b", "x"],
    ] as const;
    expect(told(labels, few).flat).toEqual(few.flat());
    expect(labels.longest).toBe(4);
  });
});
