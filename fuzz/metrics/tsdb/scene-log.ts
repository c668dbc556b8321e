import { Labels } from "../../../reference/metrics/model/index.ts";
import { readSegment } from "../../../reference/metrics/tsdb/wal/read.ts";
import { RecordBuffer } from "../../../reference/metrics/tsdb/wal/record.ts";
import { RecordReader, type RecordSink } from "../../../reference/metrics/tsdb/wal/record-read.ts";
import { finishRepairs, repairSegment } from "../../../reference/metrics/tsdb/wal/repair.ts";
import { segmentName, segmentsIn, SegmentWriter } from "../../../reference/metrics/tsdb/wal/segment.ts";
import { readFile } from "../../../reference/metrics/tsdb/files/files.ts";
import { MemoryFiles } from "../../../reference/metrics/tsdb/files/testing.ts";
import { loadVectors } from "../../../vectors/load.ts";
import { damaged, type Draw, edge, float, hex, histogram, oneOf, shown, some, unhex, whole } from "./scene-draw.ts";
import { filesText } from "./scene-files.ts";
import { segmentOf } from "./segment.fuzz.ts";

/** Scenes of the log: records and segments, written, damaged, read and repaired. */

const DATA = "data";
const WAL = `${DATA}/wal`;
const RECORDS = (loadVectors("tsdb/records").vectors as unknown as readonly { wire: string }[])
  .map(({ wire }) => unhex(wire))
  .filter(({ length }) => length < 2_000);

function drawRecords(random: Draw, most: number): RecordBuffer {
  const records = new RecordBuffer();
  for (let count = 1 + whole(random, most); count > 0; count--) {
    const rows = 1 + whole(random, oneOf(random, [3, 3, 20, 400]));
    const ref = Math.abs(edge(random)) / 4;
    const time = edge(random) / 4;
    const at = (n: number): { ref: number; time: number } => ({
      ref: Math.floor(ref) + n * whole(random, 3),
      time: Math.floor(time) + n * 15,
    });
    const kind = oneOf(random, ["samples", "samples", "tombstones", "histograms", "series", "exemplars"] as const);
    if (kind === "samples") {
      const all = Array.from({ length: rows }, (_, n) => at(n));
      const values = Float64Array.from(all, () => float(random));
      const columns = { refs: Float64Array.from(all, (one) => one.ref), times: Float64Array.from(all, (one) => one.time) };
      records.samples({ ...columns, bits: new Uint32Array(values.buffer) }, 0, rows);
    } else if (kind === "tombstones") {
      records.tombstones(some(random, [0, 3], (n) => ({ ref: at(n).ref, start: at(n).time, end: at(n).time + whole(random, 90) })));
    } else if (kind === "histograms") {
      const name = oneOf(random, ["histograms", "floatHistograms", "customHistograms", "customFloatHistograms"] as const);
      records.histograms(
        name,
        some(random, [1, 3], (n) => ({ ...at(n), histogram: histogram(random, n * 3, whole(random, 14)) })),
      );
    } else if (kind === "exemplars") {
      const labels = Labels.of(oneOf(random, [{}, { trace_id: "é1" }, { a: "1", b: "22" }]));
      records.exemplars(some(random, [1, 3], (n) => ({ ref: at(n).ref, exemplar: { labels, value: float(random), time: at(n).time } })));
    } else {
      records.begin(1);
      for (const text of some(random, [1, 3], () => oneOf(random, ["a", "up", "job", "é"]))) {
        records.series(at(0).ref, 1);
        for (const one of [text, "v"]) {
          records.uvarint(Buffer.byteLength(one));
          records.room(20);
          records.copy(new TextEncoder().encode(one), 0, Buffer.byteLength(one));
        }
      }
      records.end();
    }
  }
  return records;
}

function toldBy(read: (sink: RecordSink) => unknown): string {
  const lines: string[] = [];
  const part = (bytes: Uint8Array, from: number, to: number): string => hex(bytes.subarray(from, Math.min(to, from + 40)));
  const fault = read({
    series: (ref, bytes, from, to) => void lines.push(`series ${ref} ${part(bytes, from, to)}`),
    sample: (ref, time, bytes, at) => void lines.push(`sample ${ref} ${time} ${part(bytes, at, at + 8)}`),
    histogram: (ref, time, one) => void lines.push(`histogram ${ref} ${time} ${shown(one)}`),
    tombstone: (ref, start, end) => void lines.push(`tombstone ${ref} ${start} ${end}`),
    exemplar: (ref, one) => void lines.push(`exemplar ${ref} ${one.labels} ${one.value} ${one.time}`),
    other: (type, bytes, from, to) => void lines.push(`other ${type} ${part(bytes, from, to)}`),
  });
  return [...lines, `fault: ${String(fault)}`].join("\n");
}

export function recordScene(random: Draw): string {
  const written = drawRecords(random, 2);
  const own = written.bytes.slice(0, written.ends[0] ?? 0);
  const bytes = random() < 0.75 ? own : oneOf(random, RECORDS);
  const given = random() < 0.4 ? bytes : damaged(random, bytes);
  const reader = new RecordReader();
  const padded = new Uint8Array([7, ...given, 7, 7]);
  const [time, ref] = [edge(random) / 4, whole(random, 5)];
  return [
    hex(written.bytes.subarray(0, written.length)),
    written.ends,
    hex(given),
    toldBy((sink) => reader.read(padded, 1, 1 + given.length, sink)),
    given.length === 0 ? "" : reader.hasOnlyOldSamples(padded, 1, 1 + given.length, time),
    given.length === 0 ? "" : reader.hasOnlySamplesThat(padded, 1, 1 + given.length, (one, at) => one % 5 !== ref && at > -1e15),
  ].join("\n");
}

export function segmentScene(random: Draw): string {
  const files = new MemoryFiles();
  files.makeDirectory(WAL);
  const segmentOctets = oneOf(random, [32_768, 65_536, 1 << 27]);
  const writer = new SegmentWriter(files, WAL, {
    number: whole(random, 3),
    sync: oneOf(random, ["commit", "interval", "never"] as const),
    segmentOctets,
  });
  for (let count = 1 + whole(random, 6); count > 0; count--) {
    writer.write(drawRecords(random, 4));
    if (random() < 0.1) writer.takeBack();
    if (random() < 0.1) writer.cut();
    if (random() < 0.1) writer.sync();
  }
  const lines = [`${writer.number} ${writer.size}`];
  writer.close();
  const name = oneOf(random, segmentsIn(files, WAL)).name;
  lines.push(filesText(files, WAL));
  const bytes = readFile(files, `${WAL}/${name}`);
  const given =
    random() < 0.15
      ? bytes
      : random() < 0.7
        ? damaged(random, bytes)
        : segmentOf(damaged(random, new Uint8Array([oneOf(random, [0, 0, 1, 9]), ...bytes.subarray(0, 1_500)])));
  return [...lines, repaired(random, given)].join("\n");
}

function repaired(random: Draw, bytes: Uint8Array): string {
  const files = new MemoryFiles();
  files.makeDirectory(WAL);
  const path = `${WAL}/${segmentName(0)}`;
  files.open(path, "create").write(bytes, 0);
  const reader = new RecordReader();
  const most = oneOf(random, [1 << 20, 1 << 20, 300]);
  const lines: string[] = [hex(bytes.subarray(0, 600))];
  const read = (): ReturnType<typeof readSegment> =>
    readSegment(files, path, most, (octets, from, to) => {
      let fault: ReturnType<RecordReader["read"]>;
      lines.push(toldBy((sink) => (fault = reader.read(octets, from, to, sink))).slice(0, 300));
      return fault;
    });
  const { damage, isTorn, goodEnd, size, records } = read();
  lines.push(shown({ damage, isTorn, goodEnd, size, records }));
  if (damage.length > 0) {
    lines.push(shown(repairSegment(files, DATA, { path, damage, isTorn, goodEnd, size }, most)));
    finishRepairs(files, WAL);
    lines.push(shown(read()), filesText(files, DATA));
  }
  return lines.join("\n");
}
