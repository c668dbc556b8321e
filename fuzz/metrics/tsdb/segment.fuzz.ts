import { Misuse } from "../../../reference/core/index.ts";
import type { Files } from "../../../reference/metrics/tsdb/index.ts";
import { RecordBuffer } from "../../../reference/metrics/tsdb/wal/record.ts";
import { RecordReader, type RecordSink } from "../../../reference/metrics/tsdb/wal/record-read.ts";
import { readSegment } from "../../../reference/metrics/tsdb/wal/read.ts";
import { repairSegment } from "../../../reference/metrics/tsdb/wal/repair.ts";
import { segmentName, SegmentWriter } from "../../../reference/metrics/tsdb/wal/segment.ts";
import type { Target } from "../../lib/target.ts";
import { MemoryFiles } from "../../../reference/metrics/tsdb/files/testing.ts";

const MOST = 1 << 20;
const PATH = `wal/${segmentName(0)}`;

/** Any octets are read to the end as a segment. After a repair it has the same records and no repairable damage. */
export const target: Target = {
  name: "metrics/tsdb/segment",
  about: "any octets can be read as a log segment and repaired without loss",
  maxLength: 4_096,
  seeds: [segment(1, 20), segment(6, 300)],
  run: (input) => {
    const files = holding(input);
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

const NOTHING: RecordSink = { series: () => {}, sample: () => {}, histogram: () => {}, tombstone: () => {}, other: () => {} };

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
