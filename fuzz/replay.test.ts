import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { addToCorpus, loadCorpus, saveFailure } from "./lib/corpus.ts";
import { targetsOf } from "./lib/suite.ts";
import { FUZZERS } from "./suites.ts";

const TARGETS = await targetsOf(FUZZERS);
const REGRESSIONS = join(import.meta.dirname, "regressions");
const CORPUS = join(import.meta.dirname, "corpus");
const folderOf = (name: string): string => name.replaceAll("/", "-");

/** All inputs that once failed. */
function regressionsOf(name: string): { file: string; input: Uint8Array }[] {
  const folder = join(REGRESSIONS, folderOf(name));
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((file) => ({ file, input: new Uint8Array(readFileSync(join(folder, file))) }));
}

describe("fuzz targets", () => {
  for (const [name, { load, mustFail }] of Object.entries(TARGETS)) {
    if (mustFail === true) continue;
    test(`${name}: holds for its seeds, the corpus and every input that once failed`, async () => {
      const { target } = await load();
      expect(target.name).toBe(name);
      expect(target.seeds.length).toBeGreaterThan(0);
      for (const input of [...target.seeds, ...loadCorpus(join(CORPUS, `${folderOf(name)}.txt`))]) {
        expect(() => target.run(input), Buffer.from(input).toString("hex")).not.toThrow();
      }
      for (const { file, input } of regressionsOf(name)) expect(() => target.run(input), file).not.toThrow();
    });
  }

  test("every corpus and every regression has a target", () => {
    const known = new Set(Object.keys(TARGETS).map(folderOf));
    const kept = [CORPUS, REGRESSIONS].filter((folder) => existsSync(folder)).flatMap((folder) => readdirSync(folder));
    expect(kept.map((name) => name.replace(/\.txt$/, "")).filter((name) => !known.has(name) && name !== ".gitkeep")).toEqual([]);
  });
});

describe("the corpus", () => {
  test("is a file of sorted lines, each input once", () => {
    const folder = mkdtempSync(join(tmpdir(), "touchstone-corpus-"));
    try {
      const file = join(folder, "deep", "x.txt");
      addToCorpus(file, [Uint8Array.of(2), Uint8Array.of(1, 255)]);
      addToCorpus(file, [Uint8Array.of(2)]);
      expect(readFileSync(file, "utf8")).toBe("01ff\n02\n");
      expect(loadCorpus(file)).toEqual([Uint8Array.of(1, 255), Uint8Array.of(2)]);
      expect(loadCorpus(join(folder, "absent.txt"))).toEqual([]);
      expect([...readFileSync(saveFailure(folder, Uint8Array.of(7)))]).toEqual([7]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
