import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { Columns, type Histogram, Labels, Matcher } from "../../metrics/model/index.ts";
import type { Database } from "../../metrics/tsdb/index.ts";
import { serveMetrics, type MetricsServer } from "./index.ts";
import { freePort } from "./testing.ts";

/** Sending the log of one server to another, and to receivers that fail. */

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of cleanups.splice(0).reverse()) await one();
});
const home = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-remote-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const QUEUE = "queue_config: {batch_send_deadline: 20ms, min_backoff: 10ms, max_backoff: 40ms}";
async function sender(folder: string, section: string, notices: string[] = [], more = ""): Promise<MetricsServer> {
  const file = join(folder, "sender.yml");
  writeFileSync(file, `global: {external_labels: {region: eu}}\n${more}remote_write:\n${section}`);
  const server = await serveMetrics({
    directory: join(folder, "sender"),
    port: 0,
    graceMs: 50,
    scrape: { file, onNotice: (message) => notices.push(message), flushMs: 2_000 },
  });
  cleanups.push(() => server.close());
  return server;
}
async function receiver(folder: string, port = 0, config = "global: {}"): Promise<MetricsServer> {
  const file = join(folder, "receiver.yml");
  writeFileSync(file, config);
  const server = await serveMetrics({
    directory: join(folder, "receiver"),
    port,
    graceMs: 50,
    remoteWriteReceiver: true,
    scrape: { file, onNotice: () => {} },
  });
  cleanups.push(() => server.close());
  return server;
}

const T = Date.now() - 60_000;
function write(server: MetricsServer, name: string, time: number, value: number | Histogram | "stale"): void {
  const appender = server.database.appender();
  const id = appender.series(Labels.of({ __name__: name, i: "1" }));
  if (value === "stale") appender.appendStale(id, T + time);
  else if (typeof value === "number") appender.append(id, T + time, value);
  else appender.appendHistogram(id, T + time, value);
  appender.commit();
}
function shown(database: Database): string[] {
  const querier = database.querier(0, Infinity);
  const found: string[] = [];
  for (const series of querier.select([new Matcher("i", "=~", ".+")], 0, Infinity)) {
    const columns = new Columns();
    series.read(columns, 0, Infinity);
    for (let row = 0; row < columns.length; row++) {
      const value = columns.isStale(row) ? "stale" : (columns.histograms?.[row]?.count ?? columns.values[row]);
      found.push(`${series.labels} ${columns.times[row]! - T} ${value}`);
    }
  }
  querier.close();
  return found;
}

const NATIVE: Histogram = {
  schema: 0,
  zeroThreshold: 0.5,
  zeroCount: 1,
  count: 4,
  sum: 9,
  positiveSpans: [{ offset: 0, length: 2 }],
  negativeSpans: [],
  positive: [1, 2],
  negative: [],
  bounds: [],
  resetHint: "unknown",
  isInteger: true,
};

type Seen = { readonly headers: IncomingHttpHeaders; readonly length: number };
/** Answers requests with these in turn, and then with the last. */
async function answering(
  answers: readonly [status: number, headers?: Record<string, string>][],
): Promise<{ readonly url: string; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let length = 0;
    request.on("data", (piece: Buffer) => (length += piece.length));
    request.on("end", () => {
      const [status, headers = {}] = answers[Math.min(seen.length, answers.length - 1)]!;
      seen.push({ headers: request.headers, length });
      response.writeHead(status, headers).end(status < 300 ? "" : "why not\nmore");
    });
  });
  server.listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  cleanups.push(() => (server.closeAllConnections(), server.close()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

describe("remote write to a server of our own", () => {
  test.each(["prometheus.WriteRequest", "io.prometheus.write.v2.Request"])(
    "%s: floats, stale markers and histograms arrive, with external labels",
    async (message) => {
      const folder = home();
      const to = await receiver(folder);
      const rules = "write_relabel_configs: [{source_labels: [__name__], regex: secret, action: drop}]";
      const from = await sender(
        folder,
        `- {url: "${to.url}api/v1/write", protobuf_message: ${message}, send_native_histograms: true, ${QUEUE}, ${rules}}`,
      );
      write(from, "a", 0, 1);
      write(from, "a", 5, 2);
      write(from, "secret", 5, 2);
      write(from, "h", 5, NATIVE);
      write(from, "a", 9, "stale");
      const wanted = [
        'a{i="1", region="eu"} 0 1',
        'a{i="1", region="eu"} 5 2',
        'a{i="1", region="eu"} 9 stale',
        'h{i="1", region="eu"} 5 4',
      ];
      await expect.poll(() => shown(to.database), { timeout: 10_000, interval: 20 }).toEqual(wanted);
      const page = await (await fetch(`${from.url}metrics`)).text();
      expect(page).toMatch(/^prometheus_remote_storage_samples_total\{.*\} 3$/m);
      expect(page).toMatch(/^prometheus_remote_storage_histograms_total\{.*\} 1$/m);
      expect(page).toMatch(/^prometheus_remote_storage_samples_dropped_total\{.*reason="dropped_series"\} 1$/m);
      expect(page).toMatch(/^prometheus_remote_storage_samples_pending\{.*\} 0$/m);
      await fetch(`${to.url}api/v1/write`, { method: "POST", headers: { "content-type": "text/plain" } });
      const theirs = await (await fetch(`${to.url}metrics`)).text();
      expect(theirs).toMatch(/^touchstone_remote_write_received_samples_total 4$/m);
      expect(theirs).toMatch(/^prometheus_http_requests_total\{code="204",handler="\/api\/v1\/write"\} [1-9]/m);
      expect(theirs).toMatch(/^prometheus_http_requests_total\{code="415",handler="\/api\/v1\/write"\} 1$/m);
    },
  );

  test.each(["prometheus.WriteRequest", "io.prometheus.write.v2.Request"])("%s: exemplars and late samples arrive", async (message) => {
    const folder = home();
    const to = await receiver(folder, 0, "storage: {tsdb: {out_of_order_time_window: 1h}}");
    const url = `${to.url}api/v1/write`;
    const from = await sender(
      folder,
      `- {url: "${url}", protobuf_message: ${message}, send_exemplars: true, ${QUEUE}}\n- {url: "${url}", name: none, ${QUEUE}}`,
      [],
      "storage: {tsdb: {out_of_order_time_window: 1h}}\n",
    );
    const appender = from.database.appender();
    const id = appender.series(Labels.of({ __name__: "a", i: "1" }));
    appender.append(id, T + 5, 5);
    appender.appendExemplar(id, { labels: Labels.of({ trace_id: "t" }), value: 2, time: T + 4 });
    appender.commit();
    write(from, "a", 2, 2);
    await expect
      .poll(() => shown(to.database), { timeout: 10_000, interval: 20 })
      .toEqual(['a{i="1", region="eu"} 2 2', 'a{i="1", region="eu"} 5 5']);
    const asked = await fetch(`${to.url}api/v1/query_exemplars?query=a&start=0&end=${T}`);
    expect(((await asked.json()) as { data: unknown }).data).toEqual([
      {
        seriesLabels: { __name__: "a", i: "1", region: "eu" },
        exemplars: [{ labels: { trace_id: "t" }, value: "2", timestamp: (T + 4) / 1_000 }],
      },
    ]);
    const page = await (await fetch(`${from.url}metrics`)).text();
    expect(page).toMatch(/^prometheus_remote_storage_exemplars_total\{remote_name="http.*\} 1$/m);
    expect(page).toMatch(/^prometheus_remote_storage_exemplars_total\{remote_name="none".*\} 0$/m);
  });

  test("samples that are stored while the receiver is away arrive once, in order, over a restart of the sender", async () => {
    const folder = home();
    const port = await freePort();
    const section = `- {url: "http://127.0.0.1:${port}/api/v1/write", ${QUEUE}}`;
    const first = await sender(folder, section);
    const wanted: string[] = [];
    const store = (server: MetricsServer, from: number, to: number): void => {
      for (let at = from; at < to; at++) {
        write(server, "a", at, at);
        wanted.push(`a{i="1", region="eu"} ${at} ${at}`);
      }
    };
    store(first, 0, 50);
    await expect
      .poll(async () => /samples_pending\{.*\} 50$/m.test(await (await fetch(`${first.url}metrics`)).text()), {
        timeout: 5_000,
        interval: 20,
      })
      .toBe(true);
    await first.close();
    expect(readdirSync(join(folder, "sender", "remote_write"))).toHaveLength(1);
    const second = await sender(folder, section);
    store(second, 50, 80);
    const to = await receiver(folder, port);
    await expect.poll(() => shown(to.database).length, { timeout: 10_000, interval: 20 }).toBe(80);
    store(second, 80, 90);
    // Closing sends what is left.
    await second.close();
    expect(shown(to.database)).toEqual(wanted);
    const third = await sender(folder, section);
    await third.close();
    const page = await fetch(`${to.url}api/v1/query?query=${encodeURIComponent("count_over_time(a[1h])")}`).then(
      (one) => one.json() as Promise<{ data: { result: { value: [number, string] }[] } }>,
    );
    expect(page.data.result[0]?.value[1]).toBe("90");
  });
});

test("a damaged position is reported, and the whole log is sent again", async () => {
  const folder = home();
  const to = await receiver(folder);
  const section = `- {url: "${to.url}api/v1/write", ${QUEUE}}`;
  const first = await sender(folder, section);
  write(first, "a", 0, 1);
  await first.close();
  const positions = join(folder, "sender", "remote_write");
  for (const name of readdirSync(positions)) writeFileSync(join(positions, name), "{");
  const notices: string[] = [];
  const second = await sender(folder, section, notices);
  write(second, "a", 1, 2);
  await expect
    .poll(() => shown(to.database), { timeout: 5_000, interval: 20 })
    .toEqual(['a{i="1", region="eu"} 0 1', 'a{i="1", region="eu"} 1 2']);
  expect(notices).toEqual([expect.stringMatching(/all of the log is sent again: .*is not a position in the log$/) as string]);
});

describe("a receiver that refuses", () => {
  test("429 and 5xx: as the configuration says; Retry-After holds, and then the same request comes again", async () => {
    const to = await answering([[503], [503, { "retry-after": "1" }], [204]]);
    const notices: string[] = [];
    const from = await sender(
      home(),
      `- {url: "${to.url}", headers: {x-tenant: t1}, basic_auth: {username: u, password: p}, ${QUEUE}}`,
      notices,
    );
    write(from, "a", 0, 1);
    await expect.poll(() => to.seen.length, { timeout: 5_000, interval: 10 }).toBe(2);
    const at = performance.now();
    await expect.poll(() => to.seen.length, { timeout: 5_000, interval: 10 }).toBe(3);
    expect(performance.now() - at).toBeGreaterThan(900);
    expect(new Set(to.seen.map(({ length }) => length)).size).toBe(1);
    expect(to.seen[0]?.headers).toMatchObject({
      "content-encoding": "snappy",
      "content-type": "application/x-protobuf",
      "x-prometheus-remote-write-version": "0.1.0",
      "user-agent": expect.stringMatching(/^Touchstone\/\d/) as string,
      "x-tenant": "t1",
      authorization: `Basic ${btoa("u:p")}`,
    });
    expect(notices).toEqual([`remote write to ${to.url}: it answers 503: why not; it is tried again`]);
  });
  test("4xx: the samples are dropped and counted, and the next ones are sent", async () => {
    const to = await answering([[400], [204]]);
    const notices: string[] = [];
    const from = await sender(home(), `- {url: "${to.url}", name: n, ${QUEUE}}`, notices);
    write(from, "a", 0, 1);
    await expect.poll(() => to.seen.length, { timeout: 5_000, interval: 10 }).toBe(1);
    write(from, "a", 1, 1);
    await expect.poll(() => to.seen.length, { timeout: 5_000, interval: 10 }).toBe(2);
    expect(notices).toEqual(["remote write to n: 1 samples dropped: it answers 400: why not"]);
    expect(await (await fetch(`${from.url}metrics`)).text()).toMatch(
      /^prometheus_remote_storage_samples_failed_total\{remote_name="n".*\} 1$/m,
    );
  });
  test("metadata goes with an interval of its own, and a reload that removes the receiver forgets its position", async () => {
    const to = await answering([[204]]);
    const folder = home();
    const target = createServer(
      (_, response) => void response.setHeader("content-type", "text/plain").end("# HELP m text\n# TYPE m gauge\nm 1\n"),
    );
    target.listen(0, "127.0.0.1");
    await new Promise((done) => target.once("listening", done));
    cleanups.push(() => (target.closeAllConnections(), target.close()));
    const scrapes = `scrape_configs: [{job_name: t, scrape_interval: 50ms, scrape_timeout: 50ms, static_configs: [{targets: ["127.0.0.1:${(target.address() as AddressInfo).port}"]}]}]\n`;
    const from = await sender(folder, `- {url: "${to.url}", metadata_config: {send_interval: 100ms}, ${QUEUE}}`, [], scrapes);
    await expect
      .poll(async () => /^prometheus_remote_storage_metadata_total\{.*\} [1-9]/m.test(await (await fetch(`${from.url}metrics`)).text()), {
        timeout: 5_000,
        interval: 20,
      })
      .toBe(true);
    writeFileSync(join(folder, "sender.yml"), "global: {}");
    await from.reload();
    expect(readdirSync(join(folder, "sender", "remote_write"))).toEqual([]);
    expect(await (await fetch(`${from.url}metrics`)).text()).not.toContain("remote_storage");
  });
});
