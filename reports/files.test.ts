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
import { afterAll, describe, expect, test } from "vitest";
import { writeSafely } from "./files.ts";

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

  test("replaces a file through a link, and the link stays", async () => {
    writeFileSync(at("real.txt"), "old");
    symlinkSync(at("real.txt"), at("link.txt"));
    await writeSafely(at("link.txt"), "new");
    expect(readFileSync(at("real.txt"), "utf8")).toBe("new");
    expect(lstatSync(at("link.txt")).isSymbolicLink()).toBe(true);
  });

  test("a path that is a folder gives one line, and the text is in the fallback", async () => {
    mkdirSync(at("folder"));
    mkdirSync(at("spare"));
    const { path, problem } = await writeSafely(at("folder"), "kept", at("spare"));
    expect(problem).toBe(`cannot write ${at("folder")}: it is a folder, and a file name is needed (EISDIR); it is in ${path} instead.`);
    expect(readFileSync(path ?? "", "utf8")).toBe("kept");
  });

  test("a path below a file names the reason", async () => {
    writeFileSync(at("plain"), "");
    const { path, problem } = await writeSafely(at("plain", "report.html"), "kept", folder);
    expect(problem).toContain("a part of the path is a file, not a folder (ENOTDIR)");
    expect(readFileSync(path ?? "", "utf8")).toBe("kept");
  });

  test("a rename that fails leaves neither half a file nor a temporary one", async () => {
    mkdirSync(at("busy"));
    const long = at("busy", "x".repeat(300));
    const { problem } = await writeSafely(long, "kept", at("busy", "nowhere"));
    expect(problem).toContain("the name is too long (ENAMETOOLONG)");
    expect(problem).toContain("does not take it either: there is no such file (ENOENT)");
    expect(problem).not.toContain("\n");
    expect(readdirSync(at("busy"))).toEqual([]);
  });

  test("a full disk is said in words, and the text is not lost", async ({ skip }) => {
    if (!existsSync("/dev/full")) return skip("this system has no /dev/full to stand for a full disk");
    const { path, problem } = await writeSafely("/dev/full", "kept", folder);
    expect(problem).toContain("cannot write /dev/full: the disk is full (ENOSPC)");
    expect(readFileSync(path ?? "", "utf8")).toBe("kept");
    expect(statSync("/dev/full").isCharacterDevice()).toBe(true);
  });
});
