import { Misuse } from "../../../reference/core/index.ts";
import type { Files } from "../../../reference/metrics/tsdb/index.ts";
import { crc32c } from "../../../reference/metrics/tsdb/codec/crc32c.ts";
import { RECORD, RecordBuffer } from "../../../reference/metrics/tsdb/wal/record.ts";
import { RecordReader, type RecordSink } from "../../../reference/metrics/tsdb/wal/record-read.ts";
import { readSegment } from "../../../reference/metrics/tsdb/wal/read.ts";
import { repairSegment } from "../../../reference/metrics/tsdb/wal/repair.ts";
import {
  FRAGMENT,
  FRAGMENT_HEAD,
  PAGE,
  segmentName,
  SegmentWriter,
  SNAPPY_FLAG,
  ZSTD_FLAG,
} from "../../../reference/metrics/tsdb/wal/segment.ts";
import type { Target } from "../../lib/target.ts";
import { MemoryFiles } from "../../../reference/metrics/tsdb/files/testing.ts";

/** Records: a series, two samples, a tombstone, an unknown type, the same compressed, and one that is cut off. */
const KINDS = [
  "01000000000000000101016101620",
  "02000000000000000700000000000003e8000ec03ff00000000000000204c03ff8000000000000",
  "0300000000000000010208",
  "63",
  "0b28630000",
  "0200",
].map((hex) => new Uint8Array(Buffer.from(hex, "hex")));
const HEADS = [
  FRAGMENT.full,
  FRAGMENT.first,
  FRAGMENT.middle,
  FRAGMENT.last,
  FRAGMENT.full | SNAPPY_FLAG,
  FRAGMENT.first | SNAPPY_FLAG,
  FRAGMENT.full | ZSTD_FLAG,
];
const CONTENT = new Uint8Array(KINDS.flatMap((kind) => [...fragment(FRAGMENT.full, kind)]));
const MOST = 1 << 20;
const PATH = `wal/${segmentName(0)}`;

/** The wrong checksum that stays. */
const WRONG = 0xffff_ffff;
/** The first octet, times this, is the room that the first page has left for the fragments after it; 0 for all of it. */
const ROOM = 16;

/**
 * Any octets with right checksums are read to the end as a segment. After a repair it has the same records and no repairable damage. The first octet
 * moves the rest to the end of a page, because short inputs do not cross one.
 */
export const target: Target = {
  name: "metrics/tsdb/segment",
  about: "any octets can be read as a log segment and repaired without loss",
  maxLength: 4_096,
  seeds: [0, 1, 9].flatMap((room) => [segment(1, 20), segment(6, 300), CONTENT].map((bytes) => Uint8Array.of(room, ...bytes))),
  dictionary: KINDS.flatMap((kind) => HEADS.map((head) => fragment(head, kind))),
  run: (input) => {
    const files = holding(segmentOf(input));
    const before = recordsIn(files);
    const { damage, isTorn, goodEnd, size } = before.reading;
    if (goodEnd > size || (damage.length === 0) !== before.isClean) throw new Error("The report does not fit the segment.");
    if (damage.length === 0) return;
    repairSegment(files, "wal", { path: PATH, damage, isTorn, goodEnd, size }, MOST);
    const after = recordsIn(files);
    if (after.records.join() !== before.records.join()) throw new Error("A repair lost or changed a record.");
    const left = after.reading.damage.filter(({ fault }) => fault !== "recordType" && fault !== "recordZstd");
    if (left.length > 0) throw new Error(`A repair left damage: ${JSON.stringify(left)}`);
  },
};

/** The segment that an input stands for. */
export const segmentOf = (input: Uint8Array): Uint8Array => summed(moved(input));

/** Puts a record that fills the first page, but for the room, before the rest. */
function moved(input: Uint8Array): Uint8Array {
  const rest = input.subarray(1);
  const room = (input[0] ?? 0) * ROOM;
  if (room === 0) return rest;
  const length = PAGE - room - FRAGMENT_HEAD;
  const bytes = new Uint8Array(FRAGMENT_HEAD + length + rest.length);
  bytes.set([FRAGMENT.full, length >> 8, length & 0xff]);
  // A record of a type that is skipped.
  bytes[FRAGMENT_HEAD] = RECORD.series;
  bytes.set(rest, FRAGMENT_HEAD + length);
  return bytes;
}

/** Corrects the checksums of all fragments, which a fuzzer does not find. */
function summed(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  for (let page = 0; page < copy.length; page += PAGE) {
    const end = Math.min(page + PAGE, copy.length);
    for (let at = page; at + FRAGMENT_HEAD <= end && copy[at] !== FRAGMENT.rest; at += FRAGMENT_HEAD + view.getUint16(at + 1)) {
      const begin = at + FRAGMENT_HEAD;
      if (begin + view.getUint16(at + 1) > end) break;
      if (view.getUint32(at + 3) !== WRONG) view.setUint32(at + 3, crc32c(copy, 0, begin, begin + view.getUint16(at + 1)));
    }
  }
  return copy;
}

function recordsIn(files: Files): { records: string[]; reading: ReturnType<typeof readSegment>; isClean: boolean } {
  const records: string[] = [];
  const reader = new RecordReader();
  const reading = readSegment(files, PATH, MOST, (bytes, from, to) => {
    const fault = reader.read(bytes, from, to, NOTHING);
    if (fault === undefined) records.push(Buffer.from(bytes.subarray(from, to)).toString("base64"));
    return fault;
  });
  return { records, reading, isClean: reading.records === records.length && reading.damage.length === 0 };
}

const NOTHING: RecordSink = {
  series: () => {},
  sample: () => {},
  histogram: () => {},
  tombstone: () => {},
  exemplar: () => {},
  other: () => {},
};

function holding(bytes: Uint8Array): MemoryFiles {
  const files = new MemoryFiles();
  files.makeDirectory("wal");
  files.open(PATH, "create").write(bytes, 0);
  return files;
}

/** Records of samples, each of about `octets` octets. */
function segment(count: number, octets: number): Uint8Array {
  const files = new MemoryFiles();
  files.makeDirectory("wal");
  const writer = new SegmentWriter(files, "wal", { number: 0, sync: "never" });
  const records = new RecordBuffer();
  const rows = Math.ceil(octets / 10);
  const refs = Float64Array.from({ length: rows }, (_, at) => at + 1);
  for (let record = 0; record < count; record++)
    records.samples({ refs, times: refs.map((ref) => ref * 7), bits: new Uint32Array(rows * 2).fill(record) }, 0, rows);
  writer.write(records);
  writer.close();
  const file = files.open(PATH, "read");
  const bytes = new Uint8Array(file.size());
  if (file.read(bytes, 0) !== bytes.length) throw new Misuse("A seed cannot be read.");
  return bytes;
}

/** A fragment with a checksum to correct. */
function fragment(head: number, content: Uint8Array): Uint8Array {
  return Uint8Array.of(head, content.length >> 8, content.length & 0xff, 0, 0, 0, 0, ...content);
}
