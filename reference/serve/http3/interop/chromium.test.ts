import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { serve, type Response } from "../index.ts";
import { CHROMIUM, endPeers, folder, start } from "./testing.ts";

/** Chromium loads a page from our server over HTTP/3, and says so itself. */

vi.setConfig({ testTimeout: 60_000 });
afterEach(endPeers);

const PAGE = `<!doctype html><link rel="icon" href="data:,"><p id="seen"></p><script type="module">
const [page] = performance.getEntriesByType("navigation");
const posted = await (await fetch("/post", { method: "POST", body: "x".repeat(100_000) })).text();
const large = (await (await fetch("/large")).arrayBuffer()).byteLength;
const hops = performance.getEntriesByType("resource").map(({ nextHopProtocol }) => nextHopProtocol);
document.querySelector("#seen").textContent = JSON.stringify({ page: page.nextHopProtocol, posted, large, hops });
document.title = "done";
</script>`;

describe.runIf(CHROMIUM !== undefined)("Chromium and our server", () => {
  test("a page, an upload and a download over HTTP/3, by its own account", async () => {
    const log: string[] = [];
    await using server = await serve(async ({ method, path, version, body }): Promise<Response> => {
      log.push(`${version} ${method} ${path}`);
      if (path === "/post") return { status: 200, body: String((await body.bytes()).length) };
      if (path === "/large") return { status: 200, body: new Uint8Array(1_000_000) };
      return { status: 200, fields: [["content-type", "text/html"]], body: PAGE };
    });
    const key = new X509Certificate(server.certificate!).publicKey.export({ type: "spki", format: "der" });
    const path = folder();
    const netLog = join(path, "net.json");
    const child = start(CHROMIUM!, [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      `--user-data-dir=${join(path, "profile")}`,
      `--origin-to-force-quic-on=127.0.0.1:${server.port}`,
      `--ignore-certificate-errors-spki-list=${createHash("sha256").update(key).digest("base64")}`,
      `--log-net-log=${netLog}`,
      "--virtual-time-budget=20000",
      "--dump-dom",
      server.url,
    ]);
    let dom = "";
    child.stdout!.on("data", (text: Buffer) => (dom += String(text)));
    await once(child, "close");
    const [, seen] = /<p id="seen">(.*)<\/p>/.exec(dom) ?? [];
    expect(JSON.parse(seen ?? "{}")).toEqual({ page: "h3", posted: "100000", large: 1_000_000, hops: ["h3", "h3"] });
    expect(log).toEqual(["HTTP/3 GET /", "HTTP/3 POST /post", "HTTP/3 GET /large"]);
    const { constants, events } = JSON.parse(readFileSync(netLog, "utf8")) as {
      readonly constants: { readonly logEventTypes: Readonly<Record<string, number>> };
      readonly events: readonly { readonly type: number }[];
    };
    const count = (name: string): number => events.filter(({ type }) => type === constants.logEventTypes[name]).length;
    expect(count("HTTP3_HEADERS_DECODED")).toBe(3);
    expect(count("QUIC_SESSION")).toBeGreaterThan(0);
  });
});
