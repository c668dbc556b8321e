import { describe, expect, test } from "vitest";
import { isUlid, parseMeta, printMeta, ulid } from "./meta.ts";

const GOOD = { ulid: "01HFCV0000000000000000000A", minTime: -5, maxTime: 9, version: 1 };
const parse = (value: unknown) =>
  parseMeta("meta.json", new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)));

describe("meta.json", () => {
  test("reads back what was written", () => {
    const meta = {
      ...GOOD,
      stats: { numSamples: 1, numSeries: 2, numChunks: 3, numTombstones: 4 },
      compaction: { level: 2, sources: [GOOD.ulid], parents: [{ ulid: GOOD.ulid, minTime: 1, maxTime: 2 }], failed: true, hints: ["x"] },
      version: 1,
    } as const;
    expect(parseMeta("x", printMeta(meta))).toEqual(meta);
    expect(new TextDecoder().decode(printMeta(meta))).toContain('\n\t"minTime": -5,\n');
  });

  test("may lack the counts and have unknown members", () => {
    expect(parse({ ...GOOD, thanos: { a: 1 }, compaction: { level: 0, sources: [1, "a"], parents: [3, { ulid: "b" }] } })).toEqual({
      ...GOOD,
      thanos: { a: 1 },
      stats: { numSamples: 0, numSeries: 0, numChunks: 0 },
      compaction: { level: 1, sources: ["a"], parents: [{ ulid: "b" }] },
    });
  });

  test.each([
    ["", "Unexpected end of JSON input"],
    ["[1]", "it is not a JSON object"],
    ["null", "it is not a JSON object"],
    [{ ...GOOD, version: 0 }, "its version is invalid"],
    [{ ...GOOD, ulid: "01HFCV000000000000000000" }, "its ulid is invalid"],
    [{ ...GOOD, ulid: 5 }, "its ulid is invalid"],
    [{ ...GOOD, minTime: "1" }, "its minTime is not a time"],
    [{ ...GOOD, maxTime: 1.5 }, "its maxTime is not a time"],
  ])("%j is damage", (value, what) => {
    expect(() => parse(value)).toThrow(`meta.json is damaged at 0: ${what}.`);
  });

  test("of a later version: an unknown format, not damage", () => {
    expect(() => parse({ ...GOOD, version: 2 })).toThrow("meta.json has an unknown format: version 2 is unknown.");
  });
});

describe("the name of a block", () => {
  test("consists of the time and the random octets", () => {
    expect(ulid(0, new Uint8Array(16))).toBe("00000000000000000000000000");
    // The example of the ULID specification: 1469918176385 is 01ARYZ6S41.
    expect(
      ulid(
        1_469_918_176_385,
        Uint8Array.from({ length: 16 }, (_, at) => at * 2 + 33),
      ),
    ).toBe("01ARYZ6S4113579BDFHKNQSVXZ");
    expect(ulid(5, new Uint8Array(16)) < ulid(6, new Uint8Array(16))).toBe(true);
  });

  test("is distinguished from other names", () => {
    expect(
      [
        "01ARYZ6S4113579BDFHKNQSVXZ",
        "01ARYZ6S4113579BDFHKNQSVXI",
        "81ARYZ6S4113579BDFHKNQSVXZ",
        "01aryz6s4113579bdfhknqsvxz",
        "wal",
        "",
      ].map(isUlid),
    ).toEqual([true, false, false, false, false, false]);
  });
});
