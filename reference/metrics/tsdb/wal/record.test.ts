import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Histogram, Labels } from "../../model/index.ts";
import type { Exemplar } from "../../storage/index.ts";
import { RecordReader, type RecordSink } from "./record-read.ts";
import { i32At } from "../codec/varint.ts";
import { RECORD, RecordBuffer } from "./record.ts";
import { kindOf } from "../head/batch.ts";

type Seen = readonly unknown[];

class Notes implements RecordSink {
  readonly seen: Seen[] = [];
  series(ref: number, bytes: Uint8Array, from: number, to: number): void {
    this.seen.push(["series", ref, Buffer.from(bytes.subarray(from, to)).toString("hex")]);
  }
  sample(ref: number, time: number, bytes: Uint8Array, at: number): void {
    this.seen.push([ref, time, i32At(bytes, at) >>> 0, i32At(bytes, at + 4) >>> 0]);
  }
  histogram(ref: number, time: number, histogram: Histogram): void {
    this.seen.push([ref, time, histogram]);
  }
  tombstone(ref: number, start: number, end: number): void {
    this.seen.push([ref, start, end]);
  }
  exemplar(ref: number, { labels, value, time }: Exemplar): void {
    this.seen.push(["exemplar", ref, `${labels}`, value, time]);
  }
  other(type: number): void {
    this.seen.push([type]);
  }
}

function read(hex: string): { seen: readonly Seen[]; fault: string | undefined } {
  const notes = new Notes();
  const bytes = Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
  return { fault: new RecordReader().read(bytes, 0, bytes.length, notes), seen: notes.seen };
}
const written = (buffer: RecordBuffer): string => Buffer.from(buffer.bytes.subarray(0, buffer.length)).toString("hex");

const SAMPLES = "02 0000000000000007 0000000000000064 00 00 3ff0000000000000 01 0e 7ff0000000000002 8101 ce01 c000000000000000";
const TOMBSTONES = "03 0000000000000007 c801 d00f 0000000000000008 01 00";

const reader = new RecordReader();

describe("a record", () => {
  test("of samples: references and times are differences from the first", () => {
    const rows = [
      [7, 100, 0x3ff0_0000, 0],
      [6, 107, 0x7ff0_0000, 2],
      [7 - 65, 203, 0xc000_0000, 0],
    ] as const;
    expect(read(SAMPLES)).toEqual({ fault: undefined, seen: rows });
    const buffer = new RecordBuffer();
    const bits = Uint32Array.from(rows.flatMap(([, , high, low]) => [low, high]));
    buffer.samples({ refs: Float64Array.from(rows, ([ref]) => ref), times: Float64Array.from(rows, ([, time]) => time), bits }, 0, 3);
    expect(written(buffer)).toBe(SAMPLES.replaceAll(" ", ""));
    expect(buffer.ends).toEqual([buffer.length]);
  });

  test("hasOnlyOldSamples() and hasOnlySamplesThat(): true if all samples match and the record is complete", () => {
    const row = fc.record({ ref: fc.nat(1_000_000), time: fc.integer({ min: -200, max: 40_000 }) });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), fc.integer({ min: -300, max: 41_000 }), fc.nat(8), (rows, time, cut) => {
        const buffer = new RecordBuffer();
        const [refs, times] = [Float64Array.from(rows, ({ ref }) => ref), Float64Array.from(rows, (one) => one.time)];
        buffer.samples({ refs, times, bits: new Uint32Array(rows.length * 2).fill(0xffff_ffff) }, 0, rows.length);
        const isOld = rows.every((one) => one.time < time);
        expect(reader.hasOnlyOldSamples(buffer.bytes, 0, buffer.length, time)).toBe(isOld);
        expect(reader.hasOnlyOldSamples(buffer.bytes, 0, buffer.length - 1 - cut, 50_000)).toBe(false);
        const seen: { ref: number; time: number }[] = [];
        expect(reader.hasOnlySamplesThat(buffer.bytes, 0, buffer.length, (ref, at) => seen.push({ ref, time: at }) > 0)).toBe(true);
        expect(seen).toEqual(rows);
        expect(reader.hasOnlySamplesThat(buffer.bytes, 0, buffer.length, (_, at) => at < time)).toBe(isOld);
        expect(reader.hasOnlySamplesThat(buffer.bytes, 0, buffer.length - 1 - cut, () => true)).toBe(false);
      }),
    );
    const tombstones = Uint8Array.from(Buffer.from(TOMBSTONES.replaceAll(" ", ""), "hex"));
    for (const other of [tombstones, Uint8Array.of(RECORD.samples)]) {
      expect(reader.hasOnlyOldSamples(other, 0, other.length, 50_000)).toBe(false);
      expect(reader.hasOnlySamplesThat(other, 0, other.length, () => true)).toBe(false);
    }
  });

  test("of deletions", () => {
    expect(read(TOMBSTONES)).toEqual({
      fault: undefined,
      seen: [
        [7, 100, 1_000],
        [8, -1, 0],
      ],
    });
    const buffer = new RecordBuffer();
    buffer.tombstones([
      { ref: 7, start: 100, end: 1_000 },
      { ref: 8, start: -1, end: 0 },
    ]);
    expect(written(buffer)).toBe(TOMBSTONES.replaceAll(" ", ""));
  });

  test("of exemplars: labels and a value beside each difference", () => {
    const EXEMPLARS = "04 0000000000000007 0000000000000064 00 00 3ff0000000000000 01 05 7472616365 02 c3a9 03 0d 4000000000000000 00";
    expect(read(EXEMPLARS)).toEqual({
      fault: undefined,
      seen: [
        ["exemplar", 7, '{trace="é"}', 1, 100],
        ["exemplar", 5, "{}", 2, 93],
      ],
    });
    const buffer = new RecordBuffer();
    buffer.exemplars([
      { ref: 7, exemplar: { labels: Labels.of({ trace: "é" }), value: 1, time: 100 } },
      { ref: 5, exemplar: { labels: Labels.NONE, value: 2, time: 93 } },
    ]);
    expect(written(buffer)).toBe(EXEMPLARS.replaceAll(" ", ""));
    const hex = EXEMPLARS.replaceAll(" ", "");
    for (let cut = 2; cut < hex.length; cut += 2) expect(read(hex.slice(0, cut)).seen.length, `cut at ${cut}`).toBeLessThan(2);
  });

  test("of series: names and values alternate, each after its length", () => {
    expect(read("01 0000000000000001 01 01 61 02 6262 0000010000000002 00")).toEqual({
      fault: undefined,
      seen: [
        ["series", 1, "010161026262"],
        ["series", 2 ** 40 + 2, "00"],
      ],
    });
  });

  test("of an ignored type is passed on undecoded, of an unknown type is a fault", () => {
    expect(read("06 01 02 00")).toEqual({ fault: undefined, seen: [[6]] });
    expect(read("0b 00")).toEqual({ fault: "recordType", seen: [] });
    expect(read("")).toEqual({ fault: "recordShort", seen: [] });
  });

  test("times before 1970 and far from the first", () => {
    const rows = { refs: Float64Array.of(2 ** 40 - 1, 1), times: Float64Array.of(-5, 2 ** 45), bits: new Uint32Array(4) };
    const buffer = new RecordBuffer();
    buffer.samples(rows, 0, 2);
    expect(read(written(buffer)).seen).toEqual([
      [2 ** 40 - 1, -5, 0, 0],
      [1, 2 ** 45, 0, 0],
    ]);
  });

  test("of histograms of any kind reads back what was written", () => {
    const spans = fc.array(fc.record({ offset: fc.integer({ min: -50, max: 50 }), length: fc.nat(4) }), { maxLength: 4 });
    const histogram = fc.boolean().chain((isInteger) => {
      const count = isInteger ? fc.nat(2 ** 40) : fc.double({ noNaN: true });
      return fc.record({
        schema: fc.integer({ min: -4, max: 8 }),
        zeroThreshold: fc.double({ noNaN: true }),
        zeroCount: count,
        count,
        sum: fc.double({ noNaN: true }),
        positiveSpans: spans,
        negativeSpans: spans,
        positive: fc.array(count, { maxLength: 6 }),
        negative: fc.array(count, { maxLength: 6 }),
        bounds: fc.array(fc.double({ noNaN: true }), { maxLength: 3 }),
        resetHint: fc.constantFrom("unknown" as const, "reset" as const, "none" as const, "gauge" as const),
        isInteger: fc.constant(isInteger),
      });
    });
    fc.assert(
      fc.property(histogram, fc.nat(2 ** 30), (one, time) => {
        const buffer = new RecordBuffer();
        buffer.histograms(kindOf(one), [
          { ref: 9, time, histogram: one },
          { ref: 3, time: time + 1, histogram: one },
        ]);
        const hex = written(buffer);
        expect(read(hex)).toEqual({
          fault: undefined,
          seen: [
            [9, time, one],
            [3, time + 1, one],
          ],
        });
        // Cut anywhere, it is short or has the complete histograms.
        const cut = read(hex.slice(0, 2 * (1 + (time % (hex.length / 2 - 1)))));
        expect(cut.seen.length).toBeLessThan(2);
      }),
    );
  });

  test("each kind of histogram has its own record type", () => {
    const one = { bounds: [] as number[], isInteger: true } as unknown as Histogram;
    expect(kindOf(one)).toBe("histograms");
    expect(kindOf({ ...one, isInteger: false })).toBe("floatHistograms");
    expect(kindOf({ ...one, bounds: [1] })).toBe("customHistograms");
    expect(kindOf({ ...one, bounds: [1], isInteger: false })).toBe("customFloatHistograms");
  });

  test("of any octets: a fault or content, never an exception", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.uint8Array({ maxLength: 60 }), (type, bytes) => {
        const { fault } = read(Buffer.from([type, ...bytes]).toString("hex"));
        expect([undefined, "recordShort"]).toContain(fault);
      }),
      { numRuns: 2_000 },
    );
  });
});
