import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Misuse } from "../../core/index.ts";
import { serveMetrics } from "./index.ts";

test("CORS: origins that match as a whole get permission, for errors and preflights too; others and caches do not", async () => {
  const directory = mkdtempSync(join(tmpdir(), "touchstone-cors-"));
  const server = await serveMetrics({ directory, corsOrigin: "https?://(a|b)\\.example" });
  try {
    const ask = async (path: string, origin: string, method = "GET"): Promise<readonly unknown[]> => {
      const { status, headers } = await fetch(`${server.url}${path}`, { method, headers: { origin } });
      return [status, headers.get("access-control-allow-origin"), headers.get("access-control-allow-methods"), headers.get("vary")];
    };
    const methods = "GET, POST, OPTIONS";
    expect(await ask("api/v1/query?query=1", "https://a.example")).toEqual([200, "https://a.example", methods, "origin"]);
    expect(await ask("api/v1/query?query=(", "http://b.example")).toEqual([400, "http://b.example", methods, "origin"]);
    expect(await ask("api/v1/query", "https://a.example", "OPTIONS")).toEqual([204, "https://a.example", methods, "origin"]);
    for (const other of ["https://a.example.evil.test", "https://c.example", "null", "xhttps://a.example"])
      expect(await ask("api/v1/query?query=1", other), other).toEqual([200, null, null, "origin"]);
  } finally {
    await server.close();
    rmSync(directory, { recursive: true });
  }
});

test("CORS: an invalid pattern is misuse", async () => {
  const directory = mkdtempSync(join(tmpdir(), "touchstone-cors-"));
  await expect(serveMetrics({ directory, corsOrigin: "(" })).rejects.toThrow(Misuse);
  rmSync(directory, { recursive: true });
});
