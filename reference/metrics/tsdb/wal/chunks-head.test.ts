import { beforeEach, describe, expect, test } from "vitest";
import { histogramOf } from "../../model/histogram-testing.ts";
import { Columns, Labels, type Histogram } from "../../model/index.ts";
import { emptyFiles, heldBy, type Held } from "../block/testing.ts";
import { ChunkBatch } from "../chunk/batch.ts";
import { encodeRows } from "../chunk/encode.ts";
import { crc32c } from "../codec/crc32c.ts";
import { Database } from "../db/database.ts";
import type { MemoryFiles } from "../files/testing.ts";
import { putUvarint } from "../codec/varint.ts";

const NAME = "data/chunks_head/000001";
/** A time at the start of a block. */
const START = 1_800_000_000_000 - (1_800_000_000_000 % 7_200_000);
const STEP = 15_000;
const at = (step: number): number => START + step * STEP;
type Rows = readonly (readonly [time: number, value: number | Histogram])[];
type Chunk = { readonly ref: number; readonly rows: Rows; readonly flags?: number };

let files: MemoryFiles;
beforeEach(() => {
  files = emptyFiles();
});

const open = (): Database => new Database(files, "data", { random: (into) => into.fill(7) });

function opened<Result>(act: (database: Database) => Result): Result {
  const database = open();
  try {
    return act(database);
  } finally {
    database.close();
  }
}

const steps = (from: number, to: number, value: (step: number) => number): Rows =>
  Array.from({ length: to - from }, (_, index) => [at(from + index), value(from + index)] as const);

/** Stores samples and returns the reference of their series. */
function store(name: string, rows: Rows): number {
  return opened((database) => {
    const appender = database.appender();
    const ref = appender.series(Labels.of({ __name__: name }));
    for (const [time, value] of rows)
      expect(typeof value === "number" ? appender.append(ref, time, value) : appender.appendHistogram(ref, time, value)).toBeUndefined();
    appender.commit();
    return ref;
  });
}

/** As the Prometheus TSDB docs (format/head_chunks.md) draw it. */
function octetsOf({ ref, rows, flags = 0 }: Chunk): Uint8Array {
  const columns = new Columns();
  for (const [time, value] of rows) {
    if (typeof value === "number") columns.push(time, value);
    else columns.pushHistogram(time, value);
  }
  const batch = new ChunkBatch();
  encodeRows(columns, 0, batch);
  const data = (batch.bytes[0] as Uint8Array).subarray(batch.froms[0], batch.tos[0]);
  const bytes = new Uint8Array(64 + data.length);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(ref));
  view.setBigInt64(8, BigInt(batch.minTimes[0] ?? 0));
  view.setBigInt64(16, BigInt(batch.maxTimes[0] ?? 0));
  bytes[24] = (batch.encodings[0] ?? 0) | flags;
  const from = putUvarint(bytes, 25, data.length);
  bytes.set(data, from);
  const to = from + data.length;
  view.setUint32(to, crc32c(bytes, 0, 0, to));
  return bytes.slice(0, to + 4);
}

function write(...chunks: readonly Chunk[]): Uint8Array {
  const bytes = Buffer.concat([Buffer.from("0130bc9101000000", "hex"), ...chunks.map(octetsOf)]);
  put(bytes);
  return bytes;
}

function put(bytes: Uint8Array): void {
  files.makeDirectory("data/chunks_head");
  files.remove(NAME);
  const file = files.open(NAME, "create");
  file.write(bytes, 0);
  file.close();
}

const held = (): Held => opened((database) => heldBy(database.querier(-Infinity, Infinity)));
const roomTaken = (): number => opened(({ head }) => head.chunks.pool.octets);

describe("chunks beside the log", () => {
  // The files have other values than the log, so a value shows where it came from.
  const LOGGED = steps(0, 300, (step) => step);
  const valuesOf = (): number[] => Object.values(held())[0]?.map(([, value]) => value) ?? [];

  test("are used when replay reaches their first sample; later samples come from the log", () => {
    const ref = store("a", LOGGED);
    write({ ref, rows: steps(0, 120, (step) => -step) }, { ref, rows: steps(120, 240, (step) => step * 10) });
    expect(valuesOf()).toEqual(Array.from({ length: 300 }, (_, step) => (step < 120 ? -step : step < 240 ? step * 10 : step)));
    opened((database) => {
      expect(database.log.samples).toBe(300);
      expect([database.head.minTime, database.head.maxTime]).toEqual([at(0), at(299)]);
    });
  });

  test("of a series with a lost file: the others are used", () => {
    const ref = store("a", LOGGED);
    write({ ref, rows: steps(120, 240, (step) => step * 10) });
    expect(valuesOf()).toEqual(Array.from({ length: 300 }, (_, step) => (step >= 120 && step < 240 ? step * 10 : step)));
  });

  test("are not used if the log lacks their first sample", () => {
    const ref = store("a", LOGGED);
    const rows = steps(120, 240, (step) => step * 10).map(([time, value]) => [time + 1, value] as const);
    write({ ref, rows }, { ref, rows: steps(240, 250, (step) => step * 10) });
    expect(valuesOf()).toEqual(Array.from({ length: 300 }, (_, step) => (step >= 240 && step < 250 ? step * 10 : step)));
  });

  test("that are not used free their slots", () => {
    const ref = store(
      "a",
      steps(0, 50, (step) => step),
    );
    const plain = roomTaken();
    const early = steps(10, 130, (step) => step).map(([time, value]) => [time + 1, value] as const);
    write({ ref, rows: early }, { ref, rows: steps(1_000, 1_100, (step) => step) }, { ref: 99, rows: steps(0, 100, (step) => step) });
    expect(roomTaken()).toBe(plain);
  });

  test("of late samples, of unknown encodings or before the end of blocks are skipped", () => {
    const ref = store(
      "a",
      steps(0, 9, (step) => step),
    );
    const expected = held();
    const other = steps(0, 4, (step) => -step);
    write({ ref, rows: other, flags: 0x80 }, { ref, rows: other, flags: 0x40 }, { ref, rows: other, flags: 0x10 });
    expect(held()).toEqual(expected);
    opened((database) => database.flush(0));
    store(
      "a",
      steps(500, 509, (step) => step),
    );
    write({ ref, rows: other });
    expect(Object.values(held())[0]).toHaveLength(18);
  });

  test("reserve their references", () => {
    store(
      "a",
      steps(0, 9, (step) => step),
    );
    write({ ref: 70, rows: steps(0, 4, (step) => step) });
    expect(
      store(
        "b",
        steps(0, 9, (step) => step),
      ),
    ).toBe(71);
  });

  test("of histograms are used too, and the next sample is not compared with theirs", () => {
    const shape = (count: number): Histogram => histogramOf([count], { sum: count, isInteger: true });
    const rows = (times: number): Rows => Array.from({ length: 20 }, (_, step) => [at(step), shape((step + 1) * times)] as const);
    const ref = store("a", rows(1));
    write({ ref, rows: rows(5).slice(0, 10) }, { ref, rows: rows(7).slice(10) });
    expect(Object.values(held())[0]?.map(([, sum]) => sum)).toEqual(
      Array.from({ length: 20 }, (_, step) => (step + 1) * (step < 10 ? 5 : 7)),
    );
    opened((database) => {
      const appender = database.appender();
      const series = appender.series(Labels.of({ __name__: "a" }));
      expect(appender.appendHistogram(series, at(18), shape(133))).toBe("out of order sample");
      expect(appender.appendHistogram(series, at(19), shape(140))).toBe("duplicate sample for timestamp");
      expect(appender.appendHistogram(series, at(20), shape(150))).toBeUndefined();
      appender.commit();
    });
  });

  test("end at the first that is damaged or cut off, at any octet", () => {
    const rows = steps(0, 9, (step) => step);
    const ref = store("a", rows);
    const whole = write({ ref, rows: steps(0, 4, (step) => step) }, { ref, rows: steps(4, 8, (step) => step) });
    const expected = held();
    for (let place = 0; place <= whole.length; place++) {
      put(whole.subarray(0, place));
      expect(held(), `cut at ${place}`).toEqual(expected);
      const flipped = Uint8Array.from(whole);
      flipped[place] = (flipped[place] ?? 0) ^ 0x40;
      put(flipped);
      expect(held(), `another octet at ${place}`).toEqual(expected);
    }
  });
});
