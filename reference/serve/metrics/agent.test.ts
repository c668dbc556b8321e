import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { Columns, Labels, Matcher } from "../../metrics/model/index.ts";
import type { Database } from "../../metrics/tsdb/index.ts";
import { MINUTE, sendUntilKilled, type Start, start as startServer, write as writeMinutes } from "./agent-testing.ts";
import type { MetricsServer } from "./index.ts";
import { freePort } from "./testing.ts";

/** Servers that only pass samples on, and receivers that are away for long. */

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of cleanups.splice(0).reverse()) await one();
});
const home = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-agent-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

async function start(how: Start): Promise<MetricsServer> {
  const server = await startServer(how);
  cleanups.push(() => server.close());
  return server;
}
const sendingTo = (url: string): string =>
  `remote_write: [{url: "${url}", queue_config: {batch_send_deadline: 20ms, min_backoff: 10ms, max_backoff: 40ms, max_samples_per_send: 20, capacity: 40}}]`;

const T = Math.floor(Date.now() / MINUTE) * MINUTE - 10 * 60 * MINUTE;
const write = (server: MetricsServer, minutes: readonly number[], name = "a"): void => writeMinutes(server, { from: T, minutes, name });
/** The minutes of each series. */
function minutesIn(database: Database): Record<string, number[]> {
  const querier = database.querier(0, Infinity);
  const found: Record<string, number[]> = {};
  for (const series of querier.select([new Matcher("series", "=~", ".+")], 0, Infinity)) {
    const columns = new Columns();
    series.read(columns, 0, Infinity);
    found[`${series.labels}`] = Array.from({ length: columns.length }, (_, row) => (columns.times[row]! - T) / MINUTE);
  }
  querier.close();
  return found;
}
const span = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
const ofThree = (name: string, minutes: readonly number[]): Record<string, readonly number[]> =>
  Object.fromEntries([0, 1, 2].map((series) => [`${name}{series="${series}"}`, minutes]));

describe("an agent", () => {
  test("sends what it stores, answers no queries and writes no blocks", async () => {
    const folder = home();
    const to = await start({ folder, name: "receiver", config: "" });
    const agent = await start({ folder, name: "agent", config: sendingTo(`${to.url}api/v1/write`), agent: true });
    write(agent, span(0, 400));
    await expect.poll(() => minutesIn(to.database), { timeout: 20_000, interval: 50 }).toEqual(ofThree("a", span(0, 400)));
    agent.database.forget(Date.now());
    expect(agent.database.head.table.count).toBe(0);
    write(agent, span(590, 600), "b");
    await expect
      .poll(() => minutesIn(to.database), { timeout: 20_000, interval: 50 })
      .toEqual({ ...ofThree("a", span(0, 400)), ...ofThree("b", span(590, 600)) });
    expect(readdirSync(join(folder, "agent")).sort()).toEqual(["lock", "remote_write", "wal"]);
    const asked = await fetch(`${agent.url}api/v1/query?query=up`);
    expect(asked.status).toBe(422);
    expect(await asked.json()).toMatchObject({ errorType: "execution", error: expect.stringContaining("is an agent") as string });
    expect((await fetch(`${agent.url}federate?match[]=a`)).status).toBe(404);
    expect((await fetch(`${agent.url}api/v1/read`, { method: "POST" })).status).toBe(404);
    expect((await fetch(`${agent.url}api/v1/targets`)).status).toBe(200);
  });

  test("a section that agents lack is refused with its place", async () => {
    const folder = home();
    await expect(start({ folder, name: "agent", config: "rule_files: [a.yml]\n", agent: true })).rejects.toThrow(
      /agent\.yml:1: rule_files: /,
    );
  });
});

/** A sender in a process of its own: it stores minutes, and is killed once they are in blocks. Returns how many blocks. */
async function killedAfter(how: Start, minutes: readonly number[]): Promise<number> {
  const module = JSON.stringify(join(import.meta.dirname, "agent-testing.ts"));
  const code = `await (await import(${module})).${sendUntilKilled.name}(...${JSON.stringify([how, { from: T, minutes }])});`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], { stdio: ["ignore", "pipe", "inherit"] });
  cleanups.push(() => child.kill("SIGKILL"));
  const [blocks] = (await once(child.stdout, "data")) as [Buffer];
  expect(child.exitCode).toBeNull();
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(child.signalCode).toBe("SIGKILL");
  // It could put nothing in order.
  expect(readdirSync(join(how.folder, how.name))).toContain("lock");
  return Number(String(blocks));
}

test("a receiver that is away for many segments of the log, while blocks are written and the sender is killed and starts again, gets every sample", async () => {
  const folder = home();
  const port = await freePort();
  const config = sendingTo(`http://127.0.0.1:${port}/api/v1/write`);
  const segments = (): string[] => readdirSync(join(folder, "sender", "wal"));
  expect(await killedAfter({ folder, name: "sender", config }, span(0, 300))).toBeGreaterThan(0);
  expect(segments().length).toBeGreaterThan(3);
  const second = await start({ folder, name: "sender", config });
  write(second, span(300, 590), "b");
  while (second.database.compact(Date.now()));
  // The series of before are no longer in memory.
  expect(second.database.head.table.find(Labels.of({ __name__: "a", series: "0" }))).toBe(-1);
  const to = await start({ folder, name: "receiver", config: "", port });
  await expect
    .poll(() => minutesIn(to.database), { timeout: 30_000, interval: 50 })
    .toEqual({ ...ofThree("a", span(0, 300)), ...ofThree("b", span(300, 590)) });
  // Now the log is as short as if the receiver had been there.
  const before = segments().length;
  write(second, span(590, 600), "b");
  await expect.poll(() => minutesIn(to.database)['b{series="0"}']?.at(-1), { timeout: 10_000, interval: 50 }).toBe(599);
  second.database.forget(T + 599 * MINUTE);
  expect(segments().length).toBeLessThan(before);
});
