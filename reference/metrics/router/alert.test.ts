import { describe, expect, test } from "vitest";
import { Labels } from "../model/index.ts";
import { type Alert, compareAlerts, compareSets, isResolved, merged, settledAlert } from "./alert.ts";
import { fingerprintOf } from "./fingerprint.ts";

const NOW = 1_000;
const alert = (startsAt: number, endsAt: number, more: Partial<Alert> = {}): Alert => ({
  labels: Labels.of({ alertname: "A" }),
  annotations: Labels.NONE,
  startsAt,
  endsAt,
  isPresumed: false,
  updatedAt: NOW,
  generatorUrl: "",
  fingerprint: "",
  ...more,
});
const times = ({ startsAt, endsAt }: Alert): readonly [number, number] => [startsAt, endsAt];

describe("the times of a posted alert", () => {
  const settled = (startsAt?: number, endsAt?: number): readonly unknown[] | undefined => {
    const found = settledAlert(
      { labels: Labels.of({ a: "b" }), annotations: Labels.NONE, generatorUrl: "u", startsAt, endsAt },
      { now: NOW, resolveTimeoutMs: 300 },
    );
    return found && [found.startsAt, found.endsAt, found.isPresumed, found.updatedAt];
  };
  test.each<[number | undefined, number | undefined, readonly unknown[] | undefined]>([
    [undefined, undefined, [1_000, 1_300, true, 1_000]],
    [900, undefined, [900, 1_300, true, 1_000]],
    [900, 950, [900, 950, false, 1_000]],
    [undefined, 950, [950, 950, false, 1_000]],
    [undefined, 1_500, [1_000, 1_500, false, 1_000]],
    [900, 900, [900, 900, false, 1_000]],
    [900, 899, undefined],
    [1_301, undefined, undefined],
  ])("from %s to %s", (startsAt, endsAt, expected) => {
    expect(settled(startsAt, endsAt)).toEqual(expected);
  });
  test("an alert has ended at its end", () => {
    expect([isResolved({ endsAt: 10 }, 9), isResolved({ endsAt: 10 }, 10), isResolved({ endsAt: 10 }, 11)]).toEqual([false, true, true]);
  });
});

describe("an alert that comes again", () => {
  test.each<[string, Alert, Alert, readonly [number, number]]>([
    ["a later one with no time in common takes the place", alert(100, 200), alert(300, 1_300), [300, 1_300]],
    ["one that begins when the other ends has no time in common", alert(100, 200), alert(200, 1_300), [200, 1_300]],
    ["one that begins before the other ends keeps the first begin", alert(100, 200), alert(199, 1_300), [100, 1_300]],
    ["one that ends when the other begins has no time in common", alert(100, 2_000), alert(50, 100), [50, 100]],
    ["one that ends after the other begins is joined", alert(100, 2_000), alert(50, 101), [50, 101]],
    ["one with the same begin and end takes the place", alert(100, 2_000), alert(100, 2_000), [100, 2_000]],
    ["the earlier begin counts", alert(100, 2_000), alert(50, 1_900), [50, 2_000]],
    ["of two that go on the later end counts", alert(100, 2_000), alert(150, 1_900), [100, 2_000]],
    ["a presumed end gives way", alert(100, 2_000, { isPresumed: true }), alert(150, 1_900), [100, 1_900]],
    ["one that has ended ends one that goes on", alert(100, 2_000), alert(150, 900), [100, 900]],
    ["of two that have ended the later end counts", alert(100, 900), alert(150, 800), [100, 900]],
    ["of two that have ended the later end counts, if it comes later too", alert(100, 800), alert(150, 900), [100, 900]],
    ["one that goes on opens one that has ended", alert(100, 900), alert(150, 1_500), [100, 1_500]],
  ])("%s", (_, before, after, expected) => {
    expect(times(merged(before, after))).toEqual(expected);
  });
  test("the rest is that of the later one", () => {
    const after = alert(150, 1_500, { generatorUrl: "new", annotations: Labels.of({ a: "b" }), isPresumed: true, updatedAt: 1_100 });
    expect(merged(alert(100, 1_200, { generatorUrl: "old" }), after)).toMatchObject({
      generatorUrl: "new",
      isPresumed: true,
      updatedAt: 1_100,
    });
  });
});

describe("orders", () => {
  const sorted = (all: readonly Record<string, string>[], by: typeof compareAlerts): string[] =>
    all
      .map((labels) => ({ labels: Labels.of(labels) }))
      .sort(by)
      .map(({ labels }) => String(labels));
  test("alerts are sorted by job, then by instance, then by all labels", () => {
    const all = [
      { z: "1" },
      { job: "b" },
      { job: "a", instance: "2" },
      { job: "a", instance: "1", x: "y" },
      { a: "2" },
      { job: "a", instance: "1" },
      { a: "1" },
    ];
    expect(sorted(all, compareAlerts)).toEqual([
      '{z="1"}',
      '{a="1"}',
      '{a="2"}',
      '{instance="1", job="a"}',
      '{instance="1", job="a", x="y"}',
      '{instance="2", job="a"}',
      '{job="b"}',
    ]);
  });
  test("of two sets the smaller comes first, then the one that lacks the first name, then the smaller value", () => {
    const order = (a: Record<string, string>, b: Record<string, string>): number => Math.sign(compareSets(Labels.of(a), Labels.of(b)));
    expect([
      order({ z: "9" }, { a: "1", b: "1" }),
      order({ a: "1", b: "1" }, { z: "9" }),
      order({ a: "1" }, { b: "1" }),
      order({ b: "1" }, { a: "1" }),
      order({ a: "1", c: "2" }, { a: "1", c: "1" }),
      order({ a: "1", c: "1" }, { a: "1", c: "2" }),
      order({ a: "1" }, { a: "1" }),
    ]).toEqual([-1, 1, 1, -1, 1, -1, 0]);
  });
});

test.each<[Record<string, string>, string]>([
  [{}, "cbf29ce484222325"],
  [{ alertname: "A" }, "d2c6efc389df0927"],
  [{ zone: "x", alertname: "A", i: "ä☂" }, "909015f4d9dbf3ed"],
])("the fingerprint of %j is FNV-1a over its names and values", (labels, expected) => {
  expect(fingerprintOf(Labels.of(labels))).toBe(expected);
});
