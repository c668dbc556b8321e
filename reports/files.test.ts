import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rename } from "node:fs/promises";
import { afterAll, describe, expect, test, vi } from "vitest";
import { writeSafely } from "./files.ts";

// A rename can be made to fail, and never reaches a device: a test that runs as root must not replace one, whatever the code does.
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const guarded = (from: string, to: string): Promise<void> =>
    to.startsWith("/dev/") ? Promise.reject(new Error(`would replace ${to}`)) : real.rename(from, to);
  return { ...real, rename: vi.fn<(from: string, to: string) => Promise<void>>(guarded) };
});

const folder = mkdtempSync(join(tmpdir(), "touchstone-files-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (...parts: string[]): string => join(folder, ...parts);

describe("writeSafely()", () => {
  test("makes the folders, writes the whole file, and leaves nothing else behind", async () => {
    expect(await writeSafely(at("a", "b", "report.html"), "text")).toEqual({
      wanted: at("a", "b", "report.html"),
      path: at("a", "b", "report.html"),
    });
    expect(readFileSync(at("a", "b", "report.html"), "utf8")).toBe("text");
    expect(readdirSync(at("a", "b"))).toEqual(["report.html"]);
  });

  test("replaces the target of a link and keeps the link", async () => {
    writeFileSync(at("real.txt"), "old");
    symlinkSync(at("real.txt"), at("link.txt"));
    await writeSafely(at("link.txt"), "new");
    expect(readFileSync(at("real.txt"), "utf8")).toBe("new");
    expect(lstatSync(at("link.txt")).isSymbolicLink()).toBe(true);
  });

  test("a path that is a folder: one line, and the text is in the fallback folder", async () => {
    mkdirSync(at("folder"));
    mkdirSync(at("spare"));
    const { path, problem } = await writeSafely(at("folder"), "kept", at("spare"));
    expect(problem).toBe(`cannot write ${at("folder")}: it is a folder, and a file name is needed (EISDIR); the file is ${path} instead.`);
    expect(readFileSync(path ?? "", "utf8")).toBe("kept");
  });

  test("a path below a file: the line names the reason", async () => {
    writeFileSync(at("plain"), "");
    const { path, problem } = await writeSafely(at("plain", "report.html"), "kept", folder);
    expect(problem).toContain("a part of the path is a file, not a folder (ENOTDIR)");
    expect(readFileSync(path ?? "", "utf8")).toBe("kept");
  });

  test("a disk that fills up: the old file stays complete, and no part of the new one remains", async () => {
    mkdirSync(at("busy"));
    writeFileSync(at("busy", "report.html"), "old");
    vi.mocked(rename).mockRejectedValueOnce(Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" }));
    const { path, problem } = await writeSafely(at("busy", "report.html"), "new", folder);
    expect(problem).toContain("the disk is full (ENOSPC)");
    expect(readFileSync(at("busy", "report.html"), "utf8")).toBe("old");
    expect(readdirSync(at("busy"))).toEqual(["report.html"]);
    expect(readFileSync(path ?? "", "utf8")).toBe("new");
  });

  test("no path can be written: one line gives both reasons", async () => {
    const { path, problem } = await writeSafely(at("x".repeat(300)), "lost", at("nowhere"));
    expect(path).toBeUndefined();
    expect(problem).toContain("the name is too long (ENAMETOOLONG)");
    expect(problem).toContain("cannot be written either: there is no such file (ENOENT)");
    expect(problem).not.toContain("\n");
  });

  test("writes a name as long as the file system allows", async () => {
    expect(await writeSafely(at("n".repeat(255)), "text")).not.toHaveProperty("problem");
  });

  test("a full disk: the line explains it, and the text is not lost", async ({ skip }) => {
    if (!existsSync("/dev/full")) return skip("this system has no /dev/full to stand for a full disk");
    const { path, problem } = await writeSafely("/dev/full", "kept", folder);
    expect(problem).toContain("cannot write /dev/full: the disk is full (ENOSPC)");
    expect(readFileSync(path ?? "", "utf8")).toBe("kept");
    expect(statSync("/dev/full").isCharacterDevice()).toBe(true);
  });
});
