import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Inputs kept between runs: one file an input, named by its hash. */
export function loadCorpus(folder: string): Uint8Array[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".bin"))
    .sort()
    .map((name) => new Uint8Array(readFileSync(join(folder, name))));
}

/** Writes an input and returns its path; the same input is written once. */
export function saveInput(folder: string, input: Uint8Array): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${createHash("sha256").update(input).digest("hex").slice(0, 16)}.bin`);
  if (!existsSync(path)) writeFileSync(path, input);
  return path;
}
