import { describe, expect, test } from "vitest";
import { inShard, readShard, shardOfJob } from "./shard.ts";

describe("readShard()", () => {
  test("a number of a whole, or the whole alone in an Indexed Job", () => {
    expect(readShard("2/4")).toEqual({ index: 2, of: 4 });
    expect(readShard("/4", { JOB_COMPLETION_INDEX: "0" })).toEqual({ index: 1, of: 4 });
    expect(readShard("/4", { JOB_COMPLETION_INDEX: "3" })).toEqual({ index: 4, of: 4 });
    // A number that is given counts.
    expect(readShard("1/2", { JOB_COMPLETION_INDEX: "1" })).toEqual({ index: 1, of: 2 });
  });

  test.each([
    ["0/4", "no shard 0 of 4"],
    ["5/4", "no shard 5 of 4"],
    ["1/0", "no shard 1 of 0"],
    ["1/1001", "no shard 1 of 1001"],
    ["4", "write 2/4"],
    ["a/b", "write 2/4"],
    ["/4", "is not set"],
  ])("%s is refused", (text, why) => {
    expect(() => readShard(text, {})).toThrow(why);
  });

  test("an invalid number of an Indexed Job, or one beyond the whole, is refused", () => {
    expect(() => readShard("/4", { JOB_COMPLETION_INDEX: "x" })).toThrow('is "x"');
    expect(() => readShard("/4", { JOB_COMPLETION_INDEX: "4" })).toThrow("no shard 5 of 4");
  });
});

describe("shardOfJob()", () => {
  test("an Indexed Job whose manifest sets the number of jobs, and nothing else, is a shard", () => {
    expect(shardOfJob({ JOB_COMPLETION_INDEX: "1", JOB_COMPLETIONS: "3" })).toEqual({ index: 2, of: 3 });
    expect(shardOfJob({ JOB_COMPLETION_INDEX: "1" })).toBeUndefined();
    expect(shardOfJob({ JOB_COMPLETIONS: "3" })).toBeUndefined();
    expect(() => shardOfJob({ JOB_COMPLETION_INDEX: "3", JOB_COMPLETIONS: "3" })).toThrow("no shard 4 of 3");
    expect(() => shardOfJob({ JOB_COMPLETION_INDEX: "0", JOB_COMPLETIONS: "three" })).toThrow("not a part of a whole");
  });
});

describe("inShard()", () => {
  const names = Array.from({ length: 2_000 }, (_, at) => `suite/case-${at}`);

  test.each([1, 2, 3, 4, 7])("each name is in one of %i shards, and they are of like size", (of) => {
    const shards = Array.from({ length: of }, (_, at) => names.filter((name) => inShard(name, { index: at + 1, of })));
    expect(shards.flat().sort()).toEqual([...names].sort());
    for (const shard of shards) expect(Math.abs(shard.length - names.length / of)).toBeLessThan(100);
  });

  test("the place of a name does not depend on the others", () => {
    expect(inShard("http2/ping-answered", { index: 1, of: 2 })).toBe(inShard("http2/ping-answered", { index: 1, of: 2 }));
    expect(names.filter((name) => inShard(name, { index: 1, of: 2 })).slice(0, 3)).toMatchInlineSnapshot(`
      [
        "suite/case-2",
        "suite/case-3",
        "suite/case-6",
      ]
    `);
  });
});
