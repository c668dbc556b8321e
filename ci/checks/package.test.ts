import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reached } from "../build/modules.ts";
import { makeProgram, PART } from "../single-file/make.ts";
import { PLATFORMS, problemsOf } from "../single-file/platforms.ts";
import { canBuild, type ImageConfig, Images, INSTALL } from "./container.ts";
import { packagesOf } from "./installed.ts";
import { projectFiles, read, ROOT } from "./sources.ts";

const NAME = "@touchstone-suite/touchstone";
/** What an installation may hold: packages, and octets of all files. */
const MOST_PACKAGES = 40;
const MOST_OCTETS = 25_000_000;

type Manifest = Readonly<Record<string, Readonly<Record<string, string>>>> & { readonly exports: Parameters<typeof reached>[1] };
const manifest = JSON.parse(read("package.json")) as Manifest;
/** Where npm would put the packages that come with ours on this machine, relative to the root. */
const companions = packagesOf(JSON.parse(read("package-lock.json")) as Parameters<typeof packagesOf>[0]);

/** The package as a user gets it: packed in a fresh clone, unpacked into an empty folder, with its dependencies and nothing else beside it. */
let folder = "";
const inside = (...path: string[]): string => join(folder, "node_modules", NAME, ...path);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-package-"));
  const clone = join(folder, "clone");
  for (const file of projectFiles()) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(ROOT, file), join(clone, file));
  }
  symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"));
  const tarball = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: clone, encoding: "utf8" }).trim();
  execFileSync("tar", ["-xzf", tarball], { cwd: folder });
  for (const path of companions) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
  mkdirSync(dirname(inside()), { recursive: true });
  renameSync(join(folder, "package"), inside());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26 });
const octetsIn = (path: string): number =>
  globSync("**/*", { cwd: path }).reduce((sum, file) => {
    const found = statSync(join(path, file));
    return sum + (found.isFile() ? found.size : 0);
  }, 0);

describe("the package", () => {
  test("contains the build and no sources", () => {
    const files = execFileSync("find", [inside(), "-type", "f"], { encoding: "utf8" }).split("\n");
    expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file) || file.includes(".test."))).toEqual([]);
    for (const file of [
      "bin.js",
      "dist/touchstone.js",
      "dist/reference/serve/index.d.ts",
      "dist/conformance/requirements/rfc9113.json",
      "dist/vectors/hpack/appendix-c.json",
      "dist/reference/serve/metrics/pages/built/index.html",
      "dist/vendor/LICENSES.md",
      "dist/vendor/@xterm/xterm/lib/xterm.mjs",
      "ci/templates/github.yml",
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
    ]) {
      expect([file, existsSync(inside(file))]).toEqual([file, true]);
    }
  });

  test("touchstone --help, --list and a whole check work from it", () => {
    const bin = inside("bin.js");
    expect(node(bin, "--help").status).toBe(0);
    const list = JSON.parse(node(bin, "check", "http2", "--list", "--json").stdout) as { id: string }[];
    expect(list.length).toBeGreaterThan(350);
    const hpack = node(bin, "check", "hpack", "--json");
    expect(hpack.status).toBe(0);
    expect(JSON.parse(hpack.stdout)).toMatchObject({ suite: "hpack", summary: { fail: 0, error: 0 } });
  });

  test(`is at most ${MOST_PACKAGES} packages and ${MOST_OCTETS / 1e6} MB with its dependencies`, () => {
    expect(companions.length).toBeGreaterThan(0);
    expect(companions.length + 1).toBeLessThanOrEqual(MOST_PACKAGES);
    const octets = [inside(), ...companions.map((path) => join(ROOT, path))].reduce((sum, path) => sum + octetsIn(path), 0);
    expect(octets).toBeGreaterThan(1_000_000);
    expect(octets).toBeLessThanOrEqual(MOST_OCTETS);
  });

  test("imports no package but its dependencies and peers, which are optional", () => {
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {}, devDependencies = {}, exports } = manifest;
    expect(Object.keys(peerDependenciesMeta).sort()).toEqual(Object.keys(peerDependencies).sort());
    const known = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)]);
    // Comparisons in this repository start other libraries.
    const isComparison = (file: string): boolean => /^(?:bench|conformance\/peers)\//.test(relative(inside("dist"), file));
    const imported = (["code", "types"] as const).flatMap((kind) =>
      [...reached(inside("dist"), exports, kind).packages]
        .map(([specifier, importers]) => [/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "", importers] as const)
        .filter(([name, importers]) => Object.hasOwn(devDependencies, name) && !known.has(name) && !importers.every(isComparison)),
    );
    expect(imported).toEqual([]);
    // The same reader sees the imports that are there.
    expect([...reached(inside("dist"), exports, "code").packages.keys()]).toEqual(expect.arrayContaining(["yaml", "vitest", "ws"]));
  });

  test("names every library that it bundles, with its licence", () => {
    const text = readFileSync(inside("dist/vendor/LICENSES.md"), "utf8");
    const bundled = [...text.matchAll(/^## (\S+) - (\S+) \((.+)\)$/gm)].map(([, name]) => name);
    expect(bundled).toEqual(expect.arrayContaining(["commander", "ajv", "preact", "pkijs", "@xmldom/xmldom", "re2js", "@xterm/xterm"]));
    expect(readdirSync(inside("dist/vendor")).filter((file) => file.endsWith(".js")).length).toBeGreaterThan(10);
  });

  test("bench http1 asks for the load generator by name", () => {
    const { status, stderr } = node(inside("bin.js"), "bench", "http1", "--quick", "--only", "requests");
    expect(stderr).toContain("needs autocannon, which is not installed: npm install autocannon@8");
    expect(status).toBe(2);
  });

  test("every subpath can be imported", () => {
    writeFileSync(
      join(folder, "use.mjs"),
      `
      import { connect, serve } from "@touchstone-suite/touchstone/http2";
      import { Connection } from "@touchstone-suite/touchstone/http2/machine";
      import * as http3 from "@touchstone-suite/touchstone/http3";
      import { Connection as Http3Connection } from "@touchstone-suite/touchstone/http3/machine";
      import { Decoder, Encoder } from "@touchstone-suite/touchstone/hpack";
      import * as http1 from "@touchstone-suite/touchstone/http1";
      import * as http from "@touchstone-suite/touchstone/http";
      import { Fields } from "@touchstone-suite/touchstone/http/messages";
      import { serveWebSocket } from "@touchstone-suite/touchstone/websocket";
      import { Hub } from "@touchstone-suite/touchstone/channel/machine";
      import { serveChannel } from "@touchstone-suite/touchstone/channel";
      import { serveMetrics } from "@touchstone-suite/touchstone/metrics";
      import { Labels } from "@touchstone-suite/touchstone/metrics/model";
      import { readText } from "@touchstone-suite/touchstone/metrics/exposition";
      import { Database } from "@touchstone-suite/touchstone/metrics/tsdb";
      import { parse } from "@touchstone-suite/touchstone/metrics/promql";
      import { list, run } from "@touchstone-suite/touchstone/conformance";
      import { writeReports } from "@touchstone-suite/touchstone/reports";
      import * as vectors from "@touchstone-suite/touchstone/vectors";
      import examples from "@touchstone-suite/touchstone/vectors/hpack/appendix-c.json" with { type: "json" };
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

describe("the program that is one file", () => {
  const platform = PLATFORMS[`${process.platform}-${process.arch}`];
  const program = (): string => join(folder, "touchstone");
  /** Runs it where no other program can be found. */
  const run = (...args: string[]) =>
    spawnSync(program(), args, { cwd: folder, encoding: "utf8", env: { PATH: join(folder, "nowhere") }, maxBuffer: 1 << 26 });

  beforeAll(async () => {
    if (platform === undefined) throw new Error(`There is no program for ${process.platform}-${process.arch}: add it to PLATFORMS.`);
    await makeProgram({
      from: inside(),
      node: process.execPath,
      terminal: join(ROOT, "node_modules", platform.terminalPackage),
      to: program(),
    });
  });

  test("is sound as a file, which Node alone and a file for another machine are not", () => {
    const other = Object.values(PLATFORMS).find(({ format, machine }) => format === platform?.format && machine !== platform.machine);
    expect(problemsOf(program(), platform!, PART)).toEqual([]);
    expect(problemsOf(process.execPath, platform!, PART)).toEqual(["Node does not look for a program in it", "our modules are not in it"]);
    expect(problemsOf(program(), other!, PART)).toEqual([expect.stringMatching(/^the processor is 0x/)]);
    expect(problemsOf(program(), PLATFORMS["win-x64"]!, PART)).toEqual(["the format is ELF and not PE"]);
  });

  test("has the version of the package, checks a codec that it starts, fuzzes in a process of its own, and reads the vectors", () => {
    expect(run("--version")).toMatchObject({ status: 0, stdout: `${JSON.parse(read("package.json")).version}\n` });
    const hpack = run("check", "hpack", "--json");
    expect([hpack.status, hpack.stderr]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(hpack.stdout)).toMatchObject({ suite: "hpack", summary: { fail: 0, error: 0 } });
    expect(run("fuzz", "hpack/decoder", "--seconds", "1")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("branches reached"),
    });
    expect(run("vectors", "list", "hpack").stdout).toContain("hpack/");
  });

  test("serves, in several processes too, and a second copy checks it", async () => {
    for (const more of [[], ["--workers", "2"]]) {
      const server = spawn(program(), ["serve", "http2", "--port", "0", "--json", ...more], {
        env: {},
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        const [line] = (await once(server.stdout, "data")) as [Buffer];
        const [url = ""] = /http:\/\/127[^"\s]+/.exec(line.toString("utf8")) ?? [];
        const { status, stdout } = run("check", "http2", url, "--only", "3.4", "--wait", "60s");
        expect([status, stdout]).toEqual([0, expect.stringContaining("passed")]);
      } finally {
        server.kill();
        await once(server, "exit");
      }
    }
  });

  describe("the container image", () => {
    const IMAGE = "localhost/touchstone-test";
    let images: Images;
    let config: ImageConfig | undefined;
    beforeAll(() => {
      images = new Images(folder);
      if (canBuild()) config = images.build(program(), IMAGE);
    });
    afterAll(() => images.remove());

    test("runs one program as a user that is not root, and asks it for its health", (context) => {
      if (config === undefined) return context.skip(`nothing here builds images: ${INSTALL}`);
      expect(config).toMatchObject({
        User: "65532:65532",
        Entrypoint: ["/touchstone"],
        Healthcheck: { Test: ["CMD", "/touchstone", "check", "http1", "http://127.0.0.1:8080/", "--only", "http1/host-missing"] },
      });
      expect(config.Cmd).toEqual(["serve", "http", "--host", "0.0.0.0", "--port", "8080"]);
    });

    test("on a root that cannot be written it serves, knows when it is healthy, and ends when asked to", async (context) => {
      const engine = config === undefined ? undefined : images.engine(IMAGE);
      if (config === undefined || engine === undefined) return context.skip(`nothing here starts containers: ${INSTALL}`);
      const health = config.Healthcheck.Test.slice(1);
      const server = images.start(engine, IMAGE, "touchstone-server", ["serve", "http", "--port", "0", "--json"]);
      try {
        const [line] = (await once(server.stdout, "data")) as [Buffer];
        const [url = ""] = /http:\/\/127[^"\s]+/.exec(line.toString("utf8")) ?? [];
        const inside = (...words: string[]) => images.inside(engine, "touchstone-server", words);
        expect(inside(...health.map((word) => (word.startsWith("http:") ? url : word))).status).toBe(0);
        expect(inside(...health.map((word) => (word.startsWith("http:") ? "http://127.0.0.1:9/" : word))).status).toBe(3);
        const { status, stderr } = inside(
          "/touchstone",
          "check",
          "http1",
          url,
          "--only",
          "http1/host-missing",
          "--save",
          "/out/result.json",
        );
        expect([status, stderr]).toEqual([2, expect.stringMatching(/read-only/i)]);
      } finally {
        server.kill("SIGTERM");
      }
      expect(await once(server, "exit")).toEqual([0, null]);
    });
  });
});
