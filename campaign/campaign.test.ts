import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../conformance/peers/index.ts";
import type { Result } from "../conformance/harness/result.ts";
import { type Engine, openCampaign } from "./engine.ts";
import { outputOf, perform } from "./perform.ts";

/** How to get what this needs. */
const INSTALL = "apt-get install --no-install-recommends redis-server, and npm ci for bullmq";
const TOUCHSTONE = join(import.meta.dirname, "../touchstone.ts");
const NAME = "tested";
const WORKERS = 4;
/** A worker that is silent for this long has lost its job. */
const STALLED = "5s";
const PLAN = `
name: ${NAME}
jobs:
  - check: hpack --only 4.2
    shards: 3
  - fuzz: hpack/decoder --blind --executions 400 --seed 1
    shards: 4
    priority: 2
`;

let folder = "";
let redis: ChildProcess | undefined;
let url = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-campaign-"));
  writeFileSync(join(folder, "plan.yml"), PLAN);
  if (spawnSync("redis-server", ["--version"]).status !== 0 || !(await hasEngine())) return;
  const port = await freePort();
  redis = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  url = `redis://127.0.0.1:${port}`;
  for await (const text of redis.stdout!) if (String(text).includes("Ready to accept connections")) break;
});
afterAll(async () => {
  if (redis !== undefined) {
    redis.kill();
    await once(redis, "exit");
  }
  rmSync(folder, { recursive: true });
});

/** Whether the engine can be loaded. */
const hasEngine = (): Promise<boolean> =>
  import("bullmq").then(
    () => true,
    () => false,
  );

type Ran = { readonly status: number; readonly stdout: string };
async function campaign(...words: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [TOUCHSTONE, "campaign", ...words, "--redis", url], { stdio: ["ignore", "pipe", "inherit"] });
  let stdout = "";
  child.stdout.on("data", (text: Buffer) => (stdout += text.toString("utf8")));
  const [status] = (await once(child, "close")) as [number];
  return { status, stdout };
}

/** A worker in a process group of its own, so that its job can be killed with it. */
const worker = (): ChildProcess =>
  spawn(process.execPath, [TOUCHSTONE, "campaign", "work", "--name", NAME, "--redis", url, "--stalled", STALLED, "--until-done"], {
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });

/** Stops a worker while it has a job, and kills it. Returns the names of its jobs. */
async function killInTheMiddle({ queue }: Engine, victim: ChildProcess): Promise<string[]> {
  const name = `${hostname()}-${victim.pid}`;
  for (;;) {
    process.kill(-victim.pid!, "SIGSTOP");
    const held = (await queue.getJobs(["active"])).filter(({ processedBy }) => processedBy === name).map(({ id = "" }) => id);
    if (held.length > 0) {
      process.kill(-victim.pid!, "SIGKILL");
      await once(victim, "exit");
      return held;
    }
    if ((await queue.getJobCounts()).completed === 7) throw new Error("all jobs were done before this worker had one");
    process.kill(-victim.pid!, "SIGCONT");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const verdicts = (results: readonly Result[]): string[] =>
  results.flatMap(({ cases }) => cases.map(({ id, role, verdict }) => `${id} ${role} ${verdict}`)).sort();
const runs = (lines: readonly string[]): unknown[] =>
  lines
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .map(({ target, seed, executions, failure }) => ({ target, seed, executions, failure }))
    .toSorted((a, b) => Number(a.seed) - Number(b.seed));

test("four workers, one of which is killed in the middle, have the results of one machine: nothing lost, nothing twice", async (context) => {
  if (redis === undefined) return context.skip(`there is no Redis server or no engine: ${INSTALL}`);
  expect(await campaign("start", join(folder, "plan.yml"))).toEqual({ status: 0, stdout: `${NAME}: 7 jobs, 7 of them new\n` });
  expect((await campaign("start", join(folder, "plan.yml"))).stdout).toBe(`${NAME}: 7 jobs, 0 of them new\n`);

  const engine = await openCampaign(NAME, url);
  const workers = Array.from({ length: WORKERS }, worker);
  try {
    const [victim, ...others] = workers;
    const ended = others.map((one) => once(one, "exit"));
    const held = await killInTheMiddle(engine, victim!);
    expect(await Promise.all(ended)).toEqual(others.map(() => [0, null]));
    const done = await engine.queue.getJobs(["completed"]);
    expect(new Set(done.map(({ id }) => id)).size).toBe(7);
    // What it held, others have done.
    const name = `${hostname()}-${victim!.pid}`;
    expect(done.filter(({ id = "", processedBy }) => held.includes(id) && processedBy !== name)).toHaveLength(held.length);

    const status = await campaign("status", "--name", NAME, "--json");
    expect(JSON.parse(status.stdout)).toMatchObject({ jobs: 7, counts: { waiting: 0, active: 0, done: 7, failed: 0 }, failures: [] });
    const results = await campaign("results", join(folder, "out"), "--name", NAME);
    expect([results.status, results.stdout]).toEqual([0, expect.stringContaining("Nothing failed.")]);

    const check = await perform({ verb: "check", words: ["hpack", "--only", "4.2"], index: 1, of: 1 }, "");
    const whole = JSON.parse(readFileSync(join(folder, "out/result.json"), "utf8")) as Result[];
    const alone = [JSON.parse(outputOf(check)) as Result].flat();
    expect(verdicts(whole)).toEqual(verdicts(alone));
    expect(whole.map(({ summary, partial }) => [summary, partial])).toEqual(alone.map(({ summary }) => [summary, undefined]));
    const lines = readFileSync(join(folder, "out/fuzz.jsonl"), "utf8").trim().split("\n");
    expect(runs(lines)).toEqual([1, 2, 3, 4].map((seed) => ({ target: "hpack/decoder", seed, executions: 400, failure: undefined })));
  } finally {
    await engine.close();
    for (const one of workers) if (one.exitCode === null && one.signalCode === null) one.kill("SIGKILL");
  }
});

test("a job that cannot be done is tried no more, is reported, and is tried again by the next start", async (context) => {
  if (redis === undefined) return context.skip(`there is no Redis server or no engine: ${INSTALL}`);
  writeFileSync(join(folder, "wrong.yml"), "name: wrong\njobs: [{ check: hpakc }]\n");
  const at = ["--name", "wrong"];
  await campaign("start", join(folder, "wrong.yml"));
  expect((await campaign("work", ...at, "--until-done")).status).toBe(0);
  const status = await campaign("status", ...at);
  expect([status.status, status.stdout]).toEqual([1, expect.stringMatching(/1 failed\n.*FAILED check-hpakc.*hpakc.*attempts: 1/s)]);
  expect(await campaign("results", join(folder, "wrong"), ...at)).toMatchObject({ status: 1, stdout: expect.stringContaining("hpakc") });
  await campaign("start", join(folder, "wrong.yml"));
  expect((await campaign("status", ...at)).stdout).toContain("1 waiting, 0 failed");
});

test("without a Redis server, and with an address of something else, one line says so", async (context) => {
  if (!(await hasEngine())) return context.skip(`the engine is not installed: ${INSTALL}`);
  await expect(openCampaign(NAME, "redis://127.0.0.1:9")).rejects.toThrow(/Redis at 127.0.0.1:9 does not answer/);
  await expect(openCampaign(NAME, "http://127.0.0.1:9")).rejects.toThrow("is not the address of a Redis server");
});
