import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { serveMetrics } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-otlp-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "metrics.yml");
writeFileSync(file, "otlp: {promote_resource_attributes: [host.name]}\n");
let count = 0;
const start = (otlpReceiver: boolean) =>
  serveMetrics({
    directory: join(folder, String(++count)),
    port: 0,
    graceMs: 100,
    otlpReceiver,
    scrape: { file, onNotice: () => {} },
  });

const now = Date.now();
const gauge = (name: string, ms: number, value: number): unknown => ({
  name,
  gauge: { dataPoints: [{ asDouble: value, timeUnixNano: `${ms}000000` }] },
});
const request = (...metrics: unknown[]): string =>
  JSON.stringify({
    resourceMetrics: [
      {
        resource: {
          attributes: [
            { key: "service.name", value: { stringValue: "svc" } },
            { key: "host.name", value: { stringValue: "h" } },
          ],
        },
        scopeMetrics: [{ metrics }],
      },
    ],
  });
const post = (url: string, body: string | Uint8Array<ArrayBuffer>, fields: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${url}api/v1/otlp/v1/metrics`, { method: "POST", headers: { "content-type": "application/json", ...fields }, body });

describe("the OTLP receiver", () => {
  test("stores what it receives, plain or compressed, by the configuration", async () => {
    await using server = await start(true);
    const first = await post(server.url, request(gauge("cpu.load", now, 0.5)));
    expect([first.status, first.headers.get("content-type"), await first.text()]).toEqual([200, "application/json", "{}"]);
    expect((await post(server.url, gzipSync(request(gauge("packed", now, 2))), { "content-encoding": "gzip" })).status).toBe(200);
    const answer = await fetch(`${server.url}api/v1/query?query=${encodeURIComponent('{job="svc"}')}`);
    const { data } = (await answer.json()) as { data: { result: { metric: Record<string, string>; value: [number, string] }[] } };
    expect(data.result.map(({ metric, value }) => [metric["__name__"], metric["host_name"], value[1]]).sort()).toEqual([
      ["cpu_load", "h", "0.5"],
      ["packed", "h", "2"],
      ["target_info", "h", "1"],
    ]);
  });

  test("tells the sender what it refused, and keeps the rest", async () => {
    await using server = await start(true);
    const answer = await post(server.url, request(gauge("future", now + 86_400_000, 1), gauge("good", now, 1)));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      partialSuccess: { rejectedDataPoints: "1", errorMessage: expect.stringMatching(/future.*too far ahead/) },
    });
  });

  test("does not complain of target_info that it has already", async () => {
    await using server = await start(true);
    await post(server.url, request(gauge("a", now, 1)));
    const answer = await post(server.url, request(gauge("b", now - 1000, 1)));
    expect(await answer.json()).toEqual({});
  });

  test("refuses what it cannot read, in the form of the request", async () => {
    await using server = await start(true);
    const broken = await post(server.url, "{");
    expect([broken.status, await broken.json()]).toEqual([400, { code: 3, message: expect.stringContaining("not JSON") }]);
    const cut = await post(server.url, Uint8Array.of(10, 200), { "content-type": "application/x-protobuf" });
    expect([cut.status, cut.headers.get("content-type")]).toEqual([400, "application/x-protobuf"]);
    expect((await cut.bytes()).subarray(0, 2)).toEqual(Uint8Array.of(8, 3));
    const statuses = [
      await post(server.url, "x", { "content-type": "text/plain" }),
      await post(server.url, "{}", { "content-encoding": "br" }),
      await post(server.url, "{}", { "content-encoding": "gzip" }),
      await fetch(`${server.url}api/v1/otlp/v1/metrics`),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([415, 415, 400, 405]);
  });

  test("is off unless asked for", async () => {
    await using server = await start(false);
    const answer = await post(server.url, request(gauge("a", now, 1)));
    expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
      404,
      "This server receives no metrics by OTLP: start it with --web.enable-otlp-receiver.",
    ]);
  });
});
