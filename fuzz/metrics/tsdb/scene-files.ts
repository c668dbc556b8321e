import { createHash } from "node:crypto";
import { readFile } from "../../../reference/metrics/tsdb/files/files.ts";
import type { MemoryFiles } from "../../../reference/metrics/tsdb/files/testing.ts";

/** All files under a directory with their lengths and a digest of their content: other servers read them. */
export function filesText(files: MemoryFiles, directory: string): string {
  const lines: string[] = [];
  const walk = (path: string): void => {
    for (const name of files.list(path)) {
      const inner = path === "" ? name : `${path}/${name}`;
      if (files.isDirectory(inner)) walk(inner);
      else {
        const bytes = readFile(files, inner);
        lines.push(`${inner} ${bytes.length} ${createHash("sha1").update(bytes).digest("base64url").slice(0, 10)}`);
      }
    }
  };
  walk(directory);
  return lines.join("\n");
}
