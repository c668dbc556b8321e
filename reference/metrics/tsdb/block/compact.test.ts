import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seeded } from "../../../core/index.ts";
import { Block } from "./block.ts";
import { Damage } from "../files/damage.ts";
import { openBlocks, removeBlock } from "./directory.ts";
import { PageCache } from "../files/pages.ts";
import { ALL, emptyFiles, type Held, heldBy, openBlock, ULIDS, writeHeld } from "./testing.ts";
import { Crash, type MemoryFiles } from "../files/testing.ts";
import { compactBlocks } from "./compact.ts";
import { FileFault, type Files, readFile } from "../files/files.ts";
import { merged } from "./merge.ts";

const [one = "", two = "", three = "", result = ""] = ULIDS;

const key = fc.constantFrom('{"a":"1"}', '{"a":"1","b":"2"}', '{"a":"2"}', '{"c":"3"}');
const samples = fc
  .tuple(fc.uniqueArray(fc.nat(600), { minLength: 1, maxLength: 200 }), fc.nat(9))
  .map(([times, factor]) => times.sort((a, b) => a - b).map((time) => [time, time * factor] as const));
const held = fc.dictionary(key, samples, { minKeys: 1 });
const deletion = fc.option(fc.tuple(fc.nat(600), fc.nat(600)));

function compact(files: Files, names: readonly string[]): void {
  const blocks = names.map((name) => new Block(files, `data/${name}`, new PageCache(), () => undefined));
  compactBlocks(files, "data", blocks, { ulid: result });
  for (const block of blocks) block.close();
  for (const name of names) removeBlock(files, "data", name);
}

/** The content after a crash, and after a power loss. */
function leftOf(files: MemoryFiles): MemoryFiles[] {
  const left = files.copy();
  files.losePower();
  return [left, files];
}

const everything = (files: Files): Held => {
  const blocks = openBlocks(files, "data", new PageCache(), (damage) => {
    throw damage;
  });
  return heldBy(merged(blocks.map((block) => block.querier())));
};

describe("compaction", () => {
  test("of overlapping blocks with deletions: queries return the same", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(held, deletion), { minLength: 1, maxLength: 3 }), (contents) => {
        const files = emptyFiles();
        for (const [at, [content, deleted]] of contents.entries()) {
          writeHeld(files, content, { ulid: ULIDS[at] ?? "" });
          if (deleted !== null) openBlock(files, ULIDS[at] ?? "").block.delete([ALL], Math.min(...deleted), Math.max(...deleted));
        }
        const before = everything(files);
        compact(files, ULIDS.slice(0, contents.length));
        expect(everything(files)).toEqual(before);
        expect(files.list("data")).toEqual(Object.keys(before).length === 0 ? [] : [result]);
      }),
      { numRuns: 100 },
    );
  });

  test("of blocks with a common time: the sample of the older block stays", () => {
    const files = emptyFiles();
    writeHeld(
      files,
      {
        '{"a":"1"}': [
          [3, 1],
          [5, 1],
        ],
      },
      { ulid: one },
    );
    writeHeld(
      files,
      {
        '{"a":"1"}': [
          [5, 2],
          [9, 2],
        ],
      },
      { ulid: two },
    );
    compact(files, [one, two]);
    expect(everything(files)).toEqual({
      '{"a":"1"}': [
        [3, 1],
        [5, 1],
        [9, 2],
      ],
    });
    expect(openBlock(files, result).block.meta.stats).toEqual({ numSamples: 3, numSeries: 1, numChunks: 1 });
  });

  test("records the parents and copies chunks unchanged", () => {
    const files = emptyFiles();
    const sharp = Array.from({ length: 150 }, (_, time) => [time, time / 3] as const);
    writeHeld(files, { '{"a":"1"}': sharp }, { ulid: one, minTime: 0, maxTime: 200 });
    writeHeld(files, { '{"a":"1"}': [[250, 1]], '{"b":"1"}': [[300, 1]] }, { ulid: two, minTime: 200, maxTime: 400 });
    compact(files, [one, two]);
    const { meta } = openBlock(files, result).block;
    expect(meta).toEqual({
      ulid: result,
      minTime: 0,
      maxTime: 400,
      stats: { numSamples: 152, numSeries: 2, numChunks: 4 },
      compaction: {
        level: 2,
        sources: [one, two],
        parents: [
          { ulid: one, minTime: 0, maxTime: 200 },
          { ulid: two, minTime: 200, maxTime: 400 },
        ],
      },
      version: 1,
    });
  });

  test("of a damaged chunk: throws its position and changes nothing", () => {
    const files = emptyFiles();
    writeHeld(files, { '{"a":"1"}': [[1, 1]] }, { ulid: one });
    writeHeld(files, { '{"a":"1"}': [[2, 1]] }, { ulid: two });
    const path = `data/${two}/chunks/000001`;
    const file = files.open(path, "write");
    file.write(Uint8Array.of((readFile(files, path)[12] ?? 0) ^ 1), 12);
    expect(() => compact(files, [one, two])).toThrow(new Damage(path, 8, "the checksum of a chunk does not match"));
    expect(files.list("data")).toEqual([one, two]);
  });
});

describe("an interruption at any operation", () => {
  const parts: Held[] = [
    {
      '{"a":"1"}': [
        [1, 1],
        [5, 5],
      ],
    },
    { '{"a":"1"}': [[3, 3]], '{"b":"1"}': [[4, 4]] },
    { '{"z":"1"}': [[9, 9]] },
  ];
  const all: Held = {
    '{"a":"1"}': [
      [1, 1],
      [3, 3],
      [5, 5],
    ],
    '{"b":"1"}': [[4, 4]],
    '{"z":"1"}': [[9, 9]],
  };

  const before = emptyFiles();
  for (const [at, part] of parts.entries()) writeHeld(before, part, { ulid: [one, two, three][at] ?? "" });
  const prepared = (random?: () => number): MemoryFiles => before.copy(random);
  const work = (files: Files): void => compact(files, [one, two, three]);
  const wholeWork = prepared();
  work(wholeWork);
  const count = wholeWork.operations;

  test.each([
    ["a loss of power", (files: MemoryFiles) => files.losePower(), () => 0],
    ["a power loss that keeps some writes", (files: MemoryFiles) => files.losePower(), seeded(3)],
    ["the end of the process", (files: MemoryFiles) => files.restart(), () => 0],
  ])("%s leaves every sample, each once", (_kind, resume, random) => {
    for (let end = 1; end <= count; end++) {
      const files = prepared(random);
      files.plan(end, "crash");
      expect(() => work(files)).toThrow(Crash);
      resume(files);
      expect(everything(files)).toEqual(all);
      // Opening the directory removes unfinished and half-removed blocks, and old blocks that a new one replaces.
      expect([[one, two, three].join(), result]).toContain(files.list("data").join());
    }
  });

  test("after the writing of a block: loses nothing of it", () => {
    for (const [at, part] of parts.entries()) {
      const files = emptyFiles();
      writeHeld(files, part, { ulid: ULIDS[at] ?? "" });
      files.losePower();
      expect(everything(files)).toEqual(part);
    }
  });

  test("a full disk: existing blocks stay, and the next opening removes the unfinished one", () => {
    for (let end = 1; end <= count; end++) {
      const files = prepared();
      files.plan(end, "no space", count);
      expect(() => work(files)).toThrow(FileFault);
      files.restart();
      expect(everything(files)).toEqual(all);
    }
  });

  test("of the removal of a block: all of it stays or all of it is gone", () => {
    const outcomes = new Set<number>();
    for (let end = 1; end < 8; end++) {
      const files = prepared();
      files.plan(end, "crash");
      expect(() => removeBlock(files, "data", one)).toThrow(Crash);
      for (const left of leftOf(files)) outcomes.add(everything(left)['{"a":"1"}']?.length ?? 0);
    }
    expect(outcomes).toEqual(new Set([3, 1]));
  });

  test("in a removal that leaves a part: loses nothing if another block replaces it", () => {
    const files = prepared();
    const blocks = [one, two, three].map((name) => openBlock(files, name).block);
    compactBlocks(files, "data", blocks, { ulid: result });
    files.remove(`data/${one}/index`);
    expect(everything(files)).toEqual(all);
    expect(files.list("data")).toEqual([result]);
  });

  test("of a deletion: it is done or not done", () => {
    const outcomes = new Set<string>();
    for (let end = 1; end < 20; end++) {
      const files = prepared();
      const { block } = openBlock(files, one);
      files.plan(end, "crash");
      try {
        block.delete([ALL], 5, 5);
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
      }
      for (const left of leftOf(files)) outcomes.add(JSON.stringify(everything(left)['{"a":"1"}']));
    }
    expect(outcomes).toEqual(new Set(["[[1,1],[3,3],[5,5]]", "[[1,1],[3,3]]"]));
  });
});
