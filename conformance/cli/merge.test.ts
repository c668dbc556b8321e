import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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

test("an Indexed Job that says how many there are is a shard by itself; one that does not is the whole", async () => {
  const list = ["check", "hpack", "--only", "4.2", "--list", "--json"];
  const ids = async (env: NodeJS.ProcessEnv, ...more: string[]): Promise<string[]> =>
    (JSON.parse((await touchstone([...list, ...more], env)).stdout) as { id: string }[]).map(({ id }) => id);
  const [whole, alone, second, asked] = await Promise.all([
    ids({}),
    ids({ JOB_COMPLETION_INDEX: "1" }),
    ids({ JOB_COMPLETION_INDEX: "1", JOB_COMPLETIONS: "2" }),
    ids({}, "--shard", "2/2"),
  ]);
  expect(alone).toEqual(whole);
  expect(second).toEqual(asked);
  expect([second.length > 0, second.length < whole.length]).toEqual([true, true]);
});

test("corpora are joined; a folder without --corpus, and --corpus without a folder, are refused", async () => {
  for (const [name, text] of [
    ["a", "01\n"],
    ["b", "00\n01\n"],
  ] as const) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "hpack-decoder.txt"), text);
  }
  const [a, b, into] = [join(folder, "a"), join(folder, "b"), join(folder, "both")];
  const joined = await touchstone(["merge", a, b, "--corpus", into]);
  expect([joined.code, joined.stdout, joined.stderr]).toEqual([0, "hpack-decoder: 2 inputs, 2 new\n", ""]);
  expect(await readFile(join(into, "hpack-decoder.txt"), "utf8")).toBe("00\n01\n");
  expect(await touchstone(["merge", a])).toMatchObject({ code: 2, stderr: expect.stringContaining("--corpus says where") });
  expect(await touchstone(["merge", join(folder, "1.json"), "--corpus", into])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("name them"),
  });
});
