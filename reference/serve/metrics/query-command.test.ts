import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadPage, serveMetrics, type MetricsServer } from "./index.ts";

const BEGIN = 1_760_000_000;
const TOUCHSTONE = join(import.meta.dirname, "../../../touchstone.ts");

describe("touchstone query", () => {
  const directory = mkdtempSync(join(tmpdir(), "touchstone-metrics-"));
  let server: MetricsServer;
  beforeAll(async () => {
    server = await serveMetrics({ directory });
    const page = [0, 1, 2, 3].map((at) => `load{host="a"} ${at} ${BEGIN + at * 15}\n`).join("");
    loadPage(Buffer.from(`# TYPE load gauge\n${page}# EOF\n`), server.database);
  });
  afterAll(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });

  function run(...args: string[]): Promise<{ readonly status: number | null; readonly out: string; readonly err: string }> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [TOUCHSTONE, "query", ...args], {
        env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
      });
      let [out, err] = ["", ""];
      child.stdout.on("data", (text) => (out += String(text)));
      child.stderr.on("data", (text) => (err += String(text)));
      child.on("error", reject).on("close", (status) => resolve({ status, out, err }));
    });
  }

  test("instant: prints a table of values", async () => {
    const { status, out } = await run("instant", server.url, "load + 1", "--time", String(BEGIN + 45));
    expect(status).toBe(0);
    expect(out).toMatch(/\{host="a"\}\s*│\s*4\s/);
  });

  test("range: prints a sparkline for each series", async () => {
    const { status, out } = await run("range", server.url, "load", "--start", String(BEGIN), "--end", String(BEGIN + 45), "--step", "15s");
    expect(status).toBe(0);
    expect(out).toMatch(/load\{host="a"\}\s*│\s*▁▃▆█\s*│\s*0\s*│\s*3\s*│\s*3\s/);
    expect(out).toContain("1 series");
  });

  test("--json: prints the server's response unchanged", async () => {
    const { out } = await run("instant", server.url, "load", "--time", String(BEGIN), "--json");
    expect(JSON.parse(out)).toEqual({
      status: "success",
      data: { resultType: "vector", result: [{ metric: { __name__: "load", host: "a" }, value: [BEGIN, "0"] }] },
    });
  });

  test.each([
    [["instant", "there", "up"], 2, /"there" is not an http: or https: URL/],
    [["range", "http://127.0.0.1:1", "up", "--last", "long"], 2, /--last "long" is not a duration/],
    [["instant", "http://127.0.0.1:1", "up", "--time", "noon"], 2, /--time "noon" is not a time/],
    [["instant", "http://127.0.0.1:1", "up"], 3, /127\.0\.0\.1/],
  ])("%j: exits with status %i and says why", async (args, status, why) => {
    const result = await run(...args);
    expect(result.status).toBe(status);
    expect(result.err).toMatch(why);
  });

  test("a query that the server refuses: exits with status 1 and prints the server's error", async () => {
    const { status, err } = await run("instant", server.url, "sum(");
    expect(status).toBe(1);
    expect(err).toMatch(/^bad_data: invalid parameter "query": 1:5: parse error/);
  });
});
