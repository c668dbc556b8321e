import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { listenOn } from "../testing.ts";
import { serveMetrics } from "./index.ts";

/** As many targets as one process is for. Each has an address of its own on the loopback network, so that they share no connection. */

const TARGETS = 5_000;
/** The default of the configuration. Shorter ones are more scrapes a second than a busy machine has time for. */
const INTERVAL_MS = 60_000;
const TENTHS = 10;
const PAGE = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nConnection: close\r\nContent-Length: 8\r\n\r\na 1\nb 2\n";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of cleanups.splice(0).reverse()) await one();
});

test("5,000 targets: each is up, they are spread over the interval, and none is scraped twice at a time", async () => {
  type Scrape = { isAnswered: boolean; hasFailed: boolean };
  const latest = new Map<string, Scrape>();
  /** Scrapes that another one of the same target has met. */
  const met: Scrape[] = [];
  const first = new Map<string, number>();
  // Kept connections would need two descriptors a target in one process.
  const farm = createServer((socket) => {
    const { localAddress = "" } = socket;
    const before = latest.get(localAddress);
    if (before?.isAnswered === false) met.push(before);
    const scrape: Scrape = { isAnswered: false, hasFailed: false };
    latest.set(localAddress, scrape);
    socket.on("error", () => (scrape.hasFailed = true));
    socket.once("data", () => {
      if (!first.has(localAddress)) first.set(localAddress, Date.now());
      scrape.isAnswered = true;
      socket.end(PAGE);
    });
  });
  const { port, stop } = await listenOn(farm, "0.0.0.0");
  cleanups.push(stop);

  const folder = mkdtempSync(join(tmpdir(), "touchstone-many-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const targets = Array.from({ length: TARGETS }, (_, at) => `127.1.${at >>> 8}.${at & 255}:${port}`);
  const [scrape_interval, scrape_timeout] = [`${INTERVAL_MS}ms`, `${INTERVAL_MS}ms`];
  const file = join(folder, "m.yml");
  writeFileSync(
    file,
    JSON.stringify({ scrape_configs: [{ job_name: "farm", scrape_interval, scrape_timeout, static_configs: [{ targets }] }] }),
  );
  const server = await serveMetrics({
    directory: join(folder, "data"),
    graceMs: 0,
    storage: { walSync: "never" },
    scrape: { file, onNotice: () => {} },
  });
  cleanups.push(() => server.close());
  const value = async (query: string): Promise<number> => {
    const { data } = (await (await fetch(`${server.url}api/v1/query?query=${encodeURIComponent(query)}`)).json()) as {
      data: { result: { value: [number, string] }[] };
    };
    return Number(data.result[0]?.value[1] ?? 0);
  };

  // On a busy machine a scrape is given up now and then, so not all need to be up at the same time.
  await expect.poll(() => value("sum(max_over_time(up[10m]))"), { interval: 500, timeout: 300_000 }).toBe(TARGETS);
  // Some have their second scrape now.
  await new Promise((resolve) => void setTimeout(resolve, INTERVAL_MS / 10));
  // One that was given up before a busy farm saw it is over.
  expect(met.filter(({ isAnswered, hasFailed }) => isAnswered && !hasFailed)).toEqual([]);
  expect(await value("count(last_over_time(a[10m])) + count(last_over_time(b[10m]))")).toBe(2 * TARGETS);
  const tenths = Array.from({ length: TENTHS }, () => 0);
  for (const at of first.values()) tenths[Math.floor(((at % INTERVAL_MS) / INTERVAL_MS) * TENTHS)]! += 1;
  // By chance alone the most are about 560. On a busy machine many come late; if nothing spread them, all would come at once.
  expect(Math.max(...tenths)).toBeLessThan(TARGETS / 2);
});
