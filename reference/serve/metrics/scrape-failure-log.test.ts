import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MetricsServer, serveMetrics } from "./index.ts";

let folder: string;
let server: MetricsServer | undefined;
let target: Server;
/** What the targets answer, by path. */
const statuses = new Map<string, number>();
const notices: string[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-scrape-failures-"));
  notices.length = 0;
  statuses.clear();
  target = createServer(({ url = "" }, response) => {
    response.writeHead(statuses.get(url) ?? 200, { "content-type": "text/plain; version=0.0.4" });
    response.end("a 1\n");
  });
  await new Promise<void>((done) => target.listen(0, "127.0.0.1", done));
});
afterEach(async () => {
  await server?.close();
  target.closeAllConnections();
  await new Promise((done) => target.close(done));
  rmSync(folder, { recursive: true });
});
const at = (name: string): string => join(folder, name);
const lines = (name: string): Record<string, unknown>[] =>
  readFileSync(at(name), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const host = (): string => `127.0.0.1:${(target.address() as AddressInfo).port}`;
const job = (name: string, more = ""): string =>
  `  - {job_name: ${name}, metrics_path: /${name}, scrape_interval: 500ms, scrape_timeout: 500ms${more}, static_configs: [{targets: ['${host()}']}]}\n`;
async function start(config: string): Promise<void> {
  writeFileSync(at("m.yml"), config);
  server = await serveMetrics({
    directory: at("data"),
    graceMs: 0,
    scrape: { file: at("m.yml"), onNotice: (one) => void notices.push(one) },
  });
}
async function reload(config: string): Promise<void> {
  writeFileSync(at("m.yml"), config);
  await server!.reload();
}
const counted = async (query: string): Promise<number> => {
  const answer = (await (await fetch(`${server!.url}api/v1/query?query=${encodeURIComponent(query)}`)).json()) as {
    data: { result: { value: [number, string] }[] };
  };
  return Number(answer.data.result[0]?.value[1] ?? 0);
};
/** A job has been scraped at least so often since its first sample. */
const scraped = async (name: string, times: number): Promise<void> => {
  await expect.poll(() => counted(`count_over_time(up{job="${name}"}[1h])`), { timeout: 10_000 }).toBeGreaterThanOrEqual(times);
};

test("scrape_failure_log_file: each failed scrape is a line with its job, its target and its error; one that succeeds is not", async () => {
  statuses.set("/broken", 503);
  await start(`global: {scrape_failure_log_file: failures.log}\nscrape_configs:\n${job("broken")}${job("sound")}`);
  await scraped("sound", 2);
  await expect.poll(() => lines("failures.log").length, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(lines("failures.log")[0]).toEqual({
    time: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    level: "ERROR",
    msg: expect.stringContaining("503") as string,
    job_name: "broken",
    target: `http://${host()}/broken`,
  });
  expect(new Set(lines("failures.log").map(({ job_name }) => job_name))).toEqual(new Set(["broken"]));
  expect(notices).toEqual([]);
});

test("the file of a job precedes that of all, and jobs may share one", async () => {
  for (const name of ["one", "two", "three"]) statuses.set(`/${name}`, 500);
  const own = ", scrape_failure_log_file: own.log";
  await start(`global: {scrape_failure_log_file: all.log}\nscrape_configs:\n${job("one", own)}${job("two", own)}${job("three")}`);
  const jobs = (name: string): unknown[] => [...new Set(lines(name).map(({ job_name }) => job_name))].sort();
  await expect.poll(() => jobs("own.log"), { timeout: 10_000 }).toEqual(["one", "two"]);
  await expect.poll(() => jobs("all.log"), { timeout: 10_000 }).toEqual(["three"]);
});

test("a reload opens the file anew, as rotation needs it, or another one, or none", async () => {
  statuses.set("/broken", 500);
  const config = (file: string): string => `global: {${file}}\nscrape_configs:\n${job("broken")}`;
  await start(config("scrape_failure_log_file: failures.log"));
  await expect.poll(() => lines("failures.log").length, { timeout: 10_000 }).toBeGreaterThan(0);
  renameSync(at("failures.log"), at("failures.log.1"));
  const before = lines("failures.log.1").length;
  await expect.poll(() => lines("failures.log.1").length, { timeout: 10_000 }).toBeGreaterThan(before);
  await reload(config("scrape_failure_log_file: failures.log"));
  const rotated = lines("failures.log.1").length;
  await expect.poll(() => lines("failures.log").length, { timeout: 10_000 }).toBeGreaterThan(0);
  await reload(config("scrape_failure_log_file: other.log"));
  await expect.poll(() => lines("other.log").length, { timeout: 10_000 }).toBeGreaterThan(0);
  await reload(config(""));
  const [last, other] = [lines("failures.log").length, lines("other.log").length];
  const scrapes = await counted('count_over_time(up{job="broken"}[1h])');
  await scraped("broken", scrapes + 2);
  expect([lines("failures.log.1").length, lines("failures.log").length, lines("other.log").length]).toEqual([rotated, last, other]);
});

test("a file that cannot be opened: a notice, and scrapes go on", async () => {
  statuses.set("/broken", 500);
  await start(`global: {scrape_failure_log_file: missing/failures.log}\nscrape_configs:\n${job("broken")}${job("sound")}`);
  await scraped("sound", 2);
  expect(notices).toEqual([expect.stringMatching(/^scrape_failure_log_file: failed scrapes are not logged: .*ENOENT/)]);
});
