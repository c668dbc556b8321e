import { describe, expect, test } from "vitest";
import { Labels, Matcher } from "../../model/index.ts";
import type { Block } from "../block/block.ts";
import { emptyFiles } from "../block/testing.ts";
import { checkpointsIn } from "../wal/checkpoint.ts";
import { fill, HOUR, hours, is, NOW, open, shown } from "./testing.ts";
import { readFile } from "../files/files.ts";
import { Crash, type MemoryFiles } from "../files/testing.ts";
import { Database, isUlid } from "../index.ts";
import { segmentsIn } from "../wal/segment.ts";

describe("damage", () => {
  test("of a segment: loses its records, is reported, and is repaired for the next opening", () => {
    const files = emptyFiles();
    const database = open(files, { walSegmentOctets: 1_048_576 });
    const appender = database.appender();
    const many = Array.from({ length: 3_000 }, (_, at) => appender.series(Labels.of({ __name__: `m${at}` })));
    for (const [at, series] of many.entries()) appender.append(series, NOW, at);
    appender.commit();
    for (let time = NOW + 1; time < NOW + 5; time++) {
      const next = database.appender();
      for (const [at, series] of many.entries()) next.append(series, time, at);
      next.commit();
    }
    database.close();
    const [first] = segmentsIn(files, "data/wal");
    const path = `data/wal/${first?.name ?? ""}`;
    const file = files.open(path, "write");
    file.write(Uint8Array.of(0xff), (readFile(files, path).length >>> 1) + 100);
    file.close();

    const damaged = open(files);
    const to = `data/quarantine/wal/${first?.name ?? ""}`;
    expect(damaged.log.repairs).toMatchObject([{ path, to, done: "set aside", damage: [{ fault: "fragmentChecksum" }] }]);
    const samples = Object.values(shown(damaged)).map((values) => values.length);
    expect(samples.length).toBe(3_000);
    // The damaged record had one of the five batches.
    expect(new Set(samples)).toEqual(new Set([4]));
    const before = shown(damaged);
    damaged.close();
    const again = open(files);
    expect(again.log.repairs).toEqual([]);
    expect(shown(again)).toEqual(before);
    expect(files.exists(to)).toBe(true);
  });

  test("of a block is reported, and the other blocks are there", () => {
    const files = emptyFiles();
    const database = open(files);
    fill(database, 1, 12);
    const [first] = database.blocks.all;
    database.close();
    files.open(`${first?.directory ?? ""}/index`, "write").write(Uint8Array.of(1, 2, 3, 4), 0);
    const again = open(files);
    expect(again.damage.map(({ path }) => path)).toEqual([`${first?.directory ?? ""}/index`]);
    expect(shown(again)["a"]?.at(-1)).toBe(12);
    expect(shown(again)["a"]?.length).toBeLessThan(12);
  });
});

/** A closed directory with blocks of twelve hours, and the path of the oldest block. */
function written(): { files: MemoryFiles; block: string } {
  const files = emptyFiles();
  const database = open(files);
  fill(database, 1, 12);
  const block = database.blocks.all[0]?.directory ?? "";
  database.close();
  return { files, block };
}

function flip(files: MemoryFiles, path: string, at: number): void {
  const file = files.open(path, "write");
  file.write(Uint8Array.of((readFile(files, path)[at] ?? 0) ^ 0xff), at);
  file.close();
}

describe("damage found by a reader", () => {
  /** Positions in the index of a block: the list of a metric's series, and the entry of its one series. */
  type Places = { readonly list: number; readonly entry: number };
  function placesOf(files: MemoryFiles, block: string, name: string): Places {
    const database = open(files);
    const { index } = database.blocks.all.find(({ directory }) => directory === block) as Block;
    const places = { list: index.table.find("__name__", name) ?? 0, entry: (index.select(is(name))[0] ?? 0) * 16 };
    database.close();
    return places;
  }
  const all = hours(1, 12);

  test.each([
    // Once at opening, and again by a query that needs its content.
    { what: "the head of a segment", name: "chunks/000001", place: () => 0, isAllLost: true, reports: 2 },
    { what: "a chunk of a", name: "chunks/000001", place: () => 12, isAllLost: false, reports: 1 },
    { what: "the series a", name: "index", place: ({ entry }: Places) => entry + 4, isAllLost: false, reports: 1 },
    { what: "the list of the series named a", name: "index", place: ({ list }: Places) => list + 8, isAllLost: false, reports: 1 },
  ])("in $what: loses only its content, and is reported once", ({ name, place, isAllLost, reports }) => {
    const { files, block } = written();
    flip(files, `${block}/${name}`, place(placesOf(files, block, "a")));
    const database = open(files);
    for (let time = 0; time < 3; time++) {
      for (const metric of ["a", "b"] as const) {
        const values = shown(database, is(metric))[metric] ?? [];
        expect(values.at(-1)).toBe(12);
        expect(values).toEqual(all.slice(12 - values.length));
        expect(values.length < 12).toBe(metric === "a" || isAllLost);
      }
    }
    expect(database.damage.map(({ path }) => path)).toEqual(Array.from({ length: reports }, () => `${block}/${name}`));
    // The block stays in place, also for the next opening.
    expect(database.blocks.all.map(({ directory }) => directory)).toContain(block);
  });

  test("keeps that block from being compacted, not the others, and loses nothing else", () => {
    const { files, block } = written();
    flip(files, `${block}/chunks/000001`, 12);
    const database = open(files);
    const before = shown(database);
    database.delete(is("b"), NOW + HOUR, NOW + HOUR);
    fill(database, 13, 60);
    expect(database.damage.map(({ path }) => path)).toEqual([`${block}/chunks/000001`]);
    database.cleanTombstones(NOW + 60 * HOUR);
    const damaged = database.blocks.all.find(({ directory }) => directory === block);
    expect(damaged?.meta.compaction).toMatchObject({ level: 1, failed: true });
    expect(Math.max(...database.blocks.all.map(({ meta }) => meta.compaction.level))).toBeGreaterThan(1);
    expect(shown(database)).toEqual({ a: [...(before["a"] ?? []), ...hours(13, 60)], b: hours(2, 60) });
    expect(database.damage.length).toBe(1);
  });

  test("in the index of a block: deletion works everywhere else", () => {
    const { files, block } = written();
    flip(files, `${block}/index`, placesOf(files, block, "a").entry + 4);
    const database = open(files);
    const before = shown(database)["a"] ?? [];
    const [lost = 0] = before;
    database.delete([new Matcher("__name__", "=~", "a|b")], -Infinity, NOW + (lost + 2) * HOUR);
    expect(shown(database)).toEqual({ a: hours(lost + 3, 12), b: hours(lost + 3, 12) });
    database.close();

    flip(files, `${block}/index`, placesOf(files, block, "b").list + 8);
    const again = open(files);
    expect(() => again.delete(is("b"), -Infinity, NOW + 10 * HOUR)).toThrow(`${block}/index is damaged at`);
    expect(shown(again)["b"]).toEqual([11, 12]);
  });

  test("is reported at most 1,000 times, and the last report says so", () => {
    const files = emptyFiles();
    const database = open(files, { walSegmentOctets: 1_000_000 });
    const many = Array.from({ length: 1_100 }, (_, at) => `m${at}`);
    fill(database, 1, 6, many);
    const path = `${database.blocks.all[0]?.directory}/chunks/000001`;
    database.close();
    const file = files.open(path, "write");
    file.write(new Uint8Array(file.size() - 8), 8);
    const again = open(files);
    expect(Object.keys(shown(again)).length).toBe(1_100);
    expect(again.damage.length).toBe(1_000);
    const last = again.damage.filter(({ message }) => message.includes("Further damage is not reported."));
    expect(last).toEqual([again.damage.at(-1)]);
  });

  test("disappears with its block when that is too old", () => {
    const { files, block } = written();
    flip(files, `${block}/chunks/000001`, 12);
    const database = open(files, { retention: { ms: 30 * HOUR, octets: 0 } });
    fill(database, 13, 80);
    expect(files.exists(block)).toBe(false);
    expect(shown(database)["a"]?.at(-1)).toBe(80);
  });
});

describe("an interruption at any operation of an opening", () => {
  /** A checkpoint and later segments, each of several pages and records. Damage in the last page is cut off as torn. */
  const groups = Array.from({ length: 4 }, (_, group) =>
    Array.from({ length: 120 }, (_metric, at) => `${"group".repeat(15)}-${group}-${at}`),
  );
  const whole = emptyFiles();
  const database = open(whole, { walSegmentOctets: 100_000 });
  for (const group of groups) fill(database, 1, 1, group);
  fill(database, 2, 7, groups.flat());
  for (let minute = 1; minute < 12; minute++) for (const group of groups) fill(database, 7 + minute / 60, 7 + minute / 60, group);
  const complete = shown(database);
  database.close();
  const [checkpoint] = checkpointsIn(whole, "data/wal");
  const behind = segmentsIn(whole, "data/wal").at(-1);
  const ends = [
    { how: "the power fails", resume: (files: MemoryFiles) => files.losePower() },
    { how: "the process is killed", resume: (files: MemoryFiles) => files.restart() },
  ];
  const paths = [`data/wal/${checkpoint?.name}/00000000`, `data/wal/${behind?.name}`];

  test.each(paths.flatMap((path) => ends.map((end) => ({ path, ...end }))))(
    "that finds $path damaged: loses nothing more: $how",
    ({ path, resume }) => {
      const files = whole.copy();
      flip(files, path, 60);
      const probe = files.copy();
      const uninterrupted = open(probe);
      const expected = shown(uninterrupted);
      expect(uninterrupted.log.repairs).toMatchObject([{ path, done: "set aside" }]);
      expect(expected).not.toEqual(complete);
      const damaged = Buffer.from(readFile(files, path));
      for (let operation = 1; operation <= probe.operations; operation++) {
        const copy = files.copy();
        copy.plan(operation, "crash");
        expect(() => open(copy)).toThrow(Crash);
        resume(copy);
        expect(shown(open(copy))).toEqual(expected);
        expect(Buffer.from(readFile(copy, path.replace("data/", "data/quarantine/")))).toEqual(damaged);
      }
    },
  );
});

describe("the quarantine", () => {
  function quarantined(): { files: MemoryFiles; octets: number } {
    const { files, block } = written();
    flip(files, `${block}/index`, 1);
    const database = open(files);
    expect(database.damage.length).toBe(1);
    const { octets } = database.blocks;
    database.close();
    // Larger than everything else.
    const file = files.open(`data/quarantine/${block.slice(5)}/chunks/000002`, "create");
    file.write(new Uint8Array(1_000_000), 0);
    file.close();
    return { files, octets };
  }

  test("is not part of snapshots", () => {
    const { files } = quarantined();
    const database = open(files);
    database.snapshot("copy", { withHead: true, now: NOW + 12 * HOUR });
    expect(files.list("copy").every(isUlid)).toBe(true);
    expect(shown(new Database(files, "copy", { random: (into) => into }))).toEqual(shown(database));
  });

  test("does not count towards the size limit or the statistics", () => {
    const { files, octets } = quarantined();
    const database = open(files, { retention: { ms: 0, octets: octets + 50_000 } });
    const before = shown(database);
    while (database.compact(NOW + 12 * HOUR));
    expect(shown(database)).toEqual(before);
    expect(database.blocks.octets).toBeLessThan(octets + 50_000);
    expect(database.stats().headStats.numSeries).toBe(2);
    expect(files.list("data/quarantine").length).toBe(1);
  });

  test("stays during retention, compaction and reopening", () => {
    const { files } = quarantined();
    const before = files.list("data/quarantine");
    const database = open(files, { retention: { ms: 20 * HOUR, octets: 0 } });
    fill(database, 13, 80);
    database.close();
    const again = open(files);
    expect([again.damage, files.list("data/quarantine")]).toEqual([[], before]);
  });

  test("a block that is repaired and moved back is read again", () => {
    const { files, block } = written();
    const look = (): Record<string, number[]> => {
      const database = open(files);
      const values = shown(database);
      database.close();
      return values;
    };
    const whole = look();
    flip(files, `${block}/index`, 1);
    expect(look()).not.toEqual(whole);
    flip(files, `data/quarantine/${block.slice(5)}/index`, 1);
    files.rename(`data/quarantine/${block.slice(5)}`, block);
    expect(look()).toEqual(whole);
  });
});
