import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Inputs kept between runs: one text file per target, one input per line, in hexadecimal. */
export function loadCorpus(file: string): Uint8Array[] {
  if (!existsSync(file)) return [];
  return linesOf(file).map((line) => new Uint8Array(Buffer.from(line, "hex")));
}

/** Adds missing inputs and keeps the lines sorted, so that a change of the corpus is a small diff. */
export function addToCorpus(file: string, inputs: readonly Uint8Array[]): void {
  if (inputs.length === 0) return;
  const lines = new Set([
    ...(existsSync(file) ? linesOf(file) : []),
    ...inputs.filter((input) => input.length > 0).map((input) => Buffer.from(input).toString("hex")),
  ]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${[...lines].sort().join("\n")}\n`);
}

/** Writes a failing input to a file named by its hash, so that the same input has one file. Returns the path. */
export function saveFailure(folder: string, input: Uint8Array): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${createHash("sha256").update(input).digest("hex").slice(0, 16)}.bin`);
  writeFileSync(path, input);
  return path;
}

const linesOf = (file: string): string[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
