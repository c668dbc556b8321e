import { describe, expect, test } from "vitest";
import { Labels, Matcher } from "../../model/index.ts";
import { emptyFiles } from "../block/testing.ts";
import type { Database } from "../index.ts";
import { HOUR, NOW, open } from "./testing.ts";

/** Names and values without a matcher, which come from the lists of series, and one by one for the newest series. */

function append(database: Database, from: number, to: number, time = NOW): void {
  const appender = database.appender();
  for (let at = from; at < to; at++)
    appender.append(appender.series(Labels.of({ __name__: `m${at % 3}`, instance: `host-${at}`, [`n${at % 4}`]: "x" })), time, at);
  appender.commit();
}
const NAMES = ["__name__", "instance", "n0", "n1", "n2", "n3"];
const ask = (database: Database, start = 0, end = Infinity): { names: string[]; values: string[]; metrics: string[] } => {
  const querier = database.querier(start, end);
  const asked = {
    names: querier.labelNames([], start, end),
    values: querier.labelValues("instance", [], start, end),
    metrics: querier.labelValues("__name__", [], start, end),
  };
  querier.close();
  return asked;
};
const hosts = (count: number): string[] => Array.from({ length: count }, (_, at) => `host-${at}`).sort();

describe("names and values without a matcher", () => {
  test.each([
    ["no lists yet", 500, 0],
    ["lists of all", 3_000, 0],
    ["lists and newer series", 3_000, 200],
  ])("%s: all of them, sorted", (_, count, more) => {
    const database = open(emptyFiles());
    append(database, 0, count);
    expect(ask(database)).toEqual({ names: NAMES, values: hosts(count), metrics: ["m0", "m1", "m2"] });
    append(database, count, count + more);
    expect(ask(database).values).toEqual(hosts(count + more));
    expect(database.querier(0, Infinity).labelValues("absent", [], 0, Infinity)).toEqual([]);
    database.close();
  });

  test("none of series that came after the view", () => {
    const database = open(emptyFiles());
    append(database, 0, 10);
    const querier = database.querier(0, Infinity);
    append(database, 10, 20);
    expect(querier.labelValues("instance", [], 0, Infinity)).toEqual(hosts(10));
    querier.close();
    database.close();
  });

  test("of times that memory does not have: nothing", () => {
    const database = open(emptyFiles());
    append(database, 0, 10);
    expect(ask(database, NOW + HOUR, NOW + 2 * HOUR)).toEqual({ names: [], values: [], metrics: [] });
    expect(ask(database, NOW, NOW).values).toEqual(hosts(10));
    database.close();
  });

  test("none of series whose samples are all deleted", () => {
    const database = open(emptyFiles());
    append(database, 0, 2_000);
    database.delete([new Matcher("__name__", "=", "m1")], 0, Infinity);
    const { metrics, values } = ask(database);
    expect(metrics).toEqual(["m0", "m2"]);
    expect(values).toHaveLength(hosts(2_000).filter((_, at) => at % 3 !== 1).length);
    database.close();
  });
});
