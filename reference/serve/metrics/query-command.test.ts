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

  function run(...words: string[]): Promise<{ readonly status: number | null; readonly out: string; readonly err: string }> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [TOUCHSTONE, "query", ...words], {
        env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
      });
      let [out, err] = ["", ""];
      child.stdout.on("data", (text) => (out += String(text)));
      child.stderr.on("data", (text) => (err += String(text)));
      child.on("error", reject).on("close", (status) => resolve({ status, out, err }));
    });
  }

  test("prints a table of an instant", async () => {
    const { status, out } = await run("instant", server.url, "load + 1", "--time", String(BEGIN + 45));
    expect(status).toBe(0);
    expect(out).toMatch(/\{host="a"\}\s*│\s*4\s/);
  });

  test("prints a line of bars of a range", async () => {
    const { status, out } = await run("range", server.url, "load", "--start", String(BEGIN), "--end", String(BEGIN + 45), "--step", "15s");
    expect(status).toBe(0);
    expect(out).toMatch(/load\{host="a"\}\s*│\s*▁▃▆█\s*│\s*0\s*│\s*3\s*│\s*3\s/);
    expect(out).toContain("1 series");
  });

  test("prints what came as it came with --json", async () => {
    const { out } = await run("instant", server.url, "load", "--time", String(BEGIN), "--json");
    expect(JSON.parse(out)).toEqual({
      status: "success",
      data: { resultType: "vector", result: [{ metric: { __name__: "load", host: "a" }, value: [BEGIN, "0"] }] },
    });
  });

  test.each([
    [["instant", "there", "up"], 2, /is no http: or https: URL/],
    [["range", "http://127.0.0.1:1", "up", "--last", "long"], 2, /--last "long" is no duration/],
    [["instant", "http://127.0.0.1:1", "up"], 3, /127\.0\.0\.1/],
  ])("%j ends with %i", async (words, status, why) => {
    const ended = await run(...words);
    expect(ended.status).toBe(status);
    expect(ended.err).toMatch(why);
  });

  test("ends with 1 where the server refuses", async () => {
    const { status, err } = await run("instant", server.url, "sum(");
    expect(status).toBe(1);
    expect(err).toMatch(/^bad_data: invalid parameter "query": 1:5: parse error/);
  });
});
