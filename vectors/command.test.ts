import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, CommanderError } from "commander";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { vectorsCommand } from "./command.ts";
import { VECTORS_FOLDER } from "./load.ts";

const READER = `'${process.execPath}' '${join(VECTORS_FOLDER, "http1/adapter.ts")}'`;
const ADAPTER = `'${process.execPath}' '${join(import.meta.dirname, "../conformance/hpack/embedded/adapter.ts")}'`;
/** A codec as one line of JavaScript; `answer(text)` prints a line. */
const script = (code: string): string =>
  `'${process.execPath}' -e '${`const answer = (text) => process.stdout.write(text + "\\n"); const lines = require("node:readline").createInterface({ input: process.stdin }); ${code}`}'`;
/** A codec that answers the first request correctly, then runs `then`. */
const afterFirst = (code: string): string =>
  script(
    `lines.on("line", (line) => { const { id } = JSON.parse(line); if (id === 1) return answer(JSON.stringify({ id, fields: [[[":method", "GET"]]] })); ${code} })`,
  );

let printed: string[] = [];
let complained: string[] = [];
let folder = "";

beforeEach(() => {
  printed = [];
  complained = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
  vi.spyOn(console, "error").mockImplementation((line: string) => void complained.push(line));
  folder = mkdtempSync(join(tmpdir(), "touchstone-vectors-"));
  cpSync(join(VECTORS_FOLDER, "schema"), join(folder, "schema"), { recursive: true });
  cpSync(join(VECTORS_FOLDER, "hpack"), join(folder, "hpack"), { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs the command line. Returns the output and the exit status. */
async function touchstone(...args: string[]): Promise<number> {
  const program = new Command("touchstone").exitOverride().configureOutput({ writeErr: (text) => void complained.push(text.trim()) });
  vectorsCommand(program.command("vectors"), ["hpack", "toy"]);
  process.exitCode = 0;
  try {
    await program.parseAsync(["vectors", ...args], { from: "user" });
    return Number(process.exitCode);
  } catch (error) {
    if (error instanceof CommanderError) return 2;
    throw error;
  } finally {
    process.exitCode = 0;
  }
}

describe("vectors run", () => {
  test("our own HPACK adapter passes all vectors", async () => {
    expect(await touchstone("run", "hpack", "--codec", ADAPTER)).toBe(0);
    expect(printed.at(-1)).toMatch(/^[1-9]\d+ passed, 0 failed$/);
    expect(complained).toEqual([]);
  });

  test("our HTTP/1.1 parser passes its vectors, and unsupported operations are not counted", async () => {
    expect(await touchstone("run", "hpack/appendix-c", "http1/persistence", "http1/response", "--codec", READER)).toBe(0);
    expect(printed[0]).toMatch(/^hpack\/appendix-c +0 passed, 0 failed, 8 not for a codec$/);
    expect(printed.at(-1)).toMatch(/^[1-9]\d+ passed, 0 failed$/);
  });

  test("a codec without any of the operations: status 3", async () => {
    expect(await touchstone("run", "hpack/appendix-c", "--codec", READER)).toBe(3);
    expect(complained[0]).toMatch(/^touchstone: the codec supports no operation/);
  });

  test("a parser that reads everything as one GET fails all other messages", async () => {
    const one = { method: "GET", target: "/", version: "HTTP/1.1", fields: [["host", "a"]], content: "" };
    const takes = script(
      `lines.on("line", (line) => answer(JSON.stringify({ id: JSON.parse(line).id, messages: [${JSON.stringify(one)}] })))`,
    );
    expect(await touchstone("run", "http1/request-line", "--codec", takes)).toBe(1);
    const invalid = printed.filter((line) => line.endsWith("it was accepted, but must be refused"));
    expect(invalid).toHaveLength(55);
    expect(printed).toContain('FAIL http1/request-line 2 (HEAD, rfc9112#3): message 1: method is "GET", not "HEAD"');
  });

  test("a codec that refuses everything fails the valid vectors, with their name and section", async () => {
    const refuses = afterFirst('answer(JSON.stringify({ id, error: "no" }))');
    expect(await touchstone("run", "hpack/appendix-c", "--codec", refuses)).toBe(1);
    expect(printed.at(-1)).toBe("0 passed, 8 failed");
    expect(printed).toContain("FAIL hpack/appendix-c 1 (literal with indexing, new name, rfc7541#C.2.1): it was refused: no");
  });

  test("a codec that accepts everything fails the invalid vectors", async () => {
    const accepts = script(
      'lines.on("line", (line) => { const { id, blocks } = JSON.parse(line); answer(JSON.stringify({ id, fields: blocks.map(() => []) })) })',
    );
    expect(await touchstone("run", "hpack/indices", "--codec", accepts)).toBe(1);
    expect(printed.filter((line) => line.endsWith("it was accepted, but must be refused"))).toHaveLength(25);
  });

  test("an encoder that indexes sensitive fields fails", async () => {
    const leaks = afterFirst(`
      const { lists } = JSON.parse(line);
      const octet = (n) => n.toString(16).padStart(2, "0");
      const text = (s) => octet(s.length) + Buffer.from(s, "latin1").toString("hex");
      answer(JSON.stringify({ id, blocks: lists.map((list) => list.map(([n, v]) => "40" + text(n) + text(v)).join("")) }))`);
    expect(await touchstone("run", "hpack/encoding", "--codec", leaks)).toBe(1);
    const failures = printed.filter((line) => line.startsWith("FAIL"));
    expect(failures.filter((line) => line.includes("a secret") && line.includes("never-indexed mark"))).toHaveLength(4);
    expect(failures.filter((line) => line.includes("sizeUpdateMissing")).length).toBeGreaterThan(2);
  });

  test("a codec that cannot be started: one line, status 3", async () => {
    expect(await touchstone("run", "--codec", "/nonexistent/codec --fast")).toBe(3);
    expect(complained).toHaveLength(1);
    expect(complained[0]).toBe(
      'touchstone: the codec cannot be started: there is no program "/nonexistent/codec". Check the command: /nonexistent/codec --fast',
    );
  });

  test("a codec that exits at once: its last message, status 3", async () => {
    expect(await touchstone("run", "--codec", script('console.error("no such table"); process.exit(9)'))).toBe(3);
    expect(complained[0]).toContain("(status 9) without an answer: no such table");
  });

  test("a codec that never answers: status 3 after the time limit", async () => {
    expect(await touchstone("run", "--timeout", "300", "--codec", "sleep 30")).toBe(3);
    expect(complained[0]).toContain("gave no answer within 300 ms");
  });

  test("a codec that hangs is killed with its children", async () => {
    const file = join(folder, "pid");
    expect(await touchstone("run", "--timeout", "500", "--codec", `sh -c 'echo $$ > "${file}"; sleep 30' ; true`)).toBe(3);
    const pid = Number(readFileSync(file, "utf8"));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test("a codec that prints an invalid line: the line, status 3", async () => {
    expect(await touchstone("run", "--codec", "echo hello; sleep 30")).toBe(3);
    expect(complained[0]).toContain('an invalid answer: "hello"');
  });

  test("an answer with a different id is invalid", async () => {
    expect(await touchstone("run", "--codec", 'echo \'{"id":7,"fields":[]}\'; sleep 30')).toBe(3);
    expect(complained[0]).toContain("answered with id 7 instead of 1");
  });

  test("a codec that exits on one vector fails that vector and is restarted for the next", async () => {
    const dies = script(`
      lines.on("line", (line) => {
        const { id, blocks } = JSON.parse(line);
        if (blocks[0] === "bd") process.exit(1);
        answer(JSON.stringify({ id, fields: blocks.map(() => []) }));
      })`);
    expect(await touchstone("run", "hpack/static-table", "--codec", dies)).toBe(1);
    expect(printed.filter((line) => line.includes("exited (status 1)"))).toEqual([
      "FAIL hpack/static-table 61 (index 61: www-authenticate, rfc7541#A): the codec exited (status 1) without an answer",
    ]);
    expect(printed.at(-1)).toBe("0 passed, 65 failed");
  });

  test("a codec that stops answering ends the run after three vectors; the results so far are reported", async () => {
    expect(await touchstone("run", "hpack/appendix-c", "--json", "--codec", afterFirst("process.exit(1)"))).toBe(3);
    const result = JSON.parse(printed.join("")) as { summary: object; failures: { file: string; id: number }[] };
    expect(result.summary).toEqual({ passed: 0, failed: 3 });
    expect(result.failures.map(({ file, id }) => [file, id])).toEqual([
      ["hpack/appendix-c", 1],
      ["hpack/appendix-c", 2],
      ["hpack/appendix-c", 3],
    ]);
  });

  test("no --codec, an invalid number or an unknown file: status 2", async () => {
    expect(await touchstone("run")).toBe(2);
    expect(await touchstone("run", "--codec", "true", "--timeout", "soon")).toBe(2);
    expect(await touchstone("run", "hpack/nothing", "--codec", "true")).toBe(2);
    expect(complained.at(-1)).toMatch(/^touchstone: Unknown vectors "hpack\/nothing"\. Known: .*hpack\/appendix-c/);
  });
});

describe("vectors list and lint", () => {
  test("list --json counts the vectors", async () => {
    expect(await touchstone("list", "hpack/appendix-c", "--json")).toBe(0);
    expect(JSON.parse(printed.join(""))).toMatchObject([
      { file: "hpack/appendix-c", kind: "hpack-decode", count: 8, valid: 8, invalid: 0 },
    ]);
  });

  test("lint accepts valid files", async () => {
    expect(await touchstone("lint", "--folder", folder)).toBe(0);
  });

  test.each([
    ["truncated", (text: string) => text.slice(0, 500), /is not valid JSON/],
    ["with a wrong count", (text: string) => text.replace('"count": 8', '"count": 9'), /count is 9, but there are 8 vectors/],
    ["with an id out of order", (text: string) => text.replace('"id": 2,', '"id": 5,'), /id 5 should be 2/],
    [
      "with an unexplained flag",
      (text: string) => text.replace('"flags": []', '"flags": ["Odd"]'),
      /the flag Odd is used but not explained/,
    ],
    [
      "with an unused flag",
      (text: string) => text.replace('"flags": {', '"flags": { "Odd": { "why": "?" },'),
      /the flag Odd is explained but not used/,
    ],
    [
      "with an odd number of hex digits",
      (text: string) => text.replace('"wire": "82"', '"wire": "8"'),
      /vector 4\/blocks\/0\/wire must match pattern/,
    ],
    [
      "with an unknown member",
      (text: string) => text.replace('"wire": "82"', '"wire": "82", "wired": 1'),
      /must NOT have additional properties/,
    ],
    ["of an unknown kind", (text: string) => text.replace("hpack-decode-v1", "hpack-guess-v1"), /unknown schema/],
    ["without vectors", (text: string) => text.replace('"vectors"', '"vector"'), /is not a vector file/],
  ])("lint reports a file %s in one line: status 1", async (_, damage, line) => {
    const path = join(folder, "hpack/appendix-c.json");
    writeFileSync(path, damage(readFileSync(path, "utf8")));
    expect(await touchstone("lint", "--folder", folder)).toBe(1);
    expect(complained).toHaveLength(1);
    expect(complained[0]).toMatch(line);
  });

  test("run reports a damaged file in one line: status 2", async () => {
    writeFileSync(join(folder, "hpack/appendix-c.json"), "{");
    expect(await touchstone("run", "hpack/appendix-c", "--folder", folder, "--codec", ADAPTER)).toBe(2);
    expect(complained[0]).toMatch(/^touchstone: vectors\/hpack\/appendix-c\.json is not valid JSON/);
  });
});
