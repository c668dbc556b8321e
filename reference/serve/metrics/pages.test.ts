import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveMetrics, type MetricsServer } from "./index.ts";

/** How the web pages are served; `pages-browser.test.ts` uses them. */

let folder: string;
let server: MetricsServer;
beforeAll(async () => {
  // Nothing to do if the pages are up to date.
  execFileSync(process.execPath, [join(import.meta.dirname, "../../../ci/pages.ts")]);
  folder = mkdtempSync(join(tmpdir(), "touchstone-pages-"));
  server = await serveMetrics({ directory: folder, graceMs: 100 });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
const get = (path: string, init?: RequestInit): Promise<Response> => fetch(`${server.url}${path}`, { redirect: "manual", ...init });

test("/ redirects to the query page, relative to the address that the browser knows", async () => {
  const { status, headers } = await get("");
  expect([status, headers.get("location")]).toEqual([302, "graph"]);
});

test.each(["graph", "query?g0.expr=up", "targets", "rules", "alerts", "service-discovery", "tsdb-status", "config", "flags", "status"])(
  "/%s: the document, with a policy that allows only our own files",
  async (path) => {
    const response = await get(path);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  },
);

test("the files of the document: relative addresses, found, kept by the browser, and nothing from elsewhere", async () => {
  const document = await (await get("graph")).text();
  const files = [...document.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
  expect(files.length).toBeGreaterThanOrEqual(3);
  for (const path of files) {
    expect(path).toMatch(/^\.\//);
    const { status, headers } = await get(path.slice(2), { headers: { "accept-encoding": "gzip" } });
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get("cache-control")).toContain(path.includes("assets/") ? "immutable" : "no-cache");
  }
  expect((await get("licenses.md")).status).toBe(200);
});

test.each(["assets/..%2f..%2fpackage.json", "assets/../../server.ts", "assets/none.js", "graph/other", "assets/"])(
  "/%s: not found",
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

test("the pages are only read", async () => {
  const { status, headers } = await get("graph", { method: "POST" });
  expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect((await get("graph", { method: "HEAD" })).status).toBe(200);
});
