import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./sources.ts";

const BIN = join(ROOT, "bin.js");
const touchstone = (...args: string[]) => spawnSync(process.execPath, [BIN, ...args], { encoding: "utf8", cwd: ROOT });
const VERBS = [
  "check",
  "init",
  "merge",
  "crosscheck",
  "diff",
  "serve",
  "fuzz",
  "bench",
  "vectors",
  "report",
  "compare",
  "peers",
  "query",
  "rpc",
  "metrics",
];

describe("the command line", () => {
  test("--help names every verb, shows examples and the exit statuses", () => {
    const { status, stdout } = touchstone("--help");
    expect(status).toBe(0);
    for (const verb of VERBS) expect(stdout).toMatch(new RegExp(`^  ${verb}\\b`, "m"));
    expect(stdout).toContain("Examples:");
    expect(stdout).toContain("3 the subject could not be reached");
  });

  for (const verb of VERBS) {
    test(`${verb} --help has examples`, () => {
      const { status, stdout } = touchstone(verb, "--help");
      expect([status, /examples?:/i.test(stdout)]).toEqual([0, true]);
    });
  }

  test("a repeatable option has no empty list as its default", () => {
    const { stdout } = touchstone("serve", "rpc", "--help");
    expect(stdout).toMatch(/--fault <name:args> +misbehave on every connection; repeatable\n/);
    expect(stdout).not.toContain("[]");
  });

  test("an unknown verb and an unknown flag end with 2 and say where to look", () => {
    for (const args of [["chekc"], ["check", "--no-such-flag"], ["fuzz", "--no-such-flag"]]) {
      const { status, stderr, stdout } = touchstone(...args);
      expect([args, status, stdout]).toEqual([args, 2, ""]);
      expect(stderr).toMatch(/--help/);
    }
  });

  test("an unknown target, part or peer ends with 2 and names the known ones", () => {
    expect(touchstone("fuzz", "hpack/decodre")).toMatchObject({ status: 2, stderr: expect.stringContaining("hpack/decoder") as string });
    expect(touchstone("bench", "--only", "memroy")).toMatchObject({ status: 2, stderr: expect.stringContaining("memory") as string });
  });

  test("bench: refuses to load a target that is not on loopback", () => {
    for (const verb of ["fuzz", "bench"]) {
      const { status, stderr } = touchstone(verb, "http2", "http://192.0.2.1:8080");
      expect([verb, status]).toEqual([verb, 2]);
      expect(stderr).toContain("192.0.2.1 is not this machine");
    }
  });

  test("fuzz: ends with 3 and says so if nothing listens", () => {
    const { status, stderr } = touchstone("fuzz", "http2", "http://127.0.0.1:9", "--seconds", "1");
    expect([status, stderr]).toEqual([3, expect.stringContaining("No HTTP/2 server at http://127.0.0.1:9")]);
  });

  test("on an old Node: says so in one line and ends with 2", () => {
    const pretend = `Object.defineProperty(process.versions, "node", { value: "20.11.0" }); Object.defineProperty(process, "version", { value: "v20.11.0" }); await import(${JSON.stringify(BIN)});`;
    const { status, stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", pretend], { encoding: "utf8" });
    expect([status, stdout, stderr.trim().split("\n").length]).toEqual([2, "", 1]);
    expect(stderr).toContain("needs Node 24 or newer, and this is v20.11.0");
  });

  test("a full standard output is one line and status 2, not a stack", () => {
    const { status, stderr } = spawnSync("sh", ["-c", `"${process.execPath}" "${BIN}" check http1 --list > /dev/full`], {
      encoding: "utf8",
      cwd: ROOT,
    });
    expect(stderr).toBe("touchstone: standard output cannot be written: no space is left on the device.\n");
    expect(status).toBe(2);
  });

  test("bench without a server is status 3, fuzz and bench on another machine without consent are 2", () => {
    const dead = touchstone("bench", "http1", "http://127.0.0.1:9/", "--quick");
    expect([dead.status, dead.stderr]).toEqual([
      3,
      "touchstone: Nothing listens on 127.0.0.1:9: start the server, or check the address.\n",
    ]);
    for (const verb of ["fuzz", "bench"]) {
      const { status, stderr } = touchstone(verb, "http1", "http://192.0.2.1/");
      expect(stderr).toContain("192.0.2.1 is not this machine: add --i-operate-this-target if you operate it.");
      expect(status).toBe(2);
    }
  });
});
