import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveMetrics, type MetricsServer } from "./index.ts";

/** What the server's own pages and Grafana's data source ask for; the shapes were compared with Prometheus 3.16. */

const CONFIG = `
global: {scrape_interval: 100ms, scrape_timeout: 100ms}
scrape_configs:
  - job_name: self
    static_configs: [{targets: [HOST]}, {targets: ["127.0.0.1:1"], labels: {gone: "yes"}}]
    relabel_configs:
      - {target_label: env, replacement: dev}
      - {source_labels: [gone], regex: "yes", action: drop}
      - {source_labels: [__address__], modulus: 8, target_label: shard, action: hashmod}
`;

let folder: string;
let server: MetricsServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-pages-api-"));
  const file = join(folder, "metrics.yml");
  writeFileSync(file, "global: {}\n");
  server = await serveMetrics({ directory: join(folder, "data"), graceMs: 100, scrape: { file, lifecycle: true, onNotice: () => {} } });
  writeFileSync(file, CONFIG.replace("HOST", JSON.stringify(new URL(server.url).host)));
  await server.reload();
  // The series come with the first scrape.
  for (let found: unknown; !(Array.isArray(found) && found.length > 0); await pause(20)) found = (await data("query?query=up"))["result"];
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

type Data = Readonly<Record<string, unknown>>;
type Envelope = { readonly status: string; readonly data: Data; readonly error?: string };
async function asked(path: string, form?: Readonly<Record<string, string>>): Promise<{ readonly status: number; readonly body: Envelope }> {
  const response = await fetch(
    `${server.url}api/v1/${path}`,
    form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) },
  );
  return { status: response.status, body: (await response.json()) as Envelope };
}
const data = async (path: string): Promise<Data> => (await asked(path)).body.data;

describe("/api/v1 for the pages", () => {
  const labels = (more: object): string => encodeURIComponent(JSON.stringify({ __address__: "127.0.0.1:1", job: "self", ...more }));

  test("relabel_steps: each rule with the labels after it", async () => {
    const { steps } = await data(`targets/relabel_steps?scrapePool=self&labels=${labels({})}`);
    expect(steps).toEqual([
      {
        rule: { separator: ";", regex: "(.*)", target_label: "env", replacement: "dev", action: "replace" },
        output: { __address__: "127.0.0.1:1", env: "dev", job: "self" },
        keep: true,
      },
      {
        rule: { source_labels: ["gone"], separator: ";", regex: "yes", replacement: "$1", action: "drop" },
        output: { __address__: "127.0.0.1:1", env: "dev", job: "self" },
        keep: true,
      },
      {
        rule: {
          source_labels: ["__address__"],
          separator: ";",
          regex: "(.*)",
          modulus: 8,
          target_label: "shard",
          replacement: "$1",
          action: "hashmod",
        },
        output: { __address__: "127.0.0.1:1", env: "dev", job: "self", shard: "2" },
        keep: true,
      },
    ]);
  });

  test("relabel_steps: nothing is left after the rule that drops the target", async () => {
    const { steps } = await data(`targets/relabel_steps?scrapePool=self&labels=${labels({ gone: "yes" })}`);
    expect((steps as { keep: boolean; output: object }[]).map(({ keep, output }) => [keep, Object.keys(output).length])).toEqual([
      [true, 4],
      [false, 0],
      [false, 0],
    ]);
  });

  test.each([
    ["targets/relabel_steps?labels={}", "no scrapePool parameter provided"],
    ["targets/relabel_steps?scrapePool=self", "no labels parameter provided"],
    ["targets/relabel_steps?scrapePool=self&labels=[]", 'invalid parameter "labels": it is not an object of JSON'],
    ["targets/relabel_steps?scrapePool=self&labels={", 'invalid parameter "labels": it is not JSON'],
    ['targets/relabel_steps?scrapePool=self&labels={"a":1}', 'invalid parameter "labels": the value of "a" is not a string'],
    ["targets/relabel_steps?scrapePool=other&labels={}", 'scrape pool "other" not found'],
    ["scrape_pools/config?scrapePool=other", 'scrape pool "other" not found'],
    ["scrape_pools/config", "no scrapePool parameter provided"],
    ["query_exemplars?query=sum(", 'invalid parameter "query": 1:5: parse error: unclosed left parenthesis'],
    ["query?query=up&explain=maybe", 'error converting explain: "maybe" is not true or false'],
  ])("%s: 400, %s", async (path, error) => {
    const { status, body } = await asked(path);
    expect([status, body.error]).toEqual([400, error]);
  });

  test("scrape_pools/config: the job as YAML", async () => {
    expect((await data("scrape_pools/config?scrapePool=self"))["yaml"]).toContain("job_name: self\nscrape_interval: 100ms\n");
  });

  test("features, walreplay and headStats", async () => {
    expect(await data("features")).toMatchObject({ promql_functions: { rate: true }, promql: { smoothed: true }, api: { admin: false } });
    expect(await data("status/walreplay")).toEqual({ min: 0, max: 0, current: 0, state: "done" });
    const { headStats } = (await data("status/tsdb")) as { headStats: { numSeries: number; numSamples: number; chunkCount: number } };
    expect(headStats.numSamples).toBeGreaterThanOrEqual(headStats.numSeries);
    expect(headStats.chunkCount).toBeGreaterThanOrEqual(headStats.numSeries);
  });

  test("a reload that fails is a notification until one succeeds", async () => {
    const file = join(folder, "metrics.yml");
    writeFileSync(file, "global: {scrape_interval: never}\n");
    await expect(server.reload()).rejects.toThrow("scrape_interval");
    expect(await data("notifications")).toMatchObject([{ active: true, text: expect.stringMatching(/^Configuration reload has failed/) }]);
    writeFileSync(file, CONFIG.replace("HOST", JSON.stringify(new URL(server.url).host)));
    await server.reload();
    expect(await data("notifications")).toEqual([]);
  });

  test.each(["query?query", "query_range?start=0&end=60&step=15&query"])(
    "%s with explain: the tree with series and samples",
    async (path) => {
      const answer = await data(`${path}=${encodeURIComponent("sum(rate(up[1m])) > vector(0)")}&explain=true`);
      expect(answer["explain"]).toMatchObject({
        type: "binary",
        label: ">",
        children: [
          {
            label: "sum",
            children: [{ label: "rate", text: "rate(up[1m])", children: [{ type: "matrixSelector", children: [{ label: "up" }] }] }],
          },
          { label: "vector", text: "vector(0)" },
        ],
      });
      expect(await data(`${path}=up`)).not.toHaveProperty("explain");
    },
  );
});

describe("a Grafana data source", () => {
  const now = Math.floor(Date.now() / 1_000);

  test("the health check: 1+1 by POST, the version, and the features", async () => {
    const { status, body } = await asked("query", { query: "1+1", time: String(now) });
    expect([status, body.data]).toEqual([200, { resultType: "scalar", result: [now, "2"] }]);
    expect(await data("status/buildinfo")).toMatchObject({ version: expect.stringMatching(/^3\.\d+\.\d+$/) });
  });

  test("an instant and a range query, by GET and by POST, give the same", async () => {
    const range = { query: 'up{job="self"}', start: String(now - 60), end: String(now), step: "15" };
    const instant = { query: "count(up)", time: String(now + 5) };
    for (const [path, form] of [
      ["query_range", range],
      ["query", instant],
    ] as const) {
      const posted = await asked(path, form);
      expect(posted.status).toBe(200);
      expect(await data(`${path}?${new URLSearchParams(form)}`)).toEqual(posted.body.data);
    }
  });

  test("an expression that is wrong: 400 with its place", async () => {
    const { status, body } = await asked("query_range", { query: "rate(up)", start: "0", end: "60", step: "15" });
    expect([status, body.status, body.error]).toEqual([400, "error", expect.stringContaining("expected type range vector")]);
  });

  test("names and values of labels, by selector and time, for its variables and its query builder", async () => {
    const range = { start: String(now - 600), end: String(now + 60) };
    const names = (await asked("labels", { "match[]": "up", ...range })).body.data;
    expect(names).toEqual(["__name__", "env", "instance", "job", "shard"]);
    expect(await data(`labels?${new URLSearchParams({ "match[]": "up", ...range })}`)).toEqual(names);
    const search = new URLSearchParams({ "match[]": '{__name__="up"}', limit: "40000", ...range });
    expect(await data(`label/job/values?${search}`)).toEqual(["self"]);
    expect(await data(`label/__name__/values?${new URLSearchParams({ limit: "40000", ...range })}`)).toContain("scrape_duration_seconds");
    expect((await asked("series", { "match[]": "up", ...range })).body.data).toMatchObject([{ __name__: "up", job: "self" }]);
  });

  test("metadata of metrics, with a limit and of one metric", async () => {
    const all = await data("metadata?limit=2");
    expect(Object.keys(all)).toHaveLength(2);
    expect(await data("metadata?metric=prometheus_tsdb_head_series")).toEqual({
      prometheus_tsdb_head_series: [{ type: "gauge", help: "Series in memory.", unit: "" }],
    });
  });

  test("rules and exemplars: empty lists where there are none", async () => {
    expect(await data("rules")).toEqual({ groups: [] });
    expect((await asked("query_exemplars", { query: "up", start: "0", end: String(now) })).body).toEqual({ status: "success", data: [] });
  });
});
