import { expect, test } from "vitest";
import { Labels, Matcher } from "../model/index.ts";
import { type Exemplar, ExemplarStore } from "./exemplars.ts";

const A = Labels.of({ __name__: "a", job: "x" });
const B = Labels.of({ __name__: "b", job: "x" });
const at = (time: number, trace = "t"): Exemplar => ({ labels: Labels.of({ trace }), value: time, time });
const named = (name: string): Matcher[] => [new Matcher("__name__", "=", name)];
const times = (store: ExemplarStore, sets: Matcher[][], start = 0, end = 1e9): number[][] =>
  [...store.select(sets, start, end)].map(({ exemplars }) => exemplars.map(({ time }) => time));

test("selects by matchers and time, each series once", () => {
  const store = new ExemplarStore(10);
  for (const time of [1, 2, 3]) store.add(A, at(time));
  store.add(B, at(2));
  expect(times(store, [named("a"), [new Matcher("job", "=", "x")]])).toEqual([[1, 2, 3], [2]]);
  expect(times(store, [named("a")], 2, 2)).toEqual([[2]]);
  expect(times(store, [named("a")], 4)).toEqual([]);
});

test("takes neither the last one of a series again nor an older one", () => {
  const store = new ExemplarStore(10);
  expect([at(5), at(5), at(5, "other"), at(4)].map((one) => store.add(A, one))).toEqual([true, false, true, false]);
  expect(store.add(B, at(4))).toBe(true);
  // Without a time of its own the same one is no news; with one it is.
  expect([store.add(B, { ...at(4), time: 6 }, false), store.add(B, { ...at(4), time: 6 })]).toEqual([false, true]);
});

test("forgets the oldest of all beyond its limit, which may change", () => {
  const store = new ExemplarStore(3);
  store.add(B, at(1));
  for (let time = 1; time <= 100; time++) store.add(A, at(time));
  expect(times(store, [named("a"), named("b")])).toEqual([[98, 99, 100]]);
  store.capacity = 1;
  expect([store.count, times(store, [named("a")])]).toEqual([1, [[100]]]);
  store.capacity = 0;
  expect([store.count, store.add(A, at(101))]).toEqual([0, false]);
});
