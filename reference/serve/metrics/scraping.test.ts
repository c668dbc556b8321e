import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server as HttpServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { selfSigned } from "../../io/index.ts";
import { serveMetrics, type MetricsServer } from "./index.ts";

/** Scrapes of real targets over real sockets; the rules of what is stored are tested on virtual time in `metrics/scrape`. */

let folder: string;
let server: MetricsServer | undefined;
const targets: HttpServer[] = [];
const notices: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-scraping-"));
  notices.length = 0;
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  for (const target of targets.splice(0)) target.closeAllConnections();
  rmSync(folder, { recursive: true });
});

/** Starts a target; returns its address. */
async function target(listener: RequestListener): Promise<string> {
  const one = createServer(listener);
  targets.push(one);
  await new Promise<void>((resolve) => void one.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(one.address() as AddressInfo).port}`;
}
const page =
  (text: string): RequestListener =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(text);

const file = (): string => join(folder, "metrics.yml");
const configure = (jobs: string): void =>
  writeFileSync(file(), `global: {scrape_interval: 200ms, scrape_timeout: 150ms}\nscrape_configs:\n${jobs}`);
const job = (name: string, address: string, more = ""): string =>
  `  - {job_name: ${name}, static_configs: [{targets: ["${address}"]}]${more}}\n`;

async function start(options: { readonly lifecycle?: boolean; readonly withFile?: boolean } = {}): Promise<MetricsServer> {
  const { lifecycle = true, withFile = true } = options;
  server = await serveMetrics({
    directory: join(folder, "data"),
    graceMs: 100,
    storage: { walSync: "never" },
    scrape: { ...(withFile && { file: file() }), lifecycle, onNotice: (message) => notices.push(message) },
  });
  return server;
}
const get = async (path: string, init?: RequestInit): Promise<{ readonly status: number; readonly text: string }> => {
  const response = await fetch(`${server?.url}${path}`, init);
  return { status: response.status, text: await response.text() };
};
type Shown = { readonly health: string; readonly lastError: string; readonly labels: Record<string, string>; readonly scrapePool: string };
async function active(): Promise<Shown[]> {
  return (JSON.parse((await get("api/v1/targets")).text) as { data: { activeTargets: Shown[] } }).data.activeTargets;
}
/** What the error of a scrape says that took too long. */
const LATE = "did not answer completely within";
/** The targets, once all of them were scraped. A busy machine is late for a scrape now and then: only a slow target means it. */
async function scraped(target: "prompt" | "slow" = "prompt"): Promise<Shown[]> {
  for (;;) {
    const all = await active();
    const isDone = ({ health, lastError }: Shown): boolean => health !== "unknown" && (target === "slow" || !lastError.includes(LATE));
    if (all.length > 0 && all.every(isDone)) return all;
    await pause(20);
  }
}
async function query(expr: string): Promise<Record<string, string>> {
  const { data } = JSON.parse((await get(`api/v1/query?query=${encodeURIComponent(expr)}`)).text) as {
    data: { result: { metric: Record<string, string>; value: [number, string] }[] };
  };
  return Object.fromEntries(data.result.map(({ metric, value }) => [metric["job"] ?? "", value[1]]));
}

describe("fetching", () => {
  test("what a request says", async () => {
    let seen: IncomingMessage | undefined;
    const address = await target((request, response) => {
      seen = request;
      page("a 1\n")(request, response as never);
    });
    configure(job("a", address, ", basic_auth: {username: u, password: p}, http_headers: {X-Own: {values: [v]}}, params: {x: [y]}"));
    await start();
    await scraped();
    expect(seen?.url).toBe("/metrics?x=y");
    expect(seen?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from("u:p").toString("base64")}`,
      "x-own": "v",
      "accept-encoding": "gzip",
      "x-prometheus-scrape-timeout-seconds": "0.15",
      accept: expect.stringMatching(/^application\/openmetrics-text;version=1\.0\.0.*text\/plain;version=0\.0\.4/) as string,
    });
    expect(await query("a")).toEqual({ a: "1" });
  });

  test("a page in gzip", async () => {
    const address = await target(
      (_, response) => void response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" }).end(gzipSync("a 7\n")),
    );
    configure(job("a", address));
    await start();
    await scraped();
    expect(await query("a")).toEqual({ a: "7" });
  });

  test("a redirect to another host gets no credentials, one within the target does", async () => {
    const within: unknown[] = [];
    const elsewhere: unknown[] = [];
    const other = await target((request, response) => {
      elsewhere.push(request.headers.authorization, request.headers["x-own"]);
      page("a 1\n")(request, response as never);
    });
    const address = await target((request, response) => {
      if (request.url === "/metrics") return void response.writeHead(302, { location: "/second" }).end();
      within.push(request.headers.authorization);
      return void response.writeHead(307, { location: `http://${other}/metrics` }).end();
    });
    configure(job("a", address, ", authorization: {credentials: secret}, http_headers: {X-Own: {secrets: [v]}}"));
    await start();
    expect(await scraped()).toMatchObject([{ health: "up" }]);
    expect(new Set(within)).toEqual(new Set(["Bearer secret"]));
    expect(new Set(elsewhere)).toEqual(new Set([undefined]));
  });

  const text = { "content-type": "text/plain" };
  test.each<[string, RequestListener, string, string]>([
    ["a status of 401", (_, response) => void response.writeHead(401).end(), "", "401 Unauthorized"],
    ["a target that hangs", () => {}, "", "did not answer completely within 150 ms"],
    [
      "a body that drips without end",
      (_, response) => {
        response.writeHead(200, text);
        const timer = setInterval(() => response.write("# x\n"), 10);
        response.on("close", () => clearInterval(timer));
      },
      "",
      "did not answer completely within 150 ms",
    ],
    ["a body larger than allowed", page(`# ${"x".repeat(2_000)}\na 1\n`), ", body_size_limit: 1KB", "larger than 1024 octets"],
    [
      "a body that is larger once unpacked",
      (_, response) =>
        void response.writeHead(200, { ...text, "content-encoding": "gzip" }).end(gzipSync(`# ${"x".repeat(100_000)}\na 1\n`)),
      ", body_size_limit: 1KB",
      "larger than 1024 octets",
    ],
    [
      "a body that is not gzip",
      (_, response) => void response.writeHead(200, { ...text, "content-encoding": "gzip" }).end("a 1\n"),
      "",
      "not in gzip",
    ],
    [
      "a length that is a lie",
      (_, response) => void response.writeHead(200, { ...text, "content-length": "100" }).write("a 1\n", () => response.destroy()),
      "",
      "",
    ],
    ["another type", (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("a 1\n"), "", "text/html"],
    ["a malformed page", page("a 1\nb{\n"), "", ""],
    [
      "a redirect where none is followed",
      (_, response) => void response.writeHead(302, { location: "/x" }).end(),
      ", follow_redirects: false",
      "302 Found",
    ],
    ["redirects without end", (_, response) => void response.writeHead(302, { location: "/x" }).end(), "", "more than 10 times"],
    ["a secret that cannot be read", page("a 1\n"), ", authorization: {credentials_file: none}", "no such file"],
    ["a proxy that is not there", page("a 1\n"), ', proxy_url: "http://127.0.0.1:1"', "127.0.0.1:1"],
    ["a proxy of SOCKS that is not there", page("a 1\n"), ', proxy_url: "socks5://127.0.0.1:1"', "the proxy 127.0.0.1:1"],
  ])("%s: the target is down, with the reason", async (_, listener, more, reason) => {
    configure(job("a", await target(listener), more));
    await start();
    const [one] = await scraped(reason.includes(LATE) ? "slow" : "prompt");
    expect(one?.health).toBe("down");
    expect(one?.lastError).toContain(reason);
    expect(one?.lastError).not.toBe("");
    expect(await query("up")).toEqual({ a: "0" });
    expect(await query("a")).toEqual({});
  });
});

describe("reload", () => {
  const reload = () => get("-/reload", { method: "POST" });

  test("takes the new configuration; the series of a target that is gone end", async () => {
    configure(job("a", await target(page("a 1\n"))));
    await start();
    await scraped();
    configure(job("b", await target(page("b 1\n"))));
    expect((await reload()).status).toBe(200);
    expect((await scraped()).map(({ scrapePool }) => scrapePool)).toEqual(["b"]);
    expect(await query("up")).toEqual({ b: "1" });
    expect((await get("api/v1/status/config")).text).toContain("job_name: b");
    expect(await query("a")).toEqual({});
  });

  test("a bad configuration changes nothing, and says what and where", async () => {
    configure(job("a", await target(page("a 1\n"))));
    await start();
    await scraped();
    configure(job("a", "h:1", ", scrape_interval: soon"));
    const { status, text } = await reload();
    expect(status).toBe(500);
    expect(text).toContain(`${file()}:3: scrape_configs[0].scrape_interval: "soon" is not a duration`);
    expect(await scraped()).toMatchObject([{ health: "up" }]);
    expect((await get("metrics")).text).toContain("prometheus_config_last_reload_successful 0\n");
    expect((await get("api/v1/status/runtimeinfo")).text).toContain('"reloadConfigSuccess":false');
  });

  test("series of a target that stays go on without a gap in its staleness", async () => {
    const address = await target(page("a 1\nold 1\n"));
    // A scrape that is late on a busy machine would make a gap, too.
    const patient = ", scrape_interval: 1s, scrape_timeout: 1s";
    configure(job("a", address, patient));
    await start();
    await scraped();
    configure(job("a", address, patient + ", metric_relabel_configs: [{source_labels: [__name__], regex: old, action: drop}]"));
    await reload();
    await expect.poll(() => query("old")).toEqual({});
    expect(await query("a")).toEqual({ a: "1" });
  });

  test("without --web.enable-lifecycle it is forbidden", async () => {
    configure(job("a", "127.0.0.1:1"));
    await start({ lifecycle: false });
    expect((await reload()).status).toBe(403);
    expect((await get("-/reload")).status).toBe(405);
  });
});

test("targets of a file follow its changes, and a broken file keeps them", async () => {
  const address = await target(page("a 1\n"));
  const list = join(folder, "t.json");
  writeFileSync(list, JSON.stringify([{ targets: [address], labels: { env: "x" } }]));
  configure("  - {job_name: a, file_sd_configs: [{files: [t.json]}]}\n");
  await start();
  expect(await scraped()).toMatchObject([{ labels: { env: "x", instance: address } }]);
  writeFileSync(list, JSON.stringify([{ targets: [address], labels: { env: "y" } }]));
  await expect.poll(async () => (await active()).map(({ labels }) => labels["env"])).toEqual(["y"]);
  writeFileSync(list, "[{");
  await expect.poll(() => notices.join(" ")).toContain("the targets of before stay");
  expect(await active()).toMatchObject([{ labels: { env: "y" } }]);
});

test("a target that leaves while it is scraped: its end is stored before the storage closes", async () => {
  const held = Promise.withResolvers<void>();
  const waiting = Promise.withResolvers<void>();
  let holds = false;
  const address = await target(async (request, response) => {
    if (holds) {
      waiting.resolve();
      await held.promise;
    }
    page("a 1\n")(request, response as never);
  });
  const list = join(folder, "t.json");
  writeFileSync(list, JSON.stringify([{ targets: [address] }]));
  configure("  - {job_name: a, file_sd_configs: [{files: [t.json]}]}\n");
  const running = await start();
  await scraped();
  // Not before: a first scrape that a busy machine ends late is done again.
  holds = true;
  await waiting.promise;
  writeFileSync(list, "[]");
  await expect.poll(active).toEqual([]);
  await expect.poll(() => query("up")).toEqual({});
  held.resolve();
  await running.close();
  // A busy machine may miss an interval, and says so: that is no fault.
  expect(notices.filter((notice) => !notice.includes("has no scrape"))).toEqual([]);
});

test("more targets than the limit: none is scraped", async () => {
  const address = await target(page("a 1\n"));
  configure(`  - {job_name: a, target_limit: 1, static_configs: [{targets: ["${address}", "127.0.0.1:1"]}]}\n`);
  await start();
  expect((await scraped()).map(({ lastError }) => lastError)).toEqual(Array(2).fill("the job has 2 targets; the target_limit is 1"));
});

test("targets that rules drop are counted and shown", async () => {
  configure(job("a", "127.0.0.1:1", ", relabel_configs: [{action: drop, source_labels: [job], regex: a}]"));
  await start();
  const { data } = JSON.parse((await get("api/v1/targets?state=dropped")).text) as { data: Record<string, unknown> };
  expect(data).toMatchObject({ activeTargets: [], droppedTargets: [{ scrapePool: "a" }], droppedTargetCounts: { a: 1 } });
});

test("without a configuration the server scrapes itself", async () => {
  await start({ withFile: false });
  expect(await active()).toMatchObject([{ scrapePool: "touchstone" }]);
  expect((await get("metrics")).text).toMatch(/^prometheus_tsdb_head_series \d+$/m);
});

test("secrets are not shown with the configuration", async () => {
  configure(job("a", "127.0.0.1:1", ", basic_auth: {username: u, password: hunter2}"));
  await start();
  const { text } = await get("api/v1/status/config");
  expect(text).toContain("<secret>");
  expect(text).not.toContain("hunter2");
});

test("a bad configuration at the start: the server does not start, and its directory is free", async () => {
  configure("  - {}\n");
  await expect(start()).rejects.toThrow("metrics.yml:3: scrape_configs[0].job_name: it is missing");
});

describe("TLS", () => {
  async function secure(): Promise<{ readonly address: string; readonly seen: boolean[] }> {
    const { cert, key } = await selfSigned();
    writeFileSync(join(folder, "cert.pem"), cert);
    writeFileSync(join(folder, "key.pem"), key);
    const seen: boolean[] = [];
    const one = createSecureServer({ cert, key, ca: cert, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      seen.push(Object.keys((request.socket as TLSSocket).getPeerCertificate()).length > 0);
      page("a 1\n")(request, response as never);
    });
    targets.push(one);
    await new Promise<void>((resolve) => void one.listen(0, "127.0.0.1", resolve));
    return { address: `127.0.0.1:${(one.address() as AddressInfo).port}`, seen };
  }

  test("a target whose authority is known, and a client certificate from files", async () => {
    const { address, seen } = await secure();
    configure(job("a", address, ", scheme: https, tls_config: {ca_file: cert.pem, cert_file: cert.pem, key_file: key.pem}"));
    await start();
    expect(await scraped()).toMatchObject([{ health: "up", lastError: "" }]);
    expect(seen[0]).toBe(true);
  });
  test("an unknown authority: the target is down with the reason, unless it is not verified", async () => {
    const { address } = await secure();
    configure(`${job("a", address, ", scheme: https")}${job("b", address, ", scheme: https, tls_config: {insecure_skip_verify: true}")}`);
    await start();
    const all = await scraped();
    expect(all.map(({ scrapePool, health }) => [scrapePool, health])).toEqual([
      ["a", "down"],
      ["b", "up"],
    ]);
    expect(all[0]?.lastError).toMatch(/certificate/);
  });
});

test("a target that is never done in time: one request at a time, and no value but up", async () => {
  let open = 0;
  let most = 0;
  const address = await target((request) => {
    most = Math.max(most, ++open);
    request.socket.once("close", () => open--);
  });
  configure(job("a", address));
  await start();
  await scraped("slow");
  await pause(700);
  expect(most).toBe(1);
  expect(await query("up")).toEqual({ a: "0" });
  expect(await query('{job="a",__name__!~"up|scrape_.*"}')).toEqual({});
});
