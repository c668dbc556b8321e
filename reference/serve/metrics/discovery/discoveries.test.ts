import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serveMetrics, type MetricsServer } from "../index.ts";
import { apiServer } from "./testing.ts";

/** Discovery as part of a server: its targets, its notices, its metrics, and reloading. */

let folder: string;
let server: MetricsServer;
const notices: string[] = [];
const file = (): string => join(folder, "metrics.yml");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-discovery-"));
  notices.length = 0;
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const start = async (config: string): Promise<void> => {
  writeFileSync(file(), config);
  const scrape = { file: file(), onNotice: (one: string) => void notices.push(one) };
  server = await serveMetrics({ directory: join(folder, "data"), graceMs: 100, storage: { walSync: "never" }, scrape });
};
const get = async <T>(path: string): Promise<T> => ((await (await fetch(`${server.url}api/v1/${path}`)).json()) as { data: T }).data;
type Shown = { readonly discoveredLabels: Record<string, string>; readonly scrapePool: string };
const active = async (): Promise<readonly Shown[]> => (await get<{ activeTargets: Shown[] }>("targets")).activeTargets;
const ownPage = async (): Promise<string> => (await fetch(`${server.url}metrics`)).text();

test("targets of a list are shown with their labels; two jobs share a request, and a reload does not repeat it", async () => {
  await using api = await apiServer((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end('[{"targets": ["127.0.0.1:1"], "labels": {"__meta_dc": "x"}}]'),
  );
  const jobs = (more: string): string => `scrape_configs:
  - {job_name: a, http_sd_configs: [{url: "${api.url}/"}]}
  - {job_name: b, http_sd_configs: [{url: "${api.url}/"}]${more}}
`;
  await start(jobs(""));
  await expect.poll(active).toMatchObject([
    { scrapePool: "a", discoveredLabels: { __address__: "127.0.0.1:1", __meta_dc: "x", __meta_url: `${api.url}/`, job: "a" } },
    { scrapePool: "b", discoveredLabels: { __address__: "127.0.0.1:1", __meta_dc: "x", __meta_url: `${api.url}/`, job: "b" } },
  ]);
  writeFileSync(file(), jobs(", relabel_configs: [{target_label: x, replacement: y}]"));
  await server.reload();
  expect((await active()).map(({ scrapePool }) => scrapePool)).toEqual(["a", "b"]);
  expect(api.requests).toHaveLength(1);
});

test("a failure is a notice with its place, a notification and metrics, and the server goes on", async () => {
  await using api = await apiServer((_, response) => response.writeHead(503).end());
  await start(`scrape_configs: [{job_name: a, static_configs: [{targets: ["127.0.0.1:1"]}], http_sd_configs: [{url: "${api.url}"}]}]\n`);
  await expect.poll(() => notices).toEqual(["a: http_sd_configs[0]: it answers with 503 Service Unavailable: the targets of before stay"]);
  expect(await active()).toHaveLength(1);
  expect(await get("notifications")).toMatchObject([
    { active: true, text: "Discovery fails: a: http_sd_configs[0]: it answers with 503 Service Unavailable" },
  ]);
  const page = await ownPage();
  expect(page).toContain('prometheus_sd_refresh_failures_total{mechanism="http",config="a"} 1\n');
  expect(page).toContain('prometheus_sd_refresh_duration_seconds_count{mechanism="http",config="a"} 1\n');
  expect(page).toContain("prometheus_sd_http_failures_total 1\n");
  expect(page).toContain('prometheus_sd_discovered_targets{name="scrape",config="a"} 1\n');
});

test("a target that is found again under another meta label shows it, and its scrapes go on", async () => {
  let zone = "x";
  await using api = await apiServer((_, response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(`[{"targets": ["127.0.0.1:1"], "labels": {"__meta_zone": "${zone}"}}]`),
  );
  await start(`scrape_configs: [{job_name: a, scrape_interval: 1h, http_sd_configs: [{url: "${api.url}", refresh_interval: 100ms}]}]\n`);
  const zones = async () => (await active()).map(({ discoveredLabels }) => discoveredLabels["__meta_zone"]);
  await expect.poll(zones).toEqual(["x"]);
  zone = "y";
  await expect.poll(zones).toEqual(["y"]);
});
