import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Reads contracts below the folders of import paths, in their order, by the path that an import names; undefined if no folder has such a file. */
export function contractReader(importPaths: readonly string[]): (path: string) => Uint8Array | undefined {
  return (path) => {
    for (const folder of importPaths) {
      const content = readIfPresent(join(folder, path));
      if (content !== undefined) return content;
    }
    return undefined;
  };
}

function readIfPresent(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    throw error;
  }
}
