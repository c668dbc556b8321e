import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { Command, Option } from "commander";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { allSuites } from "../harness/registry.ts";
import { suiteNames, SUITES } from "../suites.ts";
import { declareCheck } from "./check.ts";
import { configIn, jobsOf, readConfig, reportWords } from "./config-file.ts";
import { configSchema } from "./config-schema.ts";
import { defineConfig } from "./config.ts";
import { REPORTS, SETTINGS } from "./settings.ts";

const BIN = new URL("../../touchstone.ts", import.meta.url).pathname;
const command = declareCheck(new Command("check"), await allSuites(SUITES));
const schema = configSchema(command, suiteNames);
let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "touchstone-config-"))));
afterEach(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

test("the published schema is the one that the table of settings makes", async () => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot("./config.schema.json");
});

test("every flag of check is a setting, a report, or about the command line itself", async () => {
  const own = (await allSuites(SUITES)).flatMap(([, { flags = [] }]) => flags.map(({ name }) => new Option(`--${name}`).attributeName()));
  const rest = command.options
    .map((option) => option.attributeName())
    .filter((name) => !(name in SETTINGS) && !(name in REPORTS) && !own.includes(name));
  expect(rest.sort()).toEqual(["config", "json", "list", "subject", "trace", "writeBaseline"]);
  const known = command.options.map((option) => option.attributeName());
  expect(Object.keys({ ...SETTINGS, ...REPORTS }).filter((name) => name !== "url" && !known.includes(name))).toEqual([]);
});

describe("a configuration", () => {
  const config = defineConfig({
    defaults: { wait: "30s", level: ["must", "should"] },
    subjects: {
      api: { suite: ["http1", "http2"], url: "https://site.test/", header: ["X-A: 1", "X-B: 2,3"], baseline: "known.json", strict: true },
      codec: { suite: "rpc", codec: "./codec -x", wait: "2m", options: { dialect: "grpc" }, verify: false },
    },
    reports: { junit: "junit.xml", github: true },
  });

  test("becomes a command line for each subject and suite; settings of a subject come before the defaults", () => {
    const shared = ["--only=x"].slice(1);
    expect(jobsOf(config, undefined).map(({ words }) => words)).toEqual([
      ...["http1", "http2"].map((suite) => [
        suite,
        "https://site.test/",
        ...shared,
        "--level=must",
        "--level=should",
        "--baseline=known.json",
        "--strict",
        "--wait=30s",
        "--header=X-A: 1",
        "--header=X-B: 2,3",
        "--name=api",
      ]),
      ["rpc", "--codec=./codec -x", "--level=must", "--level=should", "--wait=2m", "--name=codec", "--dialect=grpc"],
    ]);
    expect(reportWords(config)).toEqual(["--junit=junit.xml", "--github"]);
    expect(jobsOf(config, ["codec"])).toHaveLength(1);
    expect(() => jobsOf(config, ["nobody"])).toThrow('no subject "nobody": it has api, codec');
  });

  test.each([
    ["touchstone.config.json", JSON.stringify(config)],
    ["touchstone.config.mjs", `export default ${JSON.stringify(config)}`],
    ["touchstone.config.ts", `const made: object = ${JSON.stringify(config)};\nexport default made`],
    ["touchstone.config.yaml", JSON.stringify(config, null, 1)],
  ])("%s is found and read", async (name, text) => {
    const path = file(name, text);
    expect(configIn(folder)).toBe(path);
    expect(await readConfig(path, schema)).toEqual(config);
  });

  test("two of them are refused, none is none", () => {
    expect(configIn(folder)).toBeUndefined();
    file("touchstone.config.ts", "");
    file("touchstone.config.json", "");
    expect(() => configIn(folder)).toThrow("keep one");
  });

  test.each([
    ["{", "cannot be read"],
    ['{"subjects":{"a":{"suite":"http9"}}}', "subjects.a.suite is one of http1, http2"],
    ['{"subjects":{"a":{"suite":"http1","urll":"x"}}}', 'subjects.a has no setting "urll"'],
    ['{"subjects":{"a":{"suite":"http1","wait":"soon"}}}', "subjects.a.wait must match pattern"],
    ['{"reports":{}}', "the top must have required property 'subjects'"],
  ])("%s is refused with its place", async (text, words) => {
    await expect(readConfig(file("touchstone.config.json", text), schema)).rejects.toThrow(words);
  });
});

describe("the commands", () => {
  const touchstone = (...args: readonly string[]) => spawnSync(process.execPath, [BIN, ...args], { encoding: "utf8", cwd: folder });

  test("init writes what its flags say, refuses to replace it, and check runs it; flags override it", async () => {
    const server = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
    await once(server, "listening");
    server.unref();
    const { port } = server.address() as AddressInfo;
    server.close();
    const start = `node -e 'require("http").createServer((q,s)=>s.end("hello")).listen(${port},"127.0.0.1")'`;
    const flags = ["--suite", "http1", "--url", `http://127.0.0.1:${port}/`, "--start", start, "--junit", "out.xml", "--name", "mine"];
    const made = touchstone("init", "--format", "yaml", ...flags);
    expect([made.status, made.stderr]).toEqual([0, "touchstone: wrote touchstone.config.yaml. Run it with touchstone check.\n"]);
    expect(touchstone("init", ...flags)).toMatchObject({ status: 2, stderr: expect.stringContaining("already") as string });
    const run = touchstone("check", "--only", "http1/host-empty", "--save", "out.json");
    expect(run.stdout).toContain("mine, http1 server: 1 passed");
    expect(run.status).toBe(0);
    expect(existsSync(join(folder, "out.xml"))).toBe(true);
    expect(readFileSync(join(folder, "out.json"), "utf8")).toContain('"http1/host-empty"');
    expect(touchstone("check", "--subject", "other")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("it has mine") as string,
    });
  });

  test("init on a terminal takes answers, also those typed ahead", async () => {
    const pty = spawn(process.execPath, [BIN, "init"], { cwd: folder, cols: 120 });
    const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
    pty.write("json\n\nhttp1, http2\n\n./go\n\nout.xml\n\n");
    expect(await ended).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, "touchstone.config.json"), "utf8"))).toMatchObject({
      subjects: { server: { suite: ["http1", "http2"], url: "http://127.0.0.1:8080/", start: "./go" } },
      reports: { junit: "out.xml" },
    });
  });

  test("init refuses an unknown suite", () => {
    expect(touchstone("init", "--suite", "http9")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no suite "http9"') as string,
    });
  });
});
