import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import snappy from "snappyjs";
import { describe, expect, test } from "vitest";
import { Columns, type Histogram } from "../../reference/metrics/model/index.ts";
import { Damage } from "../../reference/metrics/tsdb/files/damage.ts";
import { PageCache } from "../../reference/metrics/tsdb/files/pages.ts";
import { ChunkBatch } from "../../reference/metrics/tsdb/chunk/batch.ts";
import { ChunkDecoder } from "../../reference/metrics/tsdb/chunk/decode.ts";
import { encodeRows } from "../../reference/metrics/tsdb/chunk/encode.ts";
import { CHUNK_FAULTS } from "../../reference/metrics/tsdb/chunk/fault.ts";
import type { OpenFile } from "../../reference/metrics/tsdb/files/files.ts";
import { IndexReader } from "../../reference/metrics/tsdb/index/read.ts";
import { parseTombstones } from "../../reference/metrics/tsdb/block/tombstones.ts";
import { Packer, Unpacker } from "../../reference/metrics/tsdb/codec/index.ts";
import { Cursor } from "../../reference/metrics/tsdb/codec/varint.ts";
import { RecordReader } from "../../reference/metrics/tsdb/wal/record-read.ts";
import { linter } from "../lint.ts";
import { kindOf, loadVectors, vectorFiles, type Vector } from "../load.ts";
import { fileOf, SOURCES } from "./make.ts";
import type {
  ChunkVector,
  IndexVector,
  RecordVector,
  SnappyVector,
  TombstonesVector,
  WrittenHistogram,
  WrittenSample,
} from "./source/kinds.ts";

/** Checks our codecs against vectors written by Prometheus. */

const files = vectorFiles().filter((name) => name.startsWith("tsdb/"));
const ofKind = <V extends Vector>(kind: string): { name: string; vector: V }[] =>
  files.flatMap((name) => {
    const file = loadVectors<V>(name);
    return kindOf(file) === kind ? file.vectors.map((vector) => ({ name: `${name} ${vector.id}: ${vector.note}`, vector })) : [];
  });
const chunks = ofKind<ChunkVector>("tsdb-chunk");
const records = ofKind<RecordVector>("tsdb-record");

const octetsOf = (wire: string): Uint8Array => new Uint8Array(Buffer.from(wire, "hex"));
const hex16 = (bits: bigint): string => bits.toString(16).padStart(16, "0");
const bitsOf = (value: number): string => hex16(new BigUint64Array(new Float64Array([value]).buffer)[0] ?? 0n);
const withBits = (histogram: Histogram): WrittenHistogram => ({ ...histogram, sum: bitsOf(histogram.sum) });

function columnsOf({ encoding, wire }: ChunkVector): Columns | string {
  const columns = new Columns();
  const bytes = octetsOf(wire);
  return new ChunkDecoder().read({ encoding, bytes, from: 0, to: bytes.length }, columns) ?? columns;
}

function readChunkVector(vector: ChunkVector): WrittenSample[] | string {
  const columns = columnsOf(vector);
  if (typeof columns === "string") return columns;
  const words = new BigUint64Array(columns.bits.buffer);
  return Array.from({ length: columns.length }, (_, row) => {
    const histogram = columns.histograms?.[row];
    const time = columns.times[row] ?? 0;
    return histogram === undefined ? { time, bits: hex16(words[row] ?? 0n) } : { time, histogram: withBits(histogram) };
  });
}

/** The chunks that our writer makes of the samples. */
function rewrite(vector: ChunkVector): string[] {
  const columns = columnsOf(vector) as Columns;
  const batch = new ChunkBatch();
  encodeRows(columns, 0, batch);
  return Array.from({ length: batch.length }, (_, at) =>
    Buffer.from(batch.bytes[at]!.subarray(batch.froms[at], batch.tos[at])).toString("hex"),
  );
}

function readIndexVector({ wire }: IndexVector): unknown {
  const bytes = octetsOf(wire);
  const file: OpenFile = {
    path: "index",
    size: () => bytes.length,
    read: (into, at) => {
      const part = bytes.subarray(at, at + into.length);
      into.set(part);
      return part.length;
    },
    write: () => undefined,
    truncate: () => undefined,
    sync: () => undefined,
    close: () => undefined,
  };
  return unlessDamaged(() => {
    const index = new IndexReader(new PageCache(65_536).open(file));
    const names = index.table.names();
    const all = index.all();
    // Each label selects the series that have it.
    for (const name of names)
      for (const [, place] of index.table.entries(name)) expect([...all]).toEqual(expect.arrayContaining([...index.postings(place)]));
    const series = Array.from(all, (number) => {
      const flat: number[] = [];
      const labels = index.series(number, flat).toJSON();
      const chunks = Array.from({ length: flat.length / 3 }, (_, at) => flat.slice(at * 3, at * 3 + 3));
      return { labels, chunks };
    });
    return { symbols: [...index.symbols.all()], series };
  });
}

const readTombstonesVector = ({ wire }: TombstonesVector): unknown =>
  unlessDamaged(() =>
    [...parseTombstones("tombstones", octetsOf(wire))].flatMap(([series, intervals]) =>
      Array.from({ length: intervals.length / 2 }, (_, at) => ({ series, first: intervals[at * 2], last: intervals[at * 2 + 1] })),
    ),
  );

function unlessDamaged(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof Damage) return "invalid";
    throw error;
  }
}

function readRecordVector({ wire }: RecordVector): unknown {
  const told: unknown[] = [];
  const bytes = octetsOf(wire);
  const fault = new RecordReader().read(bytes, 0, bytes.length, {
    series: (series, octets, from, to) => {
      const cursor = new Cursor(octets, from, to);
      const text = (): string => new TextDecoder().decode(cursor.view(cursor.uvarint()));
      told.push({ series, labels: Object.fromEntries(Array.from({ length: cursor.uvarint() }, () => [text(), text()])) });
    },
    sample: (sample, time, octets, at) => told.push({ sample, time, bits: Buffer.from(octets.subarray(at, at + 8)).toString("hex") }),
    histogram: (of, time, histogram) => told.push({ of, time, histogram: withBits(histogram) }),
    tombstone: (tombstone, start, end) => told.push({ tombstone, start, end }),
    exemplar: (exemplarOf, { labels, value, time }) => told.push({ exemplarOf, labels: labels.toJSON(), value, time }),
    other: (type) => told.push({ other: type }),
  });
  return fault ?? told;
}

test("every file is valid by its schema and up to date with its source", () => {
  const lint = linter();
  expect(files.flatMap((name) => lint(name))).toEqual([]);
  expect(files).toEqual(
    Object.keys(SOURCES)
      .map((name) => `tsdb/${name}`)
      .sort(),
  );
  for (const [name, source] of Object.entries(SOURCES))
    expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8"), `node vectors/tsdb/make.ts (${name})`).toBe(fileOf(source));
});

describe("chunks", () => {
  test.each(chunks)("$name", ({ vector }) => {
    expect(readChunkVector(vector)).toEqual(vector.samples ?? vector.fault);
  });
  // We write floats, in chunks of 120, and histograms. A single stale marker is written as a float.
  const ours = chunks.filter(({ vector: { samples = [], encoding } }) => samples.length > 0 && samples.length <= 120 && encoding < 4);
  test.each(ours.filter(({ vector }) => vector.encoding === 1 || vector.samples?.[0]?.histogram !== undefined))(
    "$name, written again octet for octet",
    ({ vector }) => {
      expect(rewrite(vector)).toEqual([vector.wire]);
    },
  );
  test("every fault has a vector", () => {
    expect([...new Set(chunks.map(({ vector }) => vector.fault).filter((fault) => fault !== undefined))].sort()).toEqual(
      Object.keys(CHUNK_FAULTS).sort(),
    );
  });
});

test.each(ofKind<IndexVector>("tsdb-index"))("$name", ({ vector }) => {
  const { result, symbols, series } = vector;
  expect(readIndexVector(vector)).toEqual(result === "invalid" ? "invalid" : { symbols, series });
});

test.each(ofKind<TombstonesVector>("tsdb-tombstones"))("$name", ({ vector }) => {
  expect(readTombstonesVector(vector)).toEqual(vector.stones ?? "invalid");
});

describe("records", () => {
  test.each(records)("$name", ({ vector }) => {
    expect(readRecordVector(vector)).toEqual(vector.told ?? vector.fault);
  });
  test("every fault has a vector", () => {
    expect([...new Set(records.map(({ vector }) => vector.fault).filter((fault) => fault !== undefined))].sort()).toEqual([
      "recordShort",
      "recordType",
    ]);
  });
});

describe("Snappy blocks", () => {
  const blocks = ofKind<SnappyVector>("tsdb-snappy");
  // One after another, so that each finds the content of those before.
  const [unpacker, packer] = [new Unpacker(), new Packer()];
  const unpacked = (block: Uint8Array, most = 1 << 20): Uint8Array | "invalid" => {
    const within = Uint8Array.from([0xff, ...block, 0xff, 0, 0xff]);
    return unpacker.unpack(within, 1, 1 + block.length, most) ? unpacker.bytes.slice(0, unpacker.length) : "invalid";
  };
  const described = (content: Uint8Array | "invalid", { content: whole }: SnappyVector): unknown => {
    if (content === "invalid") return content;
    return whole === undefined
      ? { contentLength: content.length, crc32: crc32(content) }
      : { content: Buffer.from(content).toString("hex") };
  };
  test.each(blocks)("$name", ({ vector }) => {
    const { wire, most, content, contentLength, crc32: sum, result } = vector;
    const due = content === undefined ? { contentLength, crc32: sum } : { content };
    expect(described(unpacked(octetsOf(wire), most), vector)).toEqual(result === "invalid" ? "invalid" : due);
  });
  test.each(blocks.filter(({ vector: { result } }) => result === "valid"))("$name, packed for another library", ({ vector }) => {
    const content = unpacked(octetsOf(vector.wire)) as Uint8Array;
    const packed = packer.pack(content).slice();
    expect(content.length === 0 ? packed : new Uint8Array(snappy.uncompress(packed))).toEqual(
      content.length === 0 ? Uint8Array.of(0) : content,
    );
    expect(unpacked(packed)).toEqual(content);
    // It finds what repeats about as well as that library.
    expect(packed.length).toBeLessThanOrEqual(1.03 * snappy.compress(content).length + 1);
  });
});
