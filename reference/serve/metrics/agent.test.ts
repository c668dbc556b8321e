import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { Columns, Labels, Matcher } from "../../metrics/model/index.ts";
import type { Database } from "../../metrics/tsdb/index.ts";
import { serveMetrics, type MetricsServer } from "./index.ts";
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

type Start = { readonly folder: string; readonly name: string; readonly config: string; readonly agent?: true; readonly port?: number };
async function start({ folder, name, config, agent, port = 0 }: Start): Promise<MetricsServer> {
  const file = join(folder, `${name}.yml`);
  writeFileSync(file, config);
  const server = await serveMetrics({
    directory: join(folder, name),
    port,
    graceMs: 50,
    storage: { walSegmentOctets: 4_096 },
    remoteWriteReceiver: true,
    ...(agent === true && { agent: { keptMs: 0 } }),
    scrape: { file, onNotice: () => {}, flushMs: 200 },
  });
  cleanups.push(() => server.close());
  return server;
}
const sendingTo = (url: string): string =>
  `remote_write: [{url: "${url}", queue_config: {batch_send_deadline: 20ms, min_backoff: 10ms, max_backoff: 40ms, max_samples_per_send: 20, capacity: 40}}]`;

const MINUTE = 60_000;
const T = Math.floor(Date.now() / MINUTE) * MINUTE - 10 * 60 * MINUTE;
function write(server: MetricsServer, minutes: readonly number[], name = "a"): void {
  for (const minute of minutes) {
    const appender = server.database.appender();
    for (let series = 0; series < 3; series++)
      appender.append(appender.series(Labels.of({ __name__: name, series: String(series) })), T + minute * MINUTE, minute);
    appender.commit();
  }
}
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

test("a receiver that is away for many segments of the log, while blocks are written and the sender is killed and starts again, gets every sample", async () => {
  const folder = home();
  const port = await freePort();
  const config = sendingTo(`http://127.0.0.1:${port}/api/v1/write`);
  const first = await start({ folder, name: "sender", config });
  write(first, span(0, 300));
  while (first.database.compact(Date.now()));
  const segments = (): string[] => readdirSync(join(folder, "sender", "wal"));
  expect(first.database.blocks.all.length).toBeGreaterThan(0);
  expect(segments().length).toBeGreaterThan(3);
  await first.close();
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
