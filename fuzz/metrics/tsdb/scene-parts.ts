import { Columns, Labels, Matcher } from "../../../reference/metrics/model/index.ts";
import { planCompaction } from "../../../reference/metrics/tsdb/block/compact-plan.ts";
import { type BlockMeta, isUlid, parseMeta, printMeta, ulid } from "../../../reference/metrics/tsdb/block/meta.ts";
import * as tombstones from "../../../reference/metrics/tsdb/block/tombstones.ts";
import { ChunkBatch } from "../../../reference/metrics/tsdb/chunk/batch.ts";
import { ChunkDecoder } from "../../../reference/metrics/tsdb/chunk/decode.ts";
import { encodeRows } from "../../../reference/metrics/tsdb/chunk/encode.ts";
import {
  BitDesk,
  BitReader,
  BitWriter,
  crc32c,
  Cursor,
  Packer,
  putUvarint,
  putVarint,
  Unpacker,
  uvarintLength,
} from "../../../reference/metrics/tsdb/codec/index.ts";
import { Damage } from "../../../reference/metrics/tsdb/files/damage.ts";
import { readFile } from "../../../reference/metrics/tsdb/files/files.ts";
import { PageCache } from "../../../reference/metrics/tsdb/files/pages.ts";
import { MemoryFiles } from "../../../reference/metrics/tsdb/files/testing.ts";
import { intersect, subtract, union } from "../../../reference/metrics/tsdb/index/postings.ts";
import { IndexReader } from "../../../reference/metrics/tsdb/index/read.ts";
import { IndexWriter } from "../../../reference/metrics/tsdb/index/write.ts";
import { loadVectors } from "../../../vectors/load.ts";
import { summed } from "./index.fuzz.ts";
import { damaged, type Draw, edge, float, hex, histogram, oneOf, shown, some, unhex, whole } from "./scene-draw.ts";

/** Scenes of the storage's codecs: random input, and what comes out, as text. */

/** What a call returns, or the damage that it reports. */
const tried = (call: () => string): string => {
  try {
    return call();
  } catch (error) {
    if (error instanceof Damage) return `${error.name} at ${error.at}: ${error.message}`;
    throw error;
  }
};

export function bitsScene(random: Draw): string {
  const writer = new BitWriter();
  const wrote = some(random, [1, 40], () => {
    const kind = oneOf(random, ["bits", "float", "varbitInt", "varbitUint"] as const);
    const [width, value] = [
      whole(random, 33),
      kind === "float" ? float(random) : kind === "varbitUint" ? Math.abs(edge(random)) : edge(random),
    ];
    if (kind === "bits") writer.bits(value, width);
    else writer[kind](value);
    return { kind, width };
  });
  const bytes = writer.bytes.slice(0, writer.length);
  const given = random() < 0.5 ? bytes : damaged(random, bytes);
  const from = whole(random, 3);
  const reader = new BitReader(new BitDesk());
  reader.begin(new Uint8Array([...new Uint8Array(from), ...given, 0xff]), from, from + given.length);
  const read = wrote.map(({ kind, width }) => {
    if (random() < 0.04) return `${reader.uvarint()} ${reader.varint()} ${reader.signed(width)} ${reader.short}`;
    return `${kind} ${shown(kind === "bits" ? reader.bits(width) : reader[kind]())} ${reader.short} ${reader.left}`;
  });
  return [hex(bytes), hex(given), ...read].join("\n");
}

export function numbersScene(random: Draw): string {
  const bytes = new Uint8Array(400);
  let at = 0;
  const values = some(random, [1, 20], () => edge(random));
  for (const value of values) at = value < 0 || random() < 0.3 ? putVarint(bytes, at, value) : putUvarint(bytes, at, value);
  const given = random() < 0.5 ? bytes.slice(0, at) : damaged(random, bytes.slice(0, at));
  const cursor = new Cursor(given, 0, given.length - (random() < 0.1 ? Math.min(1, given.length) : 0));
  const read = some(random, [1, 24], () => {
    const kind = oneOf(random, ["uvarint", "varint", "uvarint", "varint", "u8", "u32", "view", "skip"] as const);
    const length = whole(random, 6);
    const value = kind === "view" ? hex(cursor.view(length)) : kind === "skip" ? cursor.skip(length) : cursor[kind]();
    return `${kind} ${value} ${cursor.short} ${cursor.left} ${cursor.at}`;
  });
  const [from, to] = [whole(random, 20), 380 + whole(random, 20)];
  const noise = Uint8Array.from({ length: 400 }, () => whole(random, 256));
  return [
    hex(given),
    ...read,
    values.map((value) => uvarintLength(Math.abs(value))),
    crc32c(noise, whole(random, 2 ** 32) >>> 0, from, to),
    crc32c(given),
  ].join("\n");
}

/** A Snappy block of random literals and copies, most of them valid. */
export function snappyScene(random: Draw): string {
  const tokens: number[] = [];
  let length = 0;
  for (const kind of some(random, [1, 12], () => oneOf(random, ["literal", "literal", "near", "copy", "far"] as const))) {
    if (kind === "literal" || length === 0) {
      const size = oneOf(random, [1, 2, 4, 5, 8, 47, 48, 49, 59, 60, 61, 256, 257]);
      if (size <= 60) tokens.push((size - 1) << 2);
      else if (size <= 256) tokens.push(60 << 2, size - 1);
      else tokens.push(61 << 2, (size - 1) & 255, (size - 1) >> 8);
      for (let at = 0; at < size; at++) tokens.push(whole(random, 256));
      length += size;
      continue;
    }
    const offset =
      Math.max(1, Math.min(length, oneOf(random, [1, 2, 3, 7, 8, 9, 60, length, whole(random, length) + 1]))) +
      (random() < 0.02 ? length : 0);
    const size = kind === "near" ? 4 + whole(random, 8) : 1 + whole(random, 64);
    if (kind === "near" && offset < 2_048) tokens.push(1 | ((size - 4) << 2) | ((offset >> 8) << 5), offset & 255);
    else if (kind === "far") tokens.push(3 | ((size - 1) << 2), offset & 255, (offset >> 8) & 255, 0, random() < 0.02 ? 1 : 0);
    else tokens.push(2 | ((size - 1) << 2), offset & 255, (offset >> 8) & 255);
    length += size;
  }
  const head = new Uint8Array(6);
  const end = putUvarint(head, 0, Math.max(0, length + (random() < 0.1 ? oneOf(random, [1, -1]) : 0)));
  const block = new Uint8Array([...head.subarray(0, end), ...tokens]);
  const given = random() < 0.6 ? block : damaged(random, block);
  const unpacker = new Unpacker();
  const most = oneOf(random, [1e6, 1e6, length, length - 1]);
  const whether = unpacker.unpack(new Uint8Array([9, ...given, 9]), 1, 1 + given.length, most);
  return [hex(given), most, whether, whether ? hex(unpacker.bytes.subarray(0, unpacker.length)) : ""].join("\n");
}

/** Octets with repetitions near and far, packed, and read again. */
export function packScene(random: Draw): string {
  const octets: number[] = [];
  for (const kind of some(random, [0, 14], () => oneOf(random, ["noise", "run", "again", "again"] as const))) {
    const size = oneOf(random, [1, 3, 4, 11, 12, 47, 48, 49, 60, 61, 64, 65, 67, 68, 69, 256, 257, whole(random, 600)]);
    const from = whole(random, Math.max(1, octets.length));
    const letter = whole(random, 4);
    for (let at = 0; at < size; at++)
      octets.push(kind === "noise" ? whole(random, 256) : kind === "run" ? letter : (octets[from + at] ?? whole(random, 256)));
  }
  const given = Uint8Array.from(octets);
  const [packer, unpacker] = [new Packer(), new Unpacker()];
  packer.pack(given.subarray(0, whole(random, 40)));
  const packed = packer.pack(given).slice();
  const whether = unpacker.unpack(packed, 0, packed.length, given.length);
  return [hex(given), hex(packed), whether, hex(unpacker.bytes.subarray(0, unpacker.length))].join("\n");
}

type Chunk = { readonly encoding: number; readonly bytes: Uint8Array };
const CHUNKS: readonly Chunk[] = ["chunks-float", "chunks-histogram", "chunks-start", "chunks-damaged"]
  .flatMap((name) => loadVectors(`tsdb/${name}`).vectors as unknown as readonly { encoding: number; wire: string }[])
  .map(({ encoding, wire }) => ({ encoding, bytes: unhex(wire) }))
  .filter(({ bytes }) => bytes.length < 3_000);

/** Exact, with the bits of NaNs. */
export const columnsText = (columns: Columns): string =>
  Array.from({ length: columns.length }, (_, row) => {
    const one = columns.histograms?.[row];
    return `${columns.times[row]} ${columns.bits[row * 2]}:${columns.bits[row * 2 + 1]} ${one === undefined ? "" : shown(one)}`;
  }).join("\n");

/** Rising times, regular or not, and values of one kind with others in between. */
function drawColumns(random: Draw, most: number): Columns {
  const columns = new Columns();
  const kind = oneOf(random, ["float", "float", "histogram", "mixed"] as const);
  const favourite = whole(random, 35);
  const step = oneOf(random, [15_000, 1, 1_000]);
  let time = oneOf(random, [0, 1_700_000_000_000, -5_000, -(2 ** 40)]);
  let value = whole(random, 50);
  for (let count = 1 + whole(random, most); count > 0; count--) {
    time += Math.max(1, random() < 0.8 ? step : step + oneOf(random, [1, -1, 40, 9_000, 2 ** 20, 2 ** 33, 2 ** 50 / 64]));
    value = random() < 0.5 ? value + 1 : random() < 0.6 ? value : random() < 0.9 ? value + random() * 10 : 0;
    if (random() < 0.04) columns.pushStale(time);
    else if (kind === "float" || (kind === "mixed" && random() < 0.7)) columns.push(time, random() < 0.9 ? value : float(random));
    else columns.pushHistogram(time, histogram(random, value, favourite));
  }
  return columns;
}

export function chunkScene(random: Draw): string {
  const lines: string[] = [];
  let chunk: Chunk = oneOf(random, CHUNKS);
  if (random() < 0.7) {
    const columns = drawColumns(random, oneOf(random, [4, 20, 20, 130, 260]));
    const batch = new ChunkBatch();
    encodeRows(columns, Math.min(columns.length, random() < 0.1 ? 2 : 0), batch);
    lines.push(columnsText(columns));
    for (let at = 0; at < batch.length; at++) {
      const bytes = batch.bytes[at]!.slice(batch.froms[at], batch.tos[at]);
      lines.push(`${batch.encodings[at]} ${batch.minTimes[at]} ${batch.maxTimes[at]} ${batch.samples(at)} ${hex(bytes)}`);
      chunk = { encoding: batch.encodings[at]!, bytes };
    }
  }
  const bytes = random() < 0.4 ? chunk.bytes : damaged(random, chunk.bytes);
  const encoding = random() < 0.97 ? chunk.encoding : whole(random, 8);
  const [into, all] = [new Columns(), new Columns()];
  const decoder = new ChunkDecoder();
  const given = { encoding, bytes: new Uint8Array([1, ...bytes, 0xff, 0xff]), from: 1, to: 1 + bytes.length };
  lines.push(hex(bytes), `${decoder.read(given, all)}`, columnsText(all));
  const [from, to] = [all.times[whole(random, all.length)] ?? 0, all.times[whole(random, all.length)] ?? 0];
  const window = [from + oneOf(random, [0, 1, -1]), to + oneOf(random, [0, 1, -1])] as const;
  lines.push(window.join(), `${decoder.read(given, into, ...window)}`, columnsText(into));
  return lines.join("\n");
}

const NAMES = ["__name__", "job", "instance", "a.b", "é", "le"];
const VALUES = ["a", "b", "up", "x y", "é😀", "0.5", "1", "10", "", "zz"];
export const drawLabels = (random: Draw): Labels =>
  Labels.of([...new Map(some(random, [1, 4], () => [oneOf(random, NAMES), oneOf(random, VALUES)] as const))]);
export function drawMatcher(random: Draw): Matcher {
  const operator = oneOf(random, ["=", "!=", "=~", "!~"] as const);
  const patterns = ["a|b", ".+", ".*", "[ab]", "u.*", "", "a", "é.", "(up|a)", "1.?"];
  return new Matcher(oneOf(random, [...NAMES, "none"]), operator, oneOf(random, operator.endsWith("~") ? patterns : VALUES));
}

const INDEXES = (loadVectors("tsdb/index").vectors as unknown as readonly { wire: string }[])
  .map(({ wire }) => unhex(wire))
  .filter(({ length }) => length < 4_000);
const PATH = "data/index";

export function indexScene(random: Draw): string {
  const files = new MemoryFiles();
  files.makeDirectory("data");
  const series = [...new Map(some(random, [0, 8], () => drawLabels(random)).map((one) => [one.key, one])).values()].sort((a, b) =>
    compareFlat(a.flat, b.flat),
  );
  const writer = new IndexWriter(files.open(PATH, "create"), [...new Set(series.flatMap(({ flat }) => [...flat]))].sort(compare));
  let place = 8;
  for (const labels of series) {
    const batch = new ChunkBatch();
    let time = edge(random) / 4;
    const places = some(random, [0, 3], () => {
      const [minTime, maxTime] = [Math.floor(time), Math.floor(time) + whole(random, 9_000)];
      batch.add({ encoding: 1, bytes: new Uint8Array(2), from: 0, to: 2, minTime, maxTime });
      time = maxTime + 1 + whole(random, 50);
      return (place += whole(random, 300));
    });
    if (places.length > 0) writer.series(writer.placesOf(labels.flat), batch, places);
  }
  writer.finish();
  const own = readFile(files, PATH);
  const bytes = random() < 0.8 ? own : oneOf(random, INDEXES);
  const harm = random();
  const given = harm < 0.5 ? bytes : harm < 0.8 ? summed(damaged(random, bytes)) : damaged(random, bytes);
  const other = new MemoryFiles();
  other.makeDirectory("data");
  other.open(PATH, "create").write(given, 0);
  const lines = [hex(own), hex(given)];
  const about = tried(() => {
    const reader = new IndexReader(new PageCache(65_536).open(other.open(PATH, "read")));
    const read = [shown(reader.table.names().map((name) => [name, [...reader.table.entries(name, oneOf(random, ["", "a"]))]]))];
    for (const matchers of some(random, [1, 4], () => some(random, [0, 3], () => drawMatcher(random)))) {
      read.push(
        tried(() => {
          const found = reader.select(matchers);
          const told = [...found].map((number) => {
            const chunks: number[] = [];
            return `${number} ${reader.series(number, chunks, ...oneOf(random, [[], [], [0, 1_000]]))} ${shown(chunks)}`;
          });
          return [matchers.join(), ...told].join("\n");
        }),
      );
    }
    return read.join("\n");
  });
  return [...lines, about].join("\n");
}
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
function compareFlat(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const order = compare(a[at]!, b[at]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

export function postingsScene(random: Draw): string {
  const list = (): Uint32Array =>
    Uint32Array.from(new Set(some(random, [0, oneOf(random, [5, 5, 90])], () => whole(random, oneOf(random, [12, 200]))))).sort();
  const [a, b] = [list(), list()];
  const lists = some(random, [0, 4], list);
  return [a, b, intersect(a, b), intersect(b, a), subtract(a, b), ...lists, union(lists)].map((one) => shown(one)).join("\n");
}

const TOMBSTONES = (loadVectors("tsdb/tombstones").vectors as unknown as readonly { wire: string }[]).map(({ wire }) => unhex(wire));

export function tombstonesScene(random: Draw): string {
  const deleted = new Map<number, tombstones.Intervals>();
  const lines: string[] = [];
  for (let count = whole(random, 12); count > 0; count--) {
    const [series, first] = [whole(random, 3), whole(random, 40) - 5];
    const joined = tombstones.withInterval(deleted.get(series) ?? [], first, first + whole(random, 6));
    deleted.set(series, joined);
    const [from, to] = [whole(random, 40), whole(random, 44)];
    lines.push(
      `${series} ${joined} ${tombstones.isDeleted(joined, from)} ${tombstones.isCovered(joined, from, to)} ${tombstones.isTouched(joined, from, to)}`,
    );
  }
  const bytes = tombstones.printTombstones(deleted);
  const given = oneOf(random, [bytes, damaged(random, bytes), oneOf(random, TOMBSTONES), checked(damaged(random, bytes))]);
  return [...lines, hex(bytes), hex(given), tried(() => shown(tombstones.parseTombstones("t", given)))].join("\n");
}
/** With the right checksum. */
function checked(bytes: Uint8Array): Uint8Array {
  const [copy, head] = [bytes.slice(), 5];
  if (copy.length >= head + 4) new DataView(copy.buffer).setUint32(copy.length - 4, crc32c(copy, 0, head, copy.length - 4));
  return copy;
}

export function metaScene(random: Draw): string {
  const name = (): string =>
    ulid(
      whole(random, 2 ** 40),
      Uint8Array.from({ length: 16 }, () => whole(random, 256)),
    );
  let time = 0;
  const spans = oneOf(random, [undefined, [10, 30, 90]] as const);
  const unit = spans === undefined ? 7_200_000 : 10;
  const metas = some(random, [0, 7], (): BlockMeta => {
    const minTime = time + (random() < 0.8 ? 0 : unit * whole(random, 3)) - (random() < 0.1 ? unit / 2 : 0);
    const maxTime = minTime + unit * oneOf(random, [1, 1, 1, 1, 3, 8, 9]);
    time = maxTime;
    const stats = {
      numSamples: whole(random, 100),
      numSeries: whole(random, 10),
      numChunks: 1,
      ...(random() < 0.3 ? { numTombstones: whole(random, 90) } : {}),
    };
    const compaction = {
      level: 1 + whole(random, 3),
      sources: [name()],
      ...(random() < 0.1 ? { failed: true } : {}),
      ...(random() < 0.1 ? { deletable: true } : {}),
      ...(random() < 0.2 ? { hints: ["from-out-of-order"] } : {}),
    };
    return { ulid: name(), minTime, maxTime, stats, compaction, version: 1 };
  });
  const plan = planCompaction(
    metas.toSorted((a, b) => a.minTime - b.minTime),
    ...(spans === undefined ? [] : [spans]),
  );
  const text = metas[0] === undefined ? new Uint8Array(0) : printMeta(metas[0]);
  const words = new TextDecoder().decode(text);
  const changed = words
    .replace(oneOf(random, [/"version": 1/, /\d+/, /"[0-9A-Z]{26}"/, /\{/, /"level": \d/, /"hints": \[/, /"sources": \[/]), () =>
      oneOf(random, [
        '"version": 2',
        '"version": 0',
        "1.5",
        "-3",
        '"x"',
        "null",
        "[",
        '"level": 0',
        '"sources": [1,',
        '"parents": [{},{"ulid":"x"}],"x":[',
      ]),
    )
    .trim();
  const given = random() < 0.3 ? text : new TextEncoder().encode(changed);
  return [
    shown(metas),
    shown(plan ?? "nothing"),
    words,
    changed,
    tried(() => shown(parseMeta("m", given))),
    isUlid(name()),
    isUlid(name().slice(1)),
    isUlid(`8${name().slice(1)}`),
  ].join("\n");
}
