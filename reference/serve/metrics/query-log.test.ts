import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serveMetrics, type MetricsServer } from "./index.ts";

let folder: string;
let server: MetricsServer | undefined;
const notices: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-query-log-"));
  notices.length = 0;
});
afterEach(async () => {
  await server?.close();
  rmSync(folder, { recursive: true });
});
const at = (name: string): string => join(folder, name);
const lines = (name: string): Record<string, unknown>[] =>
  readFileSync(at(name), "utf8")
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
async function start(config: string): Promise<MetricsServer> {
  writeFileSync(at("m.yml"), config);
  server = await serveMetrics({
    directory: at("data"),
    graceMs: 0,
    scrape: { file: at("m.yml"), onNotice: (one) => void notices.push(one) },
  });
  return server;
}
const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(`${server!.url}api/v1/${path}`, init);
const metric = async (name: string): Promise<string | undefined> =>
  new RegExp(`^${name} (.*)$`, "m").exec(await (await fetch(`${server!.url}metrics`)).text())?.[1];

test("query_log_file: each query is a line, with its parameters, its times and its client; a failed one has its error", async () => {
  await start("global: {query_log_file: queries.log}\n");
  await ask("query?query=1%2B1&time=60");
  await ask("query_range", { method: "POST", body: new URLSearchParams({ query: "vector( 2 )", start: "0", end: "60", step: "15" }) });
  await ask('query?query=label_replace(vector(1),"a","b","c","(")&time=1');
  // What is not evaluated is not logged.
  expect((await ask("query?query=1%2B")).status).toBe(400);
  await ask("labels");
  const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString();
  expect(lines("queries.log")).toEqual([
    {
      time: expect.stringMatching(/^20\d\d-.*Z$/) as string,
      msg: "promql query logged",
      params: { query: "1+1", start: iso(60), end: iso(60), step: 0 },
      stats: {
        timings: {
          evalTotalTime: expect.any(Number) as number,
          execQueueTime: expect.any(Number) as number,
          execTotalTime: expect.any(Number) as number,
        },
        samples: { peakSamples: expect.any(Number) as number },
      },
      httpRequest: { clientIP: "127.0.0.1", method: "GET", path: "/api/v1/query" },
    },
    expect.objectContaining({
      params: { query: "vector( 2 )", start: iso(0), end: iso(60), step: 15 },
      httpRequest: { clientIP: "127.0.0.1", method: "POST", path: "/api/v1/query_range" },
    }),
    expect.objectContaining({ error: expect.stringContaining("regular expression") as string }),
  ]);
  expect(await metric("prometheus_engine_query_log_enabled")).toBe("1");
  expect(notices).toEqual([]);
});

test("times that a Date cannot have are logged in milliseconds, and the query is answered", async () => {
  await start("global: {query_log_file: queries.log}\n");
  for (const time of ["9000000000000", "-9000000000000"]) expect((await ask(`query?query=1&time=${time}`)).status).toBe(200);
  expect(lines("queries.log").map(({ params }) => (params as { end: string }).end)).toEqual(["9000000000000000", "-9000000000000000"]);
});

test("a reload opens the file anew, as rotation needs it, or another one, or none", async () => {
  await start("global: {query_log_file: queries.log}\n");
  await ask("query?query=1");
  renameSync(at("queries.log"), at("queries.log.1"));
  await ask("query?query=2");
  await server!.reload();
  await ask("query?query=3");
  writeFileSync(at("m.yml"), "global: {query_log_file: other.log}\n");
  await server!.reload();
  await ask("query?query=4");
  writeFileSync(at("m.yml"), "global: {}\n");
  await server!.reload();
  await ask("query?query=5");
  const queries = (name: string): unknown[] => lines(name).map(({ params }) => (params as { query: string }).query);
  expect([queries("queries.log.1"), queries("queries.log"), queries("other.log")]).toEqual([["1", "2"], ["3"], ["4"]]);
  expect(await metric("prometheus_engine_query_log_enabled")).toBe("0");
});

test("a rule is a line with its group", async () => {
  writeFileSync(at("rules.yml"), "groups: [{name: g, interval: 100ms, rules: [{record: 'a:b', expr: 'vector(1) +  1'}]}]\n");
  await start("global: {query_log_file: queries.log}\nrule_files: [rules.yml]\n");
  await expect.poll(() => lines("queries.log").length, { timeout: 10_000 }).toBeGreaterThan(1);
  expect(lines("queries.log")[0]).toMatchObject({
    params: { query: "vector(1) + 1", step: 0 },
    ruleGroup: { file: at("rules.yml"), name: "g" },
    stats: { timings: { execTotalTime: expect.any(Number) as number } },
  });
});

test("a file that cannot be opened: a notice, and queries are answered", async () => {
  await start("global: {query_log_file: missing/queries.log}\n");
  expect(notices).toEqual([expect.stringMatching(/^query_log_file: queries are not logged: .*ENOENT/)]);
  expect((await ask("query?query=1")).status).toBe(200);
});
