import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Labels } from "../../model/index.ts";
import { Damage } from "../files/damage.ts";
import { openBlocks } from "./directory.ts";
import { PageCache } from "../files/pages.ts";
import { putU32 } from "../files/sink.ts";
import { emptyFiles, type Held, heldBy, openBlock, ULIDS, writeHeld } from "./testing.ts";
import type { MemoryFiles } from "../files/testing.ts";
import { writeBlock } from "./write.ts";
import { ChunkBatch, Encoding } from "../chunk/batch.ts";
import { CHUNK_FAULTS } from "../chunk/fault.ts";
import { crc32c } from "../codec/crc32c.ts";
import { readFile } from "../files/files.ts";
import { Cursor } from "../codec/varint.ts";

const [first = "", second = ""] = ULIDS;
const HELD: Held = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [`{"a":"${at}","b":"c"}`, Array.from({ length: 200 }, (_row, time) => [time, time * at] as const)]),
);

const written = emptyFiles();
writeHeld(written, HELD, { ulid: first });
writeHeld(written, { '{"other":"block"}': [[500, 1]] }, { ulid: second });
const withBlock = (): MemoryFiles => written.copy();

function damaged(files: MemoryFiles, name: string, at: number, flip: number): void {
  const path = `data/${first}/${name}`;
  const bytes = readFile(files, path);
  const file = files.open(path, "write");
  file.write(Uint8Array.of((bytes[at % bytes.length] ?? 0) ^ flip), at % bytes.length);
}

/** Everything readable in a damaged directory, and the reports. */
function readAll(files: MemoryFiles): { held: Held; reports: Damage[]; names: string[] } {
  const reports: Damage[] = [];
  const blocks = openBlocks(files, "data", new PageCache(), (damage) => reports.push(damage));
  const held = Object.assign({}, ...blocks.map((block) => heldBy(block.querier()))) as Held;
  return { held, reports, names: blocks.map((block) => block.meta.ulid) };
}

/** Corrects the checksums of the sections of the index. */
function sumAgain(bytes: Uint8Array, before: Uint8Array): void {
  const sum = (from: number, to: number): void => void putU32(bytes, to, crc32c(bytes, 0, from, to));
  const toc = new Cursor(before, before.length - 52);
  const [symbols = 0, series = 0, indices = 0, , , lists = 0] = Array.from({ length: 6 }, () => toc.u64());
  for (const at of [symbols, lists]) sum(at + 4, at + 4 + new Cursor(before, at).u32());
  for (let at = Math.ceil(series / 16) * 16; at < indices;) {
    const cursor = new Cursor(before, at);
    const length = cursor.uvarint();
    sum(cursor.at, cursor.at + length);
    at = Math.ceil((cursor.at + length + 4) / 16) * 16;
  }
  sum(before.length - 52, before.length - 4);
}

const flip = fc.integer({ min: 1, max: 255 });

describe("a damaged block", () => {
  test("with a changed chunk: loses and names that chunk only", () => {
    fc.assert(
      fc.property(fc.nat(), flip, (at, by) => {
        const files = withBlock();
        const path = `data/${first}/chunks/000001`;
        const place = 8 + (at % (readFile(files, path).length - 8));
        damaged(files, "chunks/000001", place, by);
        const { held, reports } = readAll(files);
        expect(reports.map((one) => one.path)).toEqual([path]);
        const lost = Object.entries(HELD).filter(([key, samples]) => held[key]?.length !== samples.length);
        expect(lost).toHaveLength(1);
        // A series has chunks of 120 and 80 samples.
        expect([80, 120]).toContain(held[lost[0]?.[0] ?? ""]?.length);
      }),
      { numRuns: 30 },
    );
  });

  test("with any octet of its index changed: shows no wrong sample and reports the missing ones", () => {
    let runsWithLoss = 0;
    fc.assert(
      fc.property(fc.nat(), flip, (at, by) => {
        const files = withBlock();
        damaged(files, "index", at, by);
        const { held, reports } = readAll(files);
        expect(held['{"other":"block"}']).toEqual([[500, 1]]);
        const wrong = Object.entries(held).filter(([key, samples]) => key in HELD && JSON.stringify(samples) !== JSON.stringify(HELD[key]));
        expect(wrong).toEqual([]);
        const missing = Object.keys(HELD).filter((key) => !(key in held)).length;
        runsWithLoss += Math.min(missing, 1);
        expect(missing === 0 || reports.some((one) => one.path.endsWith("/index"))).toBe(true);
      }),
      { numRuns: 100 },
    );
    expect(runsWithLoss).toBeGreaterThan(10);
  });

  test("with right checksums and wrong numbers: reading ends without an exception", () => {
    const index = readFile(written, `data/${first}/index`);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(index.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), (changes) => {
        const files = withBlock();
        const bytes = index.slice();
        for (const [at, octet] of changes) bytes[at] = octet;
        sumAgain(bytes, index);
        files.open(`data/${first}/index`, "write").write(bytes, 0);
        expect(readAll(files).held['{"other":"block"}']).toEqual([[500, 1]]);
      }),
      { numRuns: 150 },
    );
  });

  test("of any octets: the other blocks open", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("index", "chunks/000001", "meta.json", "tombstones"),
        fc.uint8Array({ maxLength: 200 }),
        (name, bytes) => {
          const files = withBlock();
          files.remove(`data/${first}/${name}`);
          files.open(`data/${first}/${name}`, "create").write(bytes, 0);
          const { held, reports } = readAll(files);
          expect(held['{"other":"block"}']).toEqual([[500, 1]]);
          expect(reports[0]?.path).toBe(`data/${first}/${name}`);
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each(["index", "meta.json"])("without its %s: is reported and set aside", (name) => {
    const files = withBlock();
    files.remove(`data/${first}/${name}`);
    const { names, reports } = readAll(files);
    expect(names).toEqual([second]);
    expect(reports.map((one) => one.message)).toEqual([
      `data/${first}/${name} is damaged at 0: it is missing. The block is not read. The damaged data is in data/quarantine/${first}: inspect it, move it back once repaired, or delete it to free disk space.`,
    ]);
    expect(files.exists(`data/${first}`)).toBe(false);
    expect(files.exists(`data/quarantine/${first}/chunks`)).toBe(true);
  });

  test("with damaged tombstones: shows its samples and reports the damage", () => {
    const files = withBlock();
    damaged(files, "tombstones", 8, 1);
    const { held, reports } = readAll(files);
    expect(Object.keys(held)).toHaveLength(41);
    expect(reports.map((one) => one.what)).toEqual(["the checksum of the tombstones does not match"]);
  });

  test("with an invalid chunk under a right checksum: loses that chunk and reports the fault", () => {
    const files = emptyFiles();
    const batch = new ChunkBatch();
    batch.add({ minTime: 0, maxTime: 5, encoding: 99, bytes: Uint8Array.of(0, 1, 0), from: 0, to: 3 });
    batch.add({ minTime: 6, maxTime: 9, encoding: Encoding.xor, bytes: Uint8Array.of(0, 1), from: 0, to: 2 });
    const series = [{ labels: Labels.of({ a: "b" }), chunks: batch }];
    writeBlock(files, "data", { symbols: ["a", "b"], series }, { ulid: first, minTime: 0, maxTime: 10 });
    const { block, reports } = openBlock(files, first);
    expect(heldBy(block.querier())).toEqual({});
    const path = `data/${first}/chunks/000001`;
    expect(reports.map((one) => one.message)).toEqual([
      `${path} is damaged at 8: ${CHUNK_FAULTS.chunkEncoding}.`,
      `${path} is damaged at 17: ${CHUNK_FAULTS.chunkShort}.`,
    ]);
  });

  test("is reported at each read, by the block", () => {
    const files = withBlock();
    damaged(files, "chunks/000001", 20, 1);
    const { block, reports } = openBlock(files, first);
    heldBy(block.querier());
    heldBy(block.querier());
    expect(reports.map((one) => [one instanceof Damage, one.at])).toEqual([
      [true, 8],
      [true, 8],
    ]);
  });
});
