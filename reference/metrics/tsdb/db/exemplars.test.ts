import { describe, expect, test } from "vitest";
import { Labels } from "../../model/index.ts";
import { MemoryFiles } from "../files/testing.ts";
import type { Database } from "../index.ts";
import { HOUR, is, NOW, open, shown } from "./testing.ts";

/** Adds a sample and an exemplar of the same value; returns what became of the exemplar. */
function put(database: Database, name: string, hour: number, trace: string): unknown {
  const appender = database.appender();
  const id = appender.series(Labels.of({ __name__: name }));
  appender.append(id, NOW + hour * HOUR, hour);
  const verdict = appender.appendExemplar(id, { labels: Labels.of({ trace }), value: hour, time: NOW + hour * HOUR });
  appender.commit();
  return verdict;
}
const kept = (database: Database): string[] =>
  [...database.exemplars.select([[]], 0, Infinity)].flatMap(({ series, exemplars }) =>
    exemplars.map(({ labels, value }) => `${series.metric} ${labels.get("trace")} ${value}`),
  );

describe("exemplars of a database", () => {
  test("are there again after a restart, and after the log was cut", () => {
    const files = new MemoryFiles();
    const database = open(files);
    for (let hour = 0; hour < 40; hour++) {
      put(database, "a", hour, `t${hour}`);
      while (database.compact(NOW + hour * HOUR));
    }
    expect(kept(database)).toHaveLength(40);
    database.close();
    const after = open(files);
    const newest = kept(after);
    // Those that are older than the samples of the log have gone with them.
    expect(newest.at(-1)).toBe("a t39 39");
    expect(newest.length).toBeLessThan(40);
    expect(newest).toEqual(Array.from({ length: newest.length }, (_, at) => 40 - newest.length + at).map((hour) => `a t${hour} ${hour}`));
    after.close();
  });

  test("a batch that is rolled back leaves none", () => {
    const files = new MemoryFiles();
    const database = open(files);
    put(database, "a", 0, "t0");
    const appender = database.appender();
    const id = appender.series(Labels.of({ __name__: "a" }));
    appender.appendExemplar(id, { labels: Labels.of({ trace: "t1" }), value: 1, time: NOW + HOUR });
    appender.rollback();
    expect(kept(database)).toEqual(["a t0 0"]);
    database.close();
  });

  test("a limit of 0 keeps none and logs none", () => {
    const files = new MemoryFiles();
    const database = open(files, { exemplars: 0 });
    expect(put(database, "a", 0, "t0")).toBe("not kept");
    database.close();
    const after = open(files);
    expect(kept(after)).toEqual([]);
    after.close();
  });

  test("an older one, one with long labels, and one of an unknown series are refused; a repetition changes nothing", () => {
    const database = open(new MemoryFiles());
    expect(put(database, "a", 3, "t3")).toBe("new");
    expect(put(database, "a", 4, "t4")).toBe("new");
    const appender = database.appender();
    const id = appender.series(Labels.of({ __name__: "a" }));
    const at = (hour: number, trace: string) => ({ labels: Labels.of({ trace }), value: hour, time: NOW + hour * HOUR });
    expect(appender.appendExemplar(id, at(3, "t3"))).toBe("same");
    expect(appender.appendExemplar(id, at(3, "other"))).toBe("out of order exemplar");
    expect(appender.appendExemplar(id, at(5, "😀".repeat(123)))).toBe("new");
    expect(appender.appendExemplar(id, at(5, "😀".repeat(124)))).toBe("exemplar with long labels");
    expect(appender.appendExemplar(id + 999, at(5, "t5"))).toBe("unknown series");
    appender.rollback();
    database.close();
  });
});

describe("late samples in the log", () => {
  test("are followed where they came; an opening has each once", () => {
    const files = new MemoryFiles();
    const options = { outOfOrderWindow: 10 * HOUR, blockRange: 1_000 * HOUR };
    const database = open(files, options);
    const seen: string[] = [];
    const follower = database.follow(undefined, {
      samples: (samples) => {
        for (const { time, value, exemplar } of samples)
          seen.push(`${(time - NOW) / HOUR} ${value} ${exemplar?.labels.get("trace") ?? ""}`);
      },
      lost: (_, why) => seen.push(why),
    });
    for (const hour of [5, 2, 8, 3]) put(database, "a", hour, "t");
    while (follower.step());
    expect(seen).toEqual(["5 5 ", "5 5 t", "2 2 ", "8 8 ", "8 8 t", "3 3 "]);
    follower.close();
    expect(shown(database, is("a"))).toEqual({ a: [2, 3, 5, 8] });
    database.close();
    const after = open(files, options);
    expect(shown(after, is("a"))).toEqual({ a: [2, 3, 5, 8] });
    expect(after.head.late.count).toBe(2);
    after.close();
  });
});
