import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./sources.ts";

const KNIP = join(ROOT, "node_modules", "knip", "bin", "knip.js");

/** The files and exports of a folder without an importer, one line per file; `knip.config.ts` lists the entries. */
function unused(folder: string, ...options: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [KNIP, "--no-progress", "--reporter", "compact", ...options], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0 && status !== 1) throw new Error(`knip ended with ${status}: ${stderr}`);
  return stdout.split("\n").filter((line) => line.includes(": "));
}

describe("exports", () => {
  test("every file and every export has an importer or is part of the package", () => {
    expect(unused(ROOT)).toEqual([]);
  });

  test("the check finds an export without an importer, and a file", () => {
    const folder = mkdtempSync(join(tmpdir(), "touchstone-exports-"));
    try {
      writeFileSync(join(folder, "package.json"), '{ "name": "x", "type": "module", "main": "main.ts" }');
      writeFileSync(join(folder, "main.ts"), 'import { used } from "./other.ts";\nconsole.log(used);\n');
      writeFileSync(join(folder, "other.ts"), "export const used = 1;\nexport const lonely = 2;\n");
      cpSync(join(folder, "other.ts"), join(folder, "forgotten.ts"));
      expect(unused(folder, "--include", "files,exports")).toEqual(["forgotten.ts: forgotten.ts", "other.ts: lonely"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
