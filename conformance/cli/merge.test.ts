import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Result } from "../harness/result.ts";

const BIN = fileURLToPath(new URL("../../bin.js", import.meta.url));
let folder = "";
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "touchstone-merge-"))));
afterAll(() => rm(folder, { recursive: true }));
type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };
const touchstone = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  promisify(execFile)(process.execPath, [BIN, ...args], { env: { ...process.env, ...env } }).then(
    (ran) => ({ code: 0, ...ran }),
    (error: unknown) => error as Ran,
  );
const result = async (file: string): Promise<Result> => JSON.parse(await readFile(join(folder, file), "utf8")) as Result;
const ids = ({ cases }: Result): string[] => cases.map(({ id }) => id).sort();

test("the shards of a run, joined, are the run; one alone is partial and red", async () => {
  const at = (name: string): string => join(folder, name);
  const check = ["check", "hpack", "--only", "4.2,5.1", "--save"];
  const [whole, one, two] = await Promise.all([
    touchstone([...check, at("whole.json")]),
    touchstone([...check, at("1.json"), "--shard", "1/2"]),
    touchstone([...check, at("2.json"), "--shard", "/2"], { JOB_COMPLETION_INDEX: "1" }),
  ]);
  expect([whole.code, one.code, two.code]).toEqual([0, 0, 0]);
  const merged = await touchstone(["merge", at("1.json"), at("2.json"), "--save", at("merged.json"), "--junit", at("merged.xml")]);
  expect([merged.code, merged.stderr]).toEqual([0, ""]);
  expect(ids(await result("merged.json"))).toEqual(ids(await result("whole.json")));
  expect((await result("merged.json")).summary).toEqual((await result("whole.json")).summary);
  expect(ids(await result("1.json")).length).toBeGreaterThan(0);
  expect(await readFile(at("merged.xml"), "utf8")).toContain("<testsuite ");

  const alone = await touchstone(["merge", at("1.json")]);
  expect(alone.code).toBe(1);
  expect(alone.stdout).toMatch(/\d+ of \d+ cases ran: shards are missing/);
  const twice = await touchstone(["merge", at("1.json"), at("1.json")]);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining("is given twice")]);
  const none = await touchstone(["merge", at("none.json")]);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("cannot be read")]);
});
