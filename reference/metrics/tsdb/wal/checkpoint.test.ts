import { expect, test } from "vitest";
import { Labels } from "../../model/index.ts";
import { emptyFiles } from "../block/testing.ts";
import { checkpointsIn, writeCheckpoint } from "./checkpoint.ts";
import { Head } from "../head/head.ts";
import { readSegment } from "./read.ts";
import { RecordReader } from "./record-read.ts";
import { RecordBuffer } from "./record.ts";
import { scanInTurn } from "./scan.ts";
import { SegmentWriter, segmentsIn } from "./segment.ts";

const WAL = "data/wal";
const MOST = 1 << 20;
/** A reference without a series in memory. */
const GONE = 99;

type Sample = readonly [ref: number, time: number];

function recordOf(buffer: RecordBuffer, samples: readonly Sample[]): void {
  const refs = Float64Array.from(samples, ([ref]) => ref);
  const times = Float64Array.from(samples, ([, time]) => time);
  buffer.samples({ refs, times, bits: new Uint32Array(samples.length * 2) }, 0, samples.length);
}

test("a checkpoint keeps the recent samples of series in memory and drops empty records", () => {
  const head = new Head();
  const [one = 0, two = 0] = [{ a: "1" }, { a: "2" }].map((labels) => head.table.refOf(head.table.ensure(Labels.of(labels))));
  const given: readonly (readonly Sample[])[] = [
    [
      [one, 10],
      [two, 99],
    ],
    [
      [one, 99],
      [two, 100],
      [one, 101],
    ],
    [
      [two, 100],
      [one, 130],
    ],
    [
      [one, 140],
      [GONE, 150],
    ],
    [[GONE, 160]],
  ];
  const files = emptyFiles();
  files.makeDirectory(WAL);
  const writer = new SegmentWriter(files, WAL, { number: 0, sync: "never" });
  const records = new RecordBuffer();
  for (const samples of given) recordOf(records, samples);
  records.tombstones([
    { ref: one, start: 0, end: 99 },
    { ref: two, start: 0, end: 100 },
  ]);
  records.exemplars([99, 100].map((time) => ({ ref: two, exemplar: { labels: Labels.NONE, value: 1, time } })));
  records.exemplars([{ ref: 77, exemplar: { labels: Labels.NONE, value: 1, time: 100 } }]);
  writer.write(records);
  writer.cut();
  writer.cut();
  writer.close();

  writeCheckpoint({ files, scan: scanInTurn(files) }, WAL, head, { last: 1, time: 100, segmentOctets: MOST });

  const kept: unknown[][] = [];
  const [checkpoint] = checkpointsIn(files, WAL);
  const directory = `${WAL}/${checkpoint?.name ?? ""}`;
  for (const { name } of segmentsIn(files, directory)) {
    readSegment(files, `${directory}/${name}`, MOST, (bytes, from, to) => {
      const record: unknown[] = [];
      kept.push(record);
      return new RecordReader().read(bytes, from, to, {
        series: (ref) => record.push(["series", ref]),
        sample: (ref, time) => record.push([ref, time]),
        histogram: (ref, time) => record.push(["histogram", ref, time]),
        tombstone: (ref, start, end) => record.push(["deleted", ref, start, end]),
        exemplar: (ref, { time }) => record.push(["exemplar", ref, time]),
        other: (type) => record.push(["other", type]),
      });
    });
  }
  expect(kept).toEqual([
    [
      [two, 100],
      [one, 101],
    ],
    [
      [two, 100],
      [one, 130],
    ],
    [[one, 140]],
    [["deleted", two, 0, 100]],
    [["exemplar", two, 100]],
  ]);
});
