import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..", "..");

/** The files of the project that git tracks or would track, relative to the root. */
export function projectFiles(): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const gone = new Set(execFileSync("git", ["ls-files", "--deleted"], { cwd: ROOT, encoding: "utf8" }).split("\n"));
  return listed.split("\n").filter((file) => file !== "" && !gone.has(file));
}

export const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

export const isSource = (file: string): boolean => file.endsWith(".ts") && !file.endsWith(".d.ts");
export const isTest = (file: string): boolean => file.endsWith(".test.ts");
