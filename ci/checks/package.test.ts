import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "./sources.ts";

/** The package as a user gets it: built, packed, unpacked into an empty folder, with its dependencies beside it. */
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-package-"));
  execFileSync("npm", ["run", "--silent", "build"], { cwd: ROOT, stdio: "pipe" });
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: ROOT, stdio: "pipe" });
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["-xzf", tarball], { cwd: folder });
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (!name.startsWith(".")) symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  renameSync(join(folder, "package"), join(modules, "touchstone"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26 });

describe("the package", () => {
  test("contains the build and no sources", () => {
    const inside = execFileSync("find", [join(folder, "node_modules", "touchstone"), "-type", "f"], { encoding: "utf8" }).split("\n");
    expect(inside.filter((file) => /(?<!\.d)\.ts$/.test(file) || file.includes(".test."))).toEqual([]);
    for (const file of [
      "bin.js",
      "dist/touchstone.js",
      "dist/reference/serve/index.d.ts",
      "dist/conformance/requirements/rfc9113.json",
      "dist/vectors/hpack/appendix-c.json",
      "dist/reference/serve/metrics/pages/built/index.html",
      "LICENSE",
      "README.md",
    ]) {
      expect([file, existsSync(join(folder, "node_modules", "touchstone", file))]).toEqual([file, true]);
    }
  });

  test("touchstone --help, --list and a whole check work from it", () => {
    const bin = join("node_modules", "touchstone", "bin.js");
    expect(node(bin, "--help").status).toBe(0);
    const list = JSON.parse(node(bin, "check", "http2", "--list", "--json").stdout) as { id: string }[];
    expect(list.length).toBeGreaterThan(350);
    const hpack = node(bin, "check", "hpack", "--json");
    expect(hpack.status).toBe(0);
    expect(JSON.parse(hpack.stdout)).toMatchObject({ suite: "hpack", summary: { fail: 0, error: 0 } });
  });

  test("every subpath can be imported", () => {
    writeFileSync(
      join(folder, "use.mjs"),
      `
      import { connect, serve } from "touchstone/http2";
      import { Connection } from "touchstone/http2/machine";
      import * as http3 from "touchstone/http3";
      import { Connection as Http3Connection } from "touchstone/http3/machine";
      import { Decoder, Encoder } from "touchstone/hpack";
      import * as http1 from "touchstone/http1";
      import * as http from "touchstone/http";
      import { Fields } from "touchstone/http/messages";
      import { serveWebSocket } from "touchstone/websocket";
      import { Hub } from "touchstone/channel/machine";
      import { serveChannel } from "touchstone/channel";
      import { serveMetrics } from "touchstone/metrics";
      import { Labels } from "touchstone/metrics/model";
      import { readText } from "touchstone/metrics/exposition";
      import { Database } from "touchstone/metrics/tsdb";
      import { parse } from "touchstone/metrics/promql";
      import { list, run } from "touchstone/conformance";
      import { writeReports } from "touchstone/reports";
      import * as vectors from "touchstone/vectors";
      import examples from "touchstone/vectors/hpack/appendix-c.json" with { type: "json" };
      await using server = await serve((request) => ({ status: 200, body: "you asked for " + request.path }));
      await using client = await connect(server.url);
      const response = await client.request({ path: "/hello" });
      for (const entry of [http, http1]) {
        await using other = await entry.serve((request) => ({ status: 200, body: request.version }));
        await using oneMore = await entry.connect(other.url);
        console.log(oneMore.version, await (await oneMore.request()).body.text(), entry.Fields === Fields);
      }
      console.log(client.version, response.status, await response.body.text(), [Connection, Decoder, Encoder, Fields, serveWebSocket, Hub, serveChannel, serveMetrics, Labels, readText, Database, parse, list, run, writeReports].every((it) => typeof it === "function"), Object.keys(vectors).length > 0, examples.vectors.length > 0);
      `,
    );
    const { stdout, stderr } = node("use.mjs");
    expect([stdout.trim(), stderr]).toEqual([
      "HTTP/1.1 HTTP/1.1 true\nHTTP/1.1 HTTP/1.1 true\nHTTP/2 200 you asked for /hello true true true",
      "",
    ]);
  });
});
