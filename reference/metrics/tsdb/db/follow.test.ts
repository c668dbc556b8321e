import { describe, expect, test } from "vitest";
import { Labels } from "../../model/index.ts";
import { MemoryFiles } from "../files/testing.ts";
import type { Database, LogFollower, LogPosition } from "../index.ts";
import { fill, HOUR, NOW, open } from "./testing.ts";

type Reading = { readonly follower: LogFollower; readonly seen: string[]; readonly ends: LogPosition[]; readonly lost: string[] };

function follow(database: Database, from?: LogPosition): Reading {
  const [seen, ends, lost]: [string[], LogPosition[], string[]] = [[], [], []];
  const follower = database.follow(from, {
    samples: (samples, end) => {
      ends.push(end);
      for (const { ref, time, value, isStale } of samples)
        seen.push(`${follower.labelsOf(ref)?.metric ?? "?"} ${(time - NOW) / HOUR} ${isStale ? "stale" : value}`);
    },
    lost: (_, why) => lost.push(why),
  });
  return { follower, seen, ends, lost };
}
const all = ({ follower }: Reading): void => {
  while (follower.step());
};
const write = (database: Database, name: string, hour: number, value: number | "stale"): void => {
  const appender = database.appender();
  const id = appender.series(Labels.of({ __name__: name }));
  if (value === "stale") appender.appendStale(id, NOW + hour * HOUR);
  else appender.append(id, NOW + hour * HOUR, value);
  appender.commit();
};

describe("following a log", () => {
  test("reads what is written from now on, over the ends of pages and segments", () => {
    const database = open(new MemoryFiles(), { blockRange: 1_000 * HOUR });
    write(database, "before", 0, 1);
    const reading = follow(database);
    const wanted: string[] = [];
    for (let round = 1; round <= 60; round++) {
      const name = `metric_${round % 7}_${"x".repeat(round)}`;
      write(database, name, round, round);
      wanted.push(`${name} ${round} ${round}`);
      if (round % 3 === 0) all(reading);
    }
    write(database, "before", 61, "stale");
    all(reading);
    expect(reading.seen).toEqual([...wanted, "before 61 stale"]);
    expect(reading.lost).toEqual([]);
    database.close();
  });

  test("continues after each record, also after a restart of the process", () => {
    const files = new MemoryFiles();
    const database = open(files, { blockRange: 1_000 * HOUR });
    const reading = follow(database, { segment: 0, octets: 0 });
    for (let round = 0; round < 30; round++) write(database, `m${round % 4}`, round, round);
    all(reading);
    expect(reading.seen).toHaveLength(30);
    database.close();
    const after = open(files, { blockRange: 1_000 * HOUR });
    write(after, "m1", 40, 40);
    // A record of series or of samples: at each end the rest is what was not read yet.
    let read = 0;
    const counts = new Map<string, number>();
    const again = follow(after, { segment: 0, octets: 0 });
    for (let before = -1; before !== again.ends.length;) {
      before = again.ends.length;
      all(again);
    }
    for (const end of again.ends) counts.set(JSON.stringify(end), read++);
    for (const end of again.ends) {
      const rest = follow(after, end);
      all(rest);
      expect(again.seen.slice(again.seen.length - rest.seen.length)).toEqual(rest.seen);
      expect(rest.ends).toEqual(again.ends.slice(counts.get(JSON.stringify(end))! + 1));
    }
    expect(again.seen.at(-1)).toBe("m1 40 40");
    after.close();
  });

  test("a series that memory has dropped is known from its record; one that was removed before is reported", () => {
    const database = open(new MemoryFiles());
    const reading = follow(database, { segment: 0, octets: 0 });
    fill(database, 0, 1, ["gone"]);
    fill(database, 2, 40, ["stays"]);
    all(reading);
    expect(reading.lost).toEqual(["removed"]);
    expect(reading.seen.at(-1)).toBe("stays 40 40");
    expect(reading.seen.filter((one) => one.startsWith("?"))).toEqual([]);
    database.close();
    const large = open(new MemoryFiles(), { walSegmentOctets: 1 << 20 });
    const held = follow(large);
    write(large, "short", 0, 1);
    fill(large, 1, 5, ["stays"]);
    expect(large.head.table.count).toBe(1);
    all(held);
    expect(held.seen.slice(0, 2)).toEqual(["short 0 1", "stays 1 1"]);
    large.close();
  });

  test.each([
    ["is kept for a reader that is behind, with its series, over restarts", 1 << 30, []],
    ["goes once a reader is farther behind than the limit", 2_000, ["removed"]],
  ])("the log %s", (_, walHeldOctets, lost) => {
    const files = new MemoryFiles();
    let database = open(files, { walHeldOctets });
    // The record of the series is in an older segment, which a checkpoint replaces.
    for (let round = 0; round < 40; round++) write(database, `m${round}`, 0, round);
    fill(database, 1, 10, ["gone"]);
    for (let round = 0; round < 40; round++) write(database, `n${round}`, 10, round);
    const start = follow(database).follower.position;
    database.holdLog(() => start);
    fill(database, 11, 20, ["gone"]);
    fill(database, 20, 45, ["stays"]);
    database.close();
    database = open(files, { walHeldOctets });
    database.holdLog(() => start);
    fill(database, 46, 90, ["stays"]);
    expect(database.head.table.find(Labels.of({ __name__: "gone", hour: "x" }))).toBe(-1);
    const reading = follow(database, start);
    all(reading);
    expect(reading.lost).toEqual(lost);
    const wanted = [
      ...Array.from({ length: 10 }, (__, at) => `gone ${at + 11} ${at + 11}`),
      ...Array.from({ length: 71 }, (__, at) => `stays ${at + 20} ${at + 20}`),
    ];
    const isWhole = lost.length === 0;
    expect(reading.seen).toEqual(isWhole ? wanted : wanted.slice(-reading.seen.length));
    expect(reading.seen.length < wanted.length / 2).toBe(!isWhole);
    // Once it is read, it goes.
    database.holdLog(() => reading.follower.position);
    fill(database, 91, 130, ["stays"]);
    const after = follow(database, start);
    all(after);
    expect(after.lost).toEqual(["removed"]);
    database.close();
  });

  test("a position that the log has never had begins at the beginning", () => {
    const database = open(new MemoryFiles());
    write(database, "a", 0, 1);
    const reading = follow(database, { segment: 9, octets: 77 });
    all(reading);
    expect(reading.seen).toEqual(["a 0 1"]);
    database.close();
  });
});
