import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { why } from "./damaged.ts";

/** Where a file was written. `problem` is one line for the user, set if that is not the requested path. */
export type Written = { readonly wanted: string; readonly path?: string; readonly problem?: string };

/**
 * Writes a file completely or not at all: to a temporary name, then renamed. If the path cannot be written, the content goes to the system's
 * temporary folder, so that the result of a long run is not lost; `problem` says why and where.
 */
export async function writeSafely(path: string, content: string | Uint8Array, fallback: string = tmpdir()): Promise<Written> {
  try {
    await place(path, content);
    return { wanted: path, path };
  } catch (error) {
    const first = `cannot write ${path}: ${why(error)}`;
    try {
      const other = join(await mkdtemp(join(fallback, "touchstone-")), basename(path) || "report");
      await place(other, content);
      return { wanted: path, path: other, problem: `${first}; the file is ${other} instead.` };
    } catch (second) {
      return { wanted: path, problem: `${first}; ${fallback} cannot be written either: ${why(second)}.` };
    }
  }
}

async function place(path: string, content: string | Uint8Array): Promise<void> {
  const there = await target(path);
  if (there.direct) {
    await writeFile(there.path, content);
    return;
  }
  await makeFolder(dirname(there.path));
  const beside = join(dirname(there.path), `.touchstone-${randomUUID()}`);
  try {
    await writeFile(beside, content, { flush: true });
    await rename(beside, there.path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Makes a folder and those above it. The recursive form of Node never returns for a path such as /proc/x. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    // Another process may have made it meanwhile; a second ENOENT is final.
    await mkdir(path).catch((second: NodeJS.ErrnoException) => {
      if (second.code !== "EEXIST") throw second;
    });
  }
}

/** Resolves a symbolic link to its file; `direct` for devices and pipes, which a rename would replace. */
async function target(path: string): Promise<{ path: string; direct: boolean }> {
  const whole = resolve(path);
  try {
    const kind = await stat(whole);
    if (kind.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    return { path: await realpath(whole), direct: !kind.isFile() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return { path: whole, direct: false };
  }
}
