import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { Labels } from "../../metrics/model/index.ts";
import { serveMetrics } from "./index.ts";
import { freePort } from "./testing.ts";

/** Debian's prometheus sends its samples to us, receives ours, and shows the same page of federated series. */

const PROMETHEUS = "/usr/bin/prometheus";
const isHere = existsSync(PROMETHEUS);
if (!isHere) console.log("Remote write is not tested with prometheus: it is not installed (on Debian: apt-get install prometheus).");

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of cleanups.splice(0).reverse()) await one();
});

async function target(): Promise<number> {
  const port = await freePort();
  const server = createServer(
    (_, response) => void response.setHeader("content-type", "text/plain").end('a{i="1"} 1\na{i="2"} 2.5\nb 7\n'),
  );
  server.listen(port, "127.0.0.1");
  cleanups.push(() => (server.closeAllConnections(), server.close()));
  return port;
}

type Rows = readonly (readonly [string, string])[];
async function valuesOf(url: string, expr: string): Promise<Rows> {
  const answer = await fetch(`${url}api/v1/query?query=${encodeURIComponent(expr)}`).catch(() => undefined);
  if (answer === undefined) return [];
  const { data } = (await answer.json()) as { data?: { result: { metric: Record<string, string>; value: [number, string] }[] } };
  return (data?.result ?? []).map(({ metric, value }) => [JSON.stringify(metric), value[1]] as const);
}

function prometheus(folder: string, config: string, port: number, more: readonly string[] = []): () => void {
  const file = join(folder, "theirs.yml");
  writeFileSync(file, config);
  const peer: ChildProcess = spawn(
    PROMETHEUS,
    [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, "theirs")}`, `--web.listen-address=127.0.0.1:${port}`, ...more],
    { stdio: "ignore" },
  );
  const end = (): unknown => peer.kill("SIGKILL");
  cleanups.push(end);
  return end;
}

const home = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-remote-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

describe.runIf(isHere)("beside prometheus", () => {
  test("it sends its samples to us by remote write", async () => {
    const folder = home();
    const [scraped, theirs] = [await target(), await freePort()];
    await using server = await serveMetrics({ directory: join(folder, "ours"), port: 0, graceMs: 100, remoteWriteReceiver: true });
    prometheus(
      folder,
      `global: {scrape_interval: 1s, scrape_timeout: 900ms, external_labels: {region: eu}}
remote_write: [{url: "${server.url}api/v1/write"}]
scrape_configs: [{job_name: t, static_configs: [{targets: ["127.0.0.1:${scraped}"]}]}]
`,
      theirs,
    );
    const wanted = [
      ["1", "1"],
      ["2", "2.5"],
    ];
    await expect
      .poll(() =>
        valuesOf(server.url, 'a{region="eu"}').then((rows) =>
          rows.map(([labels, value]) => [(JSON.parse(labels) as { i: string }).i, value]),
        ),
      )
      .toEqual(wanted);
    const counted = async (): Promise<number> => Number((await valuesOf(server.url, "count_over_time(b[1m])"))[0]?.[1] ?? 0);
    const before = await counted();
    await expect.poll(counted).toBeGreaterThan(before + 1);
  });

  test("it receives our exemplars, and finds them in our log", async () => {
    const folder = home();
    const [theirs, file] = [await freePort(), join(folder, "ours.yml")];
    writeFileSync(
      file,
      `remote_write: [{url: "http://127.0.0.1:${theirs}/api/v1/write", send_exemplars: true, queue_config: {batch_send_deadline: 50ms, max_backoff: 100ms}}]\n`,
    );
    const more = ["--web.enable-remote-write-receiver", "--enable-feature=exemplar-storage"];
    const end = prometheus(folder, "", theirs, more);
    const ours = await serveMetrics({ directory: join(folder, "ours"), port: 0, graceMs: 50, scrape: { file, onNotice: () => {} } });
    const at = Math.floor(Date.now() / 1_000) * 1_000;
    const appender = ours.database.appender();
    const id = appender.series(Labels.of({ __name__: "counted_total" }));
    appender.append(id, at, 5);
    for (const [step, trace] of ["a", "ü😀"].entries())
      appender.appendExemplar(id, { labels: Labels.of({ trace_id: trace }), value: step + 1, time: at + step });
    appender.commit();
    const found = async (url: string): Promise<unknown> => {
      const answer = await fetch(`${url}api/v1/query_exemplars?query=counted_total&start=${at / 1_000}&end=${at / 1_000 + 9}`).catch(
        () => undefined,
      );
      return answer === undefined ? undefined : ((await answer.json()) as { data: unknown }).data;
    };
    const wanted = [
      {
        seriesLabels: { __name__: "counted_total" },
        exemplars: [
          { labels: { trace_id: "a" }, value: "1", timestamp: at / 1_000 },
          { labels: { trace_id: "ü😀" }, value: "2", timestamp: (at + 1) / 1_000 },
        ],
      },
    ];
    await expect.poll(() => found(`http://127.0.0.1:${theirs}/`), { timeout: 20_000 }).toEqual(wanted);
    expect(await found(ours.url)).toEqual(wanted);
    await ours.close();
    end();
    const [again, copy] = [await freePort(), join(folder, "copy")];
    mkdirSync(copy);
    renameSync(join(folder, "ours"), join(copy, "theirs"));
    prometheus(copy, "", again, more);
    await expect.poll(() => found(`http://127.0.0.1:${again}/`), { timeout: 20_000 }).toEqual(wanted);
  });

  test("it receives what we stored while it was away, over a restart of ours: floats, histograms, the ends of series", async () => {
    const folder = home();
    const [scraped, theirs] = [await target(), await freePort()];
    const file = join(folder, "ours.yml");
    writeFileSync(
      file,
      `global: {external_labels: {region: eu}}
scrape_configs: [{job_name: t, scrape_interval: 200ms, scrape_timeout: 200ms, static_configs: [{targets: ["127.0.0.1:${scraped}"]}]}]
remote_write: [{url: "http://127.0.0.1:${theirs}/api/v1/write", send_native_histograms: true, metadata_config: {send_interval: 200ms}, queue_config: {batch_send_deadline: 100ms, max_backoff: 200ms}}]
`,
    );
    const start = () =>
      serveMetrics({ directory: join(folder, "ours"), port: 0, graceMs: 50, scrape: { file, onNotice: () => {}, flushMs: 5_000 } });
    const first = await start();
    const at = Date.now() - 30_000;
    const appender = first.database.appender();
    const [floats, native] = ["away", "native"].map((name) => appender.series(Labels.of({ __name__: name })));
    for (let step = 0; step < 100; step++) appender.append(floats!, at + step, step);
    appender.appendStale(floats!, at + 100);
    const spans = { positiveSpans: [{ offset: 0, length: 2 }], negativeSpans: [], positive: [1, 2], negative: [], bounds: [] };
    const histogram = {
      schema: 0,
      zeroThreshold: 0.5,
      zeroCount: 1,
      count: 4,
      sum: 9,
      ...spans,
      resetHint: "unknown",
      isInteger: true,
    } as const;
    for (let step = 0; step < 10; step++) appender.appendHistogram(native!, at + step, histogram);
    appender.commit();
    await expect.poll(() => valuesOf(first.url, "b"), { timeout: 10_000 }).toHaveLength(1);
    await first.close();
    await using _second = await start();
    const flags = ["--web.enable-remote-write-receiver", "--enable-feature=native-histograms"];
    prometheus(folder, "global: {}", theirs, flags);
    const other = `http://127.0.0.1:${theirs}/`;
    const value = (expr: string) => valuesOf(other, expr).then((rows) => rows[0]?.[1]);
    await expect.poll(() => value("count_over_time(away[5m])"), { timeout: 30_000 }).toBe("100");
    await expect.poll(() => value("histogram_count(native)"), { timeout: 10_000 }).toBe("4");
    // The series has ended.
    expect(await valuesOf(other, "away")).toEqual([]);
    await expect.poll(() => valuesOf(other, 'b{region="eu"}'), { timeout: 10_000 }).toHaveLength(1);
  });

  test("it reads our samples by remote read, with external labels", async () => {
    const folder = home();
    const theirs = await freePort();
    const file = join(folder, "ours.yml");
    writeFileSync(file, "global: {external_labels: {region: eu}}");
    await using server = await serveMetrics({
      directory: join(folder, "ours"),
      port: 0,
      graceMs: 50,
      scrape: { file, onNotice: () => {} },
    });
    const appender = server.database.appender();
    const id = appender.series(Labels.of({ __name__: "kept", i: "1" }));
    const at = Date.now() - 10_000;
    for (let step = 0; step < 10; step++) appender.append(id, at + step, step);
    appender.commit();
    prometheus(folder, `remote_read: [{url: "${server.url}api/v1/read", read_recent: true}]`, theirs);
    const other = `http://127.0.0.1:${theirs}/`;
    const value = (expr: string) => valuesOf(other, expr).then((rows) => rows[0]);
    const wanted = [JSON.stringify({ i: "1", region: "eu" }), "10"];
    await expect.poll(() => value('count_over_time(kept{region="eu",i=~"1|2"}[5m])'), { timeout: 30_000 }).toEqual(wanted);
    expect(await value('kept{region="us"}')).toBeUndefined();
    expect(await value('kept{i!="1"}')).toBeUndefined();
  });

  test("its page of federated series is ours, but for the order of labels", async () => {
    const folder = home();
    const [scraped, theirs] = [await target(), await freePort()];
    const config = `global: {scrape_interval: 1s, scrape_timeout: 900ms, evaluation_interval: 1s, external_labels: {region: eu, i: x}}
rule_files: [r.rules]
scrape_configs: [{job_name: t, static_configs: [{targets: ["127.0.0.1:${scraped}"]}]}]
`;
    writeFileSync(join(folder, "r.rules"), "groups: [{name: g, rules: [{record: 'total:a', expr: sum(a)}]}]");
    prometheus(folder, config, theirs);
    const file = join(folder, "ours.yml");
    writeFileSync(file, config);
    await using server = await serveMetrics({
      directory: join(folder, "ours"),
      port: 0,
      graceMs: 100,
      scrape: { file, onNotice: () => {} },
    });
    const page = async (url: string): Promise<string[]> => {
      const answer = await fetch(`${url}federate?match[]=${encodeURIComponent('{__name__=~"a|b"}')}&match[]=b&match[]=total:a`).catch(
        () => undefined,
      );
      const lines = ((await answer?.text()) ?? "").trim().split("\n");
      return lines
        .map((line) => {
          const [, name = "", labels = "", value = ""] = /^(\S+?)\{(.*)\} (\S+) \d+$/.exec(line) ?? [line, line];
          return `${name} ${labels.split(",").sort().join(",")} ${value}`;
        })
        .sort();
    };
    const other = `http://127.0.0.1:${theirs}/`;
    await expect.poll(() => page(other).then((lines) => lines.length)).toBe(7);
    const wanted = await page(other);
    await expect.poll(() => page(server.url)).toEqual(wanted);
  });
});

describe("the endpoint of remote write", () => {
  test("without the flag there is none, and other requests are refused with their reason", async () => {
    const folder = home();
    await using closed = await serveMetrics({ directory: join(folder, "a"), port: 0, graceMs: 100 });
    await using open = await serveMetrics({ directory: join(folder, "b"), port: 0, graceMs: 100, remoteWriteReceiver: true });
    const post = (url: string, fields: Record<string, string> = {}, body = "\0") =>
      fetch(`${url}api/v1/write`, { method: "POST", body, headers: { "content-type": "application/x-protobuf", ...fields } });
    const second = "application/x-protobuf;proto=io.prometheus.write.v2.Request";
    expect((await post(closed.url)).status).toBe(404);
    expect((await post(open.url)).status).toBe(204);
    const written = await post(open.url, { "content-type": second });
    expect([written.status, written.headers.get("x-prometheus-remote-write-samples-written")]).toEqual([204, "0"]);
    expect((await post(open.url, { "content-type": "application/json" })).status).toBe(415);
    expect((await post(open.url, { "content-encoding": "gzip" })).status).toBe(415);
    expect((await post(open.url, {}, "nothing like it")).status).toBe(400);
    expect((await fetch(`${open.url}api/v1/write`)).status).toBe(405);
    expect((await fetch(`${open.url}federate`)).status).toBe(400);
  });
});
