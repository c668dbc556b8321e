import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Histogram, Labels } from "../../metrics/model/index.ts";
import { serveMetrics, type MetricsServer } from "./index.ts";

/** Queries over what other servers have stored. */

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of cleanups.splice(0).reverse()) await one();
});
const home = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-sources-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
async function start(folder: string, name: string, config: string): Promise<MetricsServer> {
  const file = join(folder, `${name}.yml`);
  writeFileSync(file, config);
  const server = await serveMetrics({ directory: join(folder, name), port: 0, graceMs: 50, scrape: { file, onNotice: () => {} } });
  cleanups.push(() => server.close());
  return server;
}

const MINUTE = 60_000;
const T = Math.floor(Date.now() / MINUTE) * MINUTE - 30 * MINUTE;
const HISTOGRAM: Histogram = {
  schema: 0,
  zeroThreshold: 0.5,
  zeroCount: 1,
  count: 3,
  sum: 4,
  positiveSpans: [{ offset: 0, length: 1 }],
  negativeSpans: [],
  positive: [2],
  negative: [],
  bounds: [],
  resetHint: "unknown",
  isInteger: true,
};
function fill(server: MetricsServer, name: string, minutes: readonly number[], labels: Record<string, string> = {}): void {
  const appender = server.database.appender();
  const id = appender.series(Labels.of({ __name__: name, ...labels }));
  const native = appender.series(Labels.of({ __name__: `${name}_native`, ...labels }));
  for (const minute of minutes) {
    appender.append(id, T + minute * MINUTE, minute);
    appender.appendHistogram(native, T + minute * MINUTE, { ...HISTOGRAM, sum: minute });
  }
  appender.commit();
}
const span = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);

type Answer = {
  readonly data: { readonly result: readonly { metric: Record<string, string>; values: [number, string][] }[] };
  readonly warnings?: string[];
};
async function range(
  server: MetricsServer,
  query: string,
): Promise<{ readonly rows: Record<string, string>; readonly warnings: string[] }> {
  const url = `${server.url}api/v1/query_range?query=${encodeURIComponent(query)}&start=${T / 1_000}&end=${T / 1_000 + 19 * 60}&step=60`;
  const { data, warnings = [] } = (await (await fetch(url)).json()) as Answer;
  const rows = data.result.map(({ metric, values }) => [Labels.of(metric).toString(), values.map(([, value]) => value).join(" ")]);
  return { rows: Object.fromEntries(rows) as Record<string, string>, warnings };
}
const words = (minutes: readonly number[]): string => minutes.join(" ");

describe("remote_read", () => {
  test.each([
    ["both, the other one only for what is older than the first sample here", ""],
    ["all of both, where recent samples are read too", ", read_recent: true"],
  ])("a query sees the samples of %s", async (_, more) => {
    const folder = home();
    const other = await start(folder, "other", "global: {external_labels: {site: eu}}");
    fill(other, "m", span(0, 20));
    fill(other, "theirs", span(0, 20), { a: "ü😀" });
    const here = await start(
      folder,
      "here",
      `global: {external_labels: {site: eu}}\nremote_read: [{url: "${other.url}api/v1/read"${more}}]`,
    );
    fill(here, "m", span(10, 20));
    const isAll = more !== "";
    expect((await range(here, "last_over_time(m[50s])")).rows).toEqual({ m: words(span(0, 20)) });
    expect((await range(here, 'last_over_time(theirs{a=~"ü.*"}[50s])')).rows).toEqual({
      'theirs{a="ü😀"}': words(isAll ? span(0, 20) : span(0, 11)),
    });
    expect((await range(here, "histogram_sum(last_over_time(theirs_native[50s]))")).rows).toEqual({
      '{a="ü😀"}': words(isAll ? span(0, 20) : span(0, 11)),
    });
    expect((await range(here, "nothing")).rows).toEqual({});
  });

  test("external labels are asked for and removed; another value of one finds nothing", async () => {
    const folder = home();
    const other = await start(folder, "other", "global: {external_labels: {site: eu}}");
    fill(other, "m", [1, 2]);
    const elsewhere = await start(
      folder,
      "elsewhere",
      `global: {external_labels: {site: us}}\nremote_read: [{url: "${other.url}api/v1/read"}]`,
    );
    expect((await range(elsewhere, "m")).rows).toEqual({});
    const plain = await start(folder, "plain", `remote_read: [{url: "${other.url}api/v1/read", filter_external_labels: false}]`);
    expect(Object.keys((await range(plain, "m")).rows)).toEqual(['m{site="eu"}']);
  });

  test("required_matchers: selectors without them stay here", async () => {
    const folder = home();
    const other = await start(folder, "other", "");
    fill(other, "m", [1], { tier: "old" });
    const here = await start(folder, "here", `remote_read: [{url: "${other.url}api/v1/read", required_matchers: {tier: old}}]`);
    expect((await range(here, "m")).rows).toEqual({});
    expect(Object.keys((await range(here, 'm{tier="old"}')).rows)).toEqual(['m{tier="old"}']);
  });

  test.each<[string, number, Record<string, string>, Uint8Array, RegExp]>([
    ["answers 500", 500, {}, new Uint8Array(0), /remote_read far: it answers 500: its series are missing/],
    ["sends no Snappy block", 200, { "content-type": "application/x-protobuf" }, Uint8Array.of(255, 255), /is not a Snappy block/],
    [
      "claims a frame of a gigabyte",
      200,
      { "content-type": "application/x-streamed-protobuf" },
      Uint8Array.of(0x80, 0x80, 0x80, 0x80, 4, 0),
      /a frame has more than 50000000 octets/,
    ],
    [
      "sends a wrong checksum",
      200,
      { "content-type": "application/x-streamed-protobuf" },
      Uint8Array.of(1, 0, 0, 0, 0, 8),
      /a frame has the wrong checksum/,
    ],
    ["ends within a frame", 200, { "content-type": "application/x-streamed-protobuf" }, Uint8Array.of(9, 0), /ends within a frame/],
  ])("a server that %s is a warning, and the query has what is here", async (_, status, headers, body, warning) => {
    const folder = home();
    const far = createServer((request, response) => void request.resume().on("end", () => response.writeHead(status, headers).end(body)));
    far.listen(0, "127.0.0.1");
    await new Promise((done) => far.once("listening", done));
    cleanups.push(() => (far.closeAllConnections(), far.close()));
    const url = `http://127.0.0.1:${(far.address() as AddressInfo).port}/`;
    const here = await start(folder, "here", `remote_read: [{url: "${url}", name: far, read_recent: true}]`);
    fill(here, "m", span(0, 20));
    const { rows, warnings } = await range(here, "m");
    expect(rows).toEqual({ m: words(span(0, 20)) });
    expect(warnings).toEqual([expect.stringMatching(warning) as string]);
  });

  test.each([
    ["the query has less time than the server: it has timed out", "1m", "30ms", 503],
    ["the server has less time than the query: that is a warning", "30ms", "1m", 200],
  ])("%s", async (_, remote, query, status) => {
    const folder = home();
    const far = createServer(() => {});
    far.listen(0, "127.0.0.1");
    await new Promise((done) => far.once("listening", done));
    cleanups.push(() => (far.closeAllConnections(), far.close()));
    const url = `http://127.0.0.1:${(far.address() as AddressInfo).port}/`;
    const here = await start(folder, "here", `remote_read: [{url: "${url}", read_recent: true, remote_timeout: ${remote}}]`);
    fill(here, "m", span(0, 20));
    const statuses = new Set<number>();
    // A timer may fire a moment before its time: the answer must not depend on it.
    for (let left = 25; left > 0; left--)
      statuses.add((await fetch(`${here.url}api/v1/query?query=m&time=${T / 1_000}&timeout=${query}`)).status);
    expect([...statuses]).toEqual([status]);
  });

  describe("what is not a query, as Prometheus does", () => {
    type List = { readonly data: readonly unknown[]; readonly warnings?: string[] };
    const list = async (server: MetricsServer, path: string): Promise<List> =>
      (await (await fetch(`${server.url}api/v1/${path}`)).json()) as List;
    /** A server with samples of its own, before which another one has more. */
    async function pair(more = ""): Promise<MetricsServer> {
      const folder = home();
      const other = await start(folder, "other", "");
      fill(other, "m", span(0, 20), { at: "other" });
      const here = await start(folder, "here", `remote_read: [{url: "${other.url}api/v1/read", name: far${more}}]`);
      fill(here, "m", span(10, 20), { at: "here" });
      return here;
    }

    test("series: those of both, each once, up to the limit; only for times before the first sample here", async () => {
      const here = await pair();
      const all = [
        { __name__: "m", at: "here" },
        { __name__: "m", at: "other" },
      ];
      expect(await list(here, "series?match[]=m")).toMatchObject({ data: all });
      expect(await list(here, 'series?match[]=m&match[]={at="other",__name__="m"}')).toMatchObject({ data: all });
      expect(await list(here, "series?match[]=m&limit=1")).toMatchObject({
        data: [all[0]],
        warnings: ["results truncated due to limit"],
      });
      expect(await list(here, `series?match[]=m&start=${T / 1_000 + 660}`)).toMatchObject({ data: [all[0]] });
      const recent = await pair(", read_recent: true");
      expect(await list(recent, `series?match[]=m&start=${T / 1_000 + 660}`)).toMatchObject({ data: all });
    });

    test("series: a server that is gone is a warning", async () => {
      const here = await start(home(), "here", 'remote_read: [{url: "http://127.0.0.1:1/", name: far}]');
      fill(here, "m", [1]);
      const { data, warnings } = await list(here, "series?match[]=m");
      expect(data).toEqual([{ __name__: "m" }]);
      expect(warnings).toEqual([expect.stringMatching(/^remote_read far: .*: its series are missing$/)]);
    });

    test("names and values of labels: those of this server, and a warning if another one has such times", async () => {
      const here = await pair();
      const warnings = ["remote_read far: its names and values of labels are missing"];
      expect(await list(here, "label/at/values")).toMatchObject({ data: ["here"], warnings });
      expect(await list(here, "labels?match[]=m")).toMatchObject({ data: ["__name__", "at"], warnings });
      expect(await list(here, `labels?match[]=m&start=${T / 1_000 + 660}`)).not.toHaveProperty("warnings");
    });

    test("rules read what queries read", async () => {
      const folder = home();
      const other = await start(folder, "other", "");
      fill(other, "m", span(0, 20));
      writeFileSync(
        join(folder, "rules.yml"),
        `groups: [{name: g, interval: 100ms, rules: [{record: old, expr: 'sum_over_time(m[20m] @ ${T / 1_000 + 240})'}, {record: new, expr: 'count(up) or vector(7)'}]}]`,
      );
      const here = await start(folder, "here", `rule_files: [rules.yml]\nremote_read: [{url: "${other.url}api/v1/read"}]`);
      fill(here, "m", span(10, 20));
      const value = async (query: string): Promise<string | undefined> => {
        const { data } = (await (await fetch(`${here.url}api/v1/query?query=${query}`)).json()) as {
          data: { result: { value: [number, string] }[] };
        };
        return data.result[0]?.value[1];
      };
      await expect.poll(() => value("old"), { timeout: 10_000 }).toBe("10");
      expect(await value("new")).toBe("7");
    });
  });
});
