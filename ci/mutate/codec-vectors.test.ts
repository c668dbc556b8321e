import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CodecVectors } from "./codec-vectors.ts";
import type { Mutant } from "./mutants.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const HPACK = { vectors: "hpack", codec: "conformance/hpack/embedded/adapter.ts" };
/** A mutant that replaces this code in a file. */
function mutant(file: string, code: string, text: string): Mutant {
  const start = readFileSync(join(ROOT, file), "utf8").indexOf(code);
  if (start < 0) throw new Error(`${file} has no ${code}`);
  return { key: file, file, line: 1, owner: "", operator: "", about: "", edit: { start, end: start + code.length, text } };
}

test("a vector that the codec of the mutant fails, and an unmutated one does not, catches it", async () => {
  const vectors = new CodecVectors(ROOT);
  const found = await vectors.judge(mutant("reference/field-coding/huffman-decode.ts", "(from + long.length + 7) >>> 3", "0"), HPACK);
  expect(found?.by).toMatch(/^hpack\/[a-z-]+ \d+$/);
  expect(found?.how).not.toBe("");
});

test("a codec that decodes as before is not caught", async () => {
  const vectors = new CodecVectors(ROOT);
  expect(await vectors.judge(mutant("reference/hpack/faults.ts", "stringTooLong", "stringFarTooLong"), HPACK)).toBeUndefined();
});

test("a codec that does not start is caught, unless it never starts", async () => {
  const vectors = new CodecVectors(ROOT);
  const broken = mutant("reference/hpack/decoder.ts", "export class", "throw 1; export class");
  expect((await vectors.judge(broken, HPACK))?.by).toBe("hpack");
  const absent = { vectors: "hpack", codec: "no-such-adapter.ts" };
  expect(await vectors.judge(broken, absent)).toBeUndefined();
});
