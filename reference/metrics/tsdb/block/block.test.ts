import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareLabels, Labels, Matcher } from "../../model/index.ts";
import { ALL, emptyFiles, type Held, heldBy, openBlock, ULIDS, writeHeld } from "./testing.ts";

const [ulid = ""] = ULIDS;

/** Few labels, so that matchers match some; one name has more values than memory keeps. */
const labels = fc
  .tuple(fc.constantFrom("up", "http_requests_total"), fc.option(fc.constantFrom("a", "b", "ä\u{10000}")), fc.nat(120))
  .map(([metric, job, instance]) => {
    const pairs = { __name__: metric, ...(job === null ? {} : { job }), instance: `host-${instance}` };
    return JSON.stringify(Labels.of(pairs));
  });
const samples = fc
  .array(fc.tuple(fc.nat(5_000_000), fc.integer()), { minLength: 1, maxLength: 300 })
  .map((list) => [...new Map(list)].sort(([a], [b]) => a - b));
const held = fc.dictionary(labels, samples, { minKeys: 1, maxKeys: 60 });
const matcher = fc.constantFrom(
  new Matcher("__name__", "=", "up"),
  new Matcher("__name__", "!=", "up"),
  new Matcher("job", "=", ""),
  new Matcher("job", "!=", ""),
  new Matcher("job", "=~", "a|b"),
  new Matcher("job", "!~", "a|b"),
  new Matcher("job", "=~", "a|"),
  new Matcher("instance", "=~", "host-1.*"),
  new Matcher("instance", "!~", "host-1.*"),
  new Matcher("instance", "=~", ".+7"),
  new Matcher("instance", "=", "host-33"),
  new Matcher("none", "=~", ".*"),
  new Matcher("none", "!=", ""),
);

/** The expected result, by testing each series. */
function expected(all: Held, matchers: readonly Matcher[], start: number, end: number): Held {
  const found: Record<string, (readonly [number, number])[]> = {};
  for (const [key, list] of Object.entries(all)) {
    const pairs = Labels.of(JSON.parse(key) as Record<string, string>);
    const part = list.filter(([time]) => time >= start && time <= end);
    if (part.length > 0 && matchers.every((one) => one.matches(pairs.get(one.name)))) found[key] = part;
  }
  return found;
}

describe("a block", () => {
  test("returns the written samples that match, in a time range, in the order of labels", () => {
    fc.assert(
      fc.property(held, fc.array(matcher, { minLength: 1, maxLength: 3 }), fc.nat(5_000_000), fc.nat(5_000_000), (all, matchers, a, b) => {
        const files = emptyFiles();
        writeHeld(files, all, { ulid, segmentLimit: 2_000 });
        const { block, reports } = openBlock(files, ulid);
        const found = heldBy(block.querier(), matchers, Math.min(a, b), Math.max(a, b));
        expect(found).toEqual(expected(all, matchers, Math.min(a, b), Math.max(a, b)));
        const order = Object.keys(heldBy(block.querier())).map((key) => Labels.of(JSON.parse(key) as Record<string, string>));
        expect(order).toEqual([...order].sort(compareLabels));
        expect(reports).toEqual([]);
        expect(block.meta.stats.numSamples).toBe(Object.values(all).reduce((sum, list) => sum + list.length, 0));
      }),
      { numRuns: 60 },
    );
  });

  test("lists label names and values, of all series or of matching ones", () => {
    const files = emptyFiles();
    const all = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`{"a":"${at}","${at % 2 === 0 ? "even" : "odd"}":"x"}`, [[at, at] as const]]),
    );
    writeHeld(files, all, { ulid });
    const querier = openBlock(files, ulid).block.querier();
    expect(querier.labelNames([], 0, 1_000)).toEqual(["a", "even", "odd"]);
    expect(querier.labelNames([[new Matcher("a", "=", "7")]], 0, 1_000)).toEqual(["a", "odd"]);
    expect(querier.labelValues("a", [], 0, 1_000)).toHaveLength(100);
    expect(querier.labelValues("a", [[new Matcher("odd", "=", "x")], [new Matcher("a", "=", "2")]], 0, 9)).toEqual([
      "1",
      "2",
      "3",
      "5",
      "7",
      "9",
    ]);
    expect([...querier.select([ALL], 0, 1_000, { limit: 3 })]).toHaveLength(3);
  });

  test("hides deleted samples, also after reopening; an earlier query still shows them", () => {
    fc.assert(
      fc.property(held, matcher, fc.nat(5_000_000), fc.nat(5_000_000), (all, what, a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const files = emptyFiles();
        writeHeld(files, all, { ulid });
        const { block } = openBlock(files, ulid);
        const before = block.querier();
        block.delete([what], start, end);
        const kept = Object.fromEntries(
          Object.entries(all)
            .map(([key, list]) => {
              const matches = Object.keys(expected({ [key]: [[0, 0]] }, [what], 0, 0)).length > 0;
              return [key, matches ? list.filter(([time]) => time < start || time > end) : list] as const;
            })
            .filter(([, list]) => list.length > 0),
        );
        expect(heldBy(before)).toEqual(all);
        expect(heldBy(block.querier())).toEqual(kept);
        const listed = Array.from(block.querier().select([ALL], -Infinity, Infinity), (series) => JSON.stringify(series.labels));
        expect(listed.filter((key) => !(key in kept) && (all[key]?.length ?? 0) <= 120)).toEqual([]);
        expect(heldBy(openBlock(files, ulid).block.querier())).toEqual(kept);
      }),
      { numRuns: 60 },
    );
  });

  test("removed during a query: the query reads it to the end", () => {
    const files = emptyFiles();
    writeHeld(files, { '{"a":"b"}': [[1, 2]] }, { ulid });
    const { block } = openBlock(files, ulid);
    const querier = block.querier();
    block.close();
    expect(heldBy(querier)).toEqual({ '{"a":"b"}': [[1, 2]] });
  });

  test("with more symbols and longer tables than memory keeps: every series has its own labels", () => {
    const files = emptyFiles();
    const all: Record<string, [number, number][]> = Object.fromEntries(
      Array.from({ length: 9_000 }, (_, at) => [`{"a":"a-${at}","b":"b-${at}","c":"${at % 5}"}`, [[at, at]]]),
    );
    writeHeld(files, all, { ulid });
    const { block, reports } = openBlock(files, ulid);
    expect(heldBy(block.querier(), [new Matcher("a", "=~", ".+"), new Matcher("b", "=~", "b.+")])).toEqual(all);
    // These lists evict the page of the table.
    expect(heldBy(block.querier(), [new Matcher("c", "=~", "[0-4]")])).toEqual(all);
    for (const at of [0, 31, 32, 33, 4_999, 8_999]) {
      const key = `{"a":"a-${at}","b":"b-${at}","c":"${at % 5}"}`;
      expect(heldBy(block.querier(), [new Matcher("b", "=", `b-${at}`)])).toEqual({ [key]: all[key] });
    }
    expect([
      heldBy(block.querier(), [new Matcher("b", "=", "b-")]),
      heldBy(block.querier(), [new Matcher("b", "=", "c")]),
      reports,
    ]).toEqual([{}, {}, []]);
  });

  test("splits its chunks into segments", () => {
    const files = emptyFiles();
    const all = { '{"a":"b"}': Array.from({ length: 500 }, (_, at): [number, number] => [at, Math.sin(at)]) };
    writeHeld(files, all, { ulid, segmentLimit: 2_000 });
    const sizes = files.list(`data/${ulid}/chunks`).map((name) => files.open(`data/${ulid}/chunks/${name}`, "read").size());
    expect([sizes.length, Math.max(...sizes) <= 2_000, Math.min(...sizes) > 100]).toEqual([4, true, true]);
    expect(heldBy(openBlock(files, ulid).block.querier())).toEqual(all);
  });

  test("without samples is not written", () => {
    const files = emptyFiles();
    writeHeld(files, {}, { ulid, minTime: 0, maxTime: 1 });
    expect(files.list("data")).toEqual([]);
  });
});
