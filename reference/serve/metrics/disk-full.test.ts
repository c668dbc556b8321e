import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { Request } from "../../http/index.ts";
import { loadConfig } from "../../metrics/config/index.ts";
import { Columns, Labels, Matcher } from "../../metrics/model/index.ts";
import { RequestWriter } from "../../metrics/remote/index.ts";
import { Database, pack } from "../../metrics/tsdb/index.ts";
import { MemoryFiles } from "../../metrics/tsdb/files/testing.ts";
import { RemoteReceiver } from "./remote-receiver.ts";
import { Scraper } from "./scraper.ts";

/** A disk without room: what comes is refused and reported once, what is there is read, and all goes on when there is room again. */

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of cleanups.splice(0).reverse()) await one();
});

const open = (files: MemoryFiles): Database => new Database(files, "data", { random: (into) => into.fill(files.serial++ % 32) });
function timesOf(database: Database, metric: string): number[] {
  const querier = database.querier(0, Infinity);
  const columns = new Columns();
  for (const series of querier.select([new Matcher("__name__", "=", metric)], 0, Infinity)) series.read(columns, 0, Infinity);
  querier.close();
  return [...columns.times.subarray(0, columns.length)];
}

test("scrapes fail with one notice, and are stored again when there is room", async () => {
  const target = createServer((_, response) => void response.setHeader("content-type", "text/plain").end("m 1\n"));
  target.listen(0, "127.0.0.1");
  await new Promise((done) => target.once("listening", done));
  cleanups.push(() => (target.closeAllConnections(), target.close()));
  const files = new MemoryFiles();
  const database = open(files);
  const notices: string[] = [];
  const scraper = new Scraper({
    storage: database,
    now: Date.now,
    onNotice: (message) => message.includes("stored") && notices.push(message),
  });
  cleanups.push(async () => (await scraper.close(), database.close()));
  const { port } = target.address() as AddressInfo;
  const { config } = loadConfig(
    `scrape_configs: [{job_name: t, scrape_interval: 20ms, scrape_timeout: 20ms, static_configs: [{targets: ["127.0.0.1:${port}"]}]}]`,
    { file: "m.yml" },
  );
  await scraper.apply(config!);
  const stored = (): number => timesOf(database, "m").length;
  await expect.poll(stored, { timeout: 10_000, interval: 10 }).toBeGreaterThan(0);
  files.room = 0;
  await expect.poll(() => scraper.counts.unstored, { timeout: 10_000, interval: 10 }).toBeGreaterThan(3);
  const before = stored();
  expect(before).toBeGreaterThan(0);
  expect(notices).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/metrics: its samples could not be stored: .*only counted$/) as string,
  ]);
  files.room = Infinity;
  await expect.poll(stored, { timeout: 10_000, interval: 10 }).toBeGreaterThan(before);
  expect(notices.slice(1)).toEqual(["scrapes are stored again"]);
});

test("remote write answers 500, so that the sender repeats it; nothing that was acknowledged is lost", async () => {
  const files = new MemoryFiles();
  const database = open(files);
  const now = 1e9;
  const receiver = new RemoteReceiver(database, { now: () => now, isEnabled: true });
  const writer = new RequestWriter("prometheus.WriteRequest");
  const series = writer.forms.of(Labels.of({ __name__: "m" }));
  const write = async (time: number): Promise<number | undefined> => {
    const sample = { series, time, value: time, isStale: false, histogram: undefined, exemplar: undefined };
    const body = pack(writer.samples([sample], () => undefined));
    const fields = new Map([["content-type", "application/x-protobuf"]]);
    const request = { method: "POST", path: "/api/v1/write", fields, body: { bytes: () => Promise.resolve(body) } };
    return (await receiver.answer(request as unknown as Request))?.status;
  };
  expect(await write(1)).toBe(204);
  files.room = 0;
  expect(await write(2)).toBe(500);
  expect(await write(2)).toBe(500);
  expect(timesOf(database, "m")).toEqual([1]);
  // Room for a part of a record: nothing of it may be left in the log.
  files.room = 9;
  expect(await write(2)).toBe(500);
  files.room = Infinity;
  expect(await write(2)).toBe(204);
  expect(await write(3)).toBe(204);
  files.restart();
  const after = open(files);
  expect(timesOf(after, "m")).toEqual([1, 2, 3]);
  after.close();
});
