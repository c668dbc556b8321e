import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveMetrics } from "./index.ts";
import { prefixOf } from "./route-prefix.ts";

test.each([
  [{}, ""],
  [{ externalUrl: "http://x:9090" }, ""],
  [{ externalUrl: "http://x:9090/prom/a/" }, "/prom/a"],
  [{ externalUrl: "http://x/prom", routePrefix: "/" }, ""],
  [{ externalUrl: "http://x/prom", routePrefix: "own" }, "/own"],
])("the prefix of %j is %j", (options, prefix) => expect(prefixOf(options)).toBe(prefix));

test("a prefix is a path", () => expect(() => prefixOf({ routePrefix: "/a?b" })).toThrow("is not a path"));

test("all paths of a server are below its prefix, and it scrapes itself there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-prefix-"));
  const server = await serveMetrics({
    directory: join(folder, "data"),
    graceMs: 0,
    scrape: { externalUrl: "http://outside.example/prom/" },
  });
  const get = async (path: string): Promise<Response> => fetch(new URL(path, server.url), { redirect: "manual" });
  try {
    for (const path of ["prom/-/healthy", "prom/api/v1/query?query=1", "prom/metrics"]) expect((await get(path)).status, path).toBe(200);
    for (const path of ["-/healthy", "api/v1/query?query=1", "promotion/metrics"]) expect((await get(path)).status, path).toBe(404);
    for (const path of ["", "prom"]) expect((await get(path)).headers.get("location"), path).toBe("/prom/");
    expect((await get("prom/")).headers.get("location")).toBe("graph");
    const { data } = (await (await get("prom/api/v1/targets")).json()) as { data: { activeTargets: { scrapeUrl: string }[] } };
    expect(data.activeTargets.map(({ scrapeUrl }) => new URL(scrapeUrl).pathname)).toEqual(["/prom/metrics"]);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});
