import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPlan } from "./plan.ts";

let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "touchstone-plan-"))));
afterAll(() => rmSync(folder, { recursive: true }));

function written(text: string): string {
  const file = join(folder, "plan.yml");
  writeFileSync(file, text);
  return file;
}

describe("readPlan()", () => {
  test("a job for each shard, with a name that says what it is and is the same each time", async () => {
    const text = `
name: night
attempts: 2
rate: { jobs: 10, seconds: 60 }
jobs:
  - check: http2 'http://127.0.0.1:8080/a b' --only 6.9
    shards: 2
    priority: 1
  - fuzz: hpack/decoder --seed 7
`;
    const plan = await readPlan(written(text));
    expect(plan).toMatchObject({ name: "night", attempts: 2, rate: { jobs: 10, seconds: 60 } });
    expect(plan.jobs.map(({ id, priority }) => [id, priority])).toMatchInlineSnapshot(`
      [
        [
          "check-http2-2a19d7f2-1-of-2",
          1,
        ],
        [
          "check-http2-2a19d7f2-2-of-2",
          1,
        ],
        [
          "fuzz-hpack-decoder-e973c719-1-of-1",
          0,
        ],
      ]
    `);
    expect(plan.jobs[1]?.task).toEqual({
      verb: "check",
      words: ["http2", "http://127.0.0.1:8080/a b", "--only", "6.9"],
      index: 2,
      of: 2,
    });
    expect(await readPlan(written(`# again\n${text}`))).toEqual(plan);
    expect(await readPlan(written("jobs: [{ check: hpack }]"))).toMatchObject({ name: "touchstone", attempts: 3 });
  });

  test.each([
    ["jobs: []", "must NOT have fewer than 1 items"],
    ["jobs: [{ shards: 2 }]", "job 1 has one of check, fuzz, mutate"],
    ["jobs: [{ check: hpack, fuzz: hpack/decoder }]", "job 1 has one of check, fuzz, mutate"],
    ["jobs: [{ check: hpack, shard: 2 }]", "additional properties (shard)"],
    ["jobs: [{ check: hpack }, { check: hpack }]", "check hpack is there twice"],
    ["name: a:b\njobs: [{ check: hpack }]", "name must match pattern"],
    ["jobs: [", "cannot be read"],
  ])("%j is refused", async (text, why) => {
    await expect(readPlan(written(text))).rejects.toThrow(why);
  });

  test("a plan that is not there is refused", async () => {
    await expect(readPlan(join(folder, "absent.yml"))).rejects.toThrow("cannot be read");
  });
});
