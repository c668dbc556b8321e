import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FileFault, type FileTrouble } from "../metrics/tsdb/index.ts";
import { realFiles } from "./files.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "touchstone-files-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const at = (name: string): string => `${directory}/${name}`;

function troubleOf(operation: () => unknown): FileTrouble | undefined {
  try {
    operation();
    return undefined;
  } catch (error) {
    if (error instanceof FileFault) return error.trouble;
    throw error;
  }
}

describe("files", () => {
  test("are written at any position and read back", () => {
    const file = realFiles.open(at("a"), "create");
    file.write(Uint8Array.of(1, 2, 3), 0);
    file.write(Uint8Array.of(9), 5);
    file.sync();
    file.close();
    const again = realFiles.open(at("a"), "write");
    expect(again.size()).toBe(6);
    again.write(Uint8Array.of(7), 1);
    const into = new Uint8Array(10);
    expect(again.read(into, 0)).toBe(6);
    expect([...into.subarray(0, 6)]).toEqual([1, 7, 3, 0, 0, 9]);
    again.truncate(2);
    expect(again.read(into, 1)).toBe(1);
    expect(again.read(into, 5)).toBe(0);
    again.close();
  });

  test("opened for writing are created if missing", () => {
    realFiles.open(at("new"), "write").close();
    expect(realFiles.list(directory)).toEqual(["new"]);
  });

  test("report distinct errors", () => {
    realFiles.open(at("a"), "create").close();
    realFiles.makeDirectory(at("d/e/f"));
    realFiles.makeDirectory(at("d/e/f"));
    expect(troubleOf(() => realFiles.open(at("a"), "create"))).toBe("exists");
    expect(troubleOf(() => realFiles.open(at("b"), "read"))).toBe("not found");
    expect(troubleOf(() => realFiles.list(at("b")))).toBe("not found");
    expect(troubleOf(() => realFiles.rename(at("b"), at("c")))).toBe("not found");
    expect(troubleOf(() => realFiles.rename(at("a"), at("d")))).toBe("input or output");
    expect(troubleOf(() => realFiles.open("/dev/full", "write").write(Uint8Array.of(1), 0))).toBe("no space");
  });

  test("are renamed, linked and removed, directories with their content", () => {
    realFiles.makeDirectory(at("d"));
    const file = realFiles.open(at("d/a"), "create");
    file.write(Uint8Array.of(5), 0);
    file.close();
    realFiles.link(at("d/a"), at("b"));
    realFiles.rename(at("d"), at("e"));
    realFiles.syncDirectory(directory);
    expect([realFiles.isDirectory(at("e")), realFiles.isDirectory(at("b")), realFiles.exists(at("d"))]).toEqual([true, false, false]);
    realFiles.remove(at("e"));
    realFiles.remove(at("e"));
    expect(realFiles.list(directory)).toEqual(["b"]);
    expect(realFiles.open(at("b"), "read").size()).toBe(1);
  });
});

describe("the lock of a directory", () => {
  test("is held once, and free after its release", () => {
    const lock = realFiles.lock(at("lock"));
    expect(troubleOf(() => realFiles.lock(at("lock")))).toBe("locked");
    lock.release();
    lock.release();
    expect(realFiles.exists(at("lock"))).toBe(false);
    expect(troubleOf(() => realFiles.lock(at("lock")).release())).toBeUndefined();
  });

  test("of a living process is refused; of a dead one is taken over", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const stat = await startOf(child.pid ?? 0);
    writeFileSync(at("lock"), `${child.pid} ${stat}\n`);
    expect(troubleOf(() => realFiles.lock(at("lock")))).toBe("locked");
    // The process id has been reused.
    writeFileSync(at("lock"), `${child.pid} 1\n`);
    expect(troubleOf(() => realFiles.lock(at("lock")).release())).toBeUndefined();
    writeFileSync(at("lock"), `${child.pid} ${stat}\n`);
    child.kill("SIGKILL");
    await ended;
    expect(troubleOf(() => realFiles.lock(at("lock")).release())).toBeUndefined();
  });

  test("without a valid holder is taken over: empty, or with our own id from an earlier process", () => {
    for (const left of ["", `${process.pid} 1\n`]) {
      writeFileSync(at("lock"), left);
      realFiles.lock(at("lock")).release();
      expect(realFiles.exists(at("lock"))).toBe(false);
    }
  });

  test.runIf(existsSync("/proc/self/fd"))("a server that locks nothing and has its log open is refused; a reader is not", async () => {
    mkdirSync(at("wal"));
    writeFileSync(at("wal/00000000"), "");
    const holding = async (mode: string): Promise<FileTrouble | undefined> => {
      const script = `fs.openSync(${JSON.stringify(at("wal/00000000"))}, "${mode}"); console.log("open"); process.stdin.resume();`;
      const child = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "pipe", "ignore"] });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await new Promise((resolve) => child.stdout.once("data", resolve));
      const trouble = troubleOf(() => realFiles.lock(at("lock")).release());
      child.stdin.end();
      await ended;
      return trouble;
    };
    expect([await holding("a"), await holding("r")]).toEqual(["locked", undefined]);
    expect(troubleOf(() => realFiles.lock(at("lock")).release())).toBeUndefined();
  });

  const hasFlock = existsSync("/proc/locks") && spawnSync("flock", ["--version"]).status === 0;
  if (!hasFlock) console.log("Locks of other servers are not tried: there is no flock here (on Debian: apt-get install util-linux).");
  test.runIf(hasFlock)("of a server that uses flock is refused", async () => {
    writeFileSync(at("lock"), "");
    const child = spawn("flock", [at("lock"), "cat"], { stdio: ["pipe", "pipe", "ignore"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    // It prints when it has the lock.
    child.stdin.write("x");
    await new Promise((resolve) => child.stdout.once("data", resolve));
    expect(troubleOf(() => realFiles.lock(at("lock")))).toBe("locked");
    child.stdin.end();
    await ended;
    expect(troubleOf(() => realFiles.lock(at("lock")).release())).toBeUndefined();
  });
});

async function startOf(pid: number): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  const stat = await readFile(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
