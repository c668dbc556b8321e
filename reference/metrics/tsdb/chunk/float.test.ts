import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Columns, STALE_HIGH, STALE_LOW } from "../../model/index.ts";
import { Encoding } from "./batch.ts";
import { ChunkDecoder } from "./decode.ts";
import { appendFloat, beginFloatChunk, FloatChunkStates, MOST_SAMPLE_OCTETS, sampleCount } from "./float.ts";

type Sample = readonly [time: number, bits: bigint];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const bitsOf = (value: number): bigint => new BigUint64Array(new Float64Array([value]).buffer)[0] ?? 0n;

/** Written by the codec in the middle of other octets, as the head does. */
function written(samples: readonly Sample[], start = 3): Uint8Array {
  const bytes = new Uint8Array(start + 2 + (samples.length + 1) * MOST_SAMPLE_OCTETS).fill(0xa5);
  const states = new FloatChunkStates(2);
  beginFloatChunk(bytes, start, states, 1);
  for (const [time, bits] of samples) {
    appendFloat(bytes, start, states, 1, time, Number(bits >> 32n) | 0, Number(bits & 0xffff_ffffn) | 0);
  }
  return bytes.slice(start, start + states.length(1));
}

function read(bytes: Uint8Array, start?: number, end?: number): Sample[] | string {
  const columns = new Columns();
  columns.push(-1, 0);
  const chunk = { encoding: Encoding.xor, bytes: Uint8Array.of(1, ...bytes, 0xff), from: 1, to: 1 + bytes.length };
  const fault = new ChunkDecoder().read(chunk, columns, start, end);
  if (fault !== undefined) return columns.length === 1 ? fault : `${fault}, with ${columns.length - 1} samples`;
  const words = new BigUint64Array(columns.bits.buffer);
  return Array.from({ length: columns.length - 1 }, (_, row) => [columns.times[row + 1] ?? 0, words[row + 1] ?? 0n] as const);
}

/** The format by BigInt and a string of bits: slow, but easy to compare with the Prometheus TSDB docs (format/chunks.md). */
function modelled(samples: readonly Sample[]): string {
  let bits = samples.length.toString(2).padStart(16, "0");
  const put = (value: bigint, width: number): void => {
    if (width > 0) bits += BigInt.asUintN(width, value).toString(2).padStart(width, "0");
  };
  const putUvarint = (value: bigint): void => {
    for (let rest = value; ; rest >>= 7n) {
      put(rest >= 128n ? (rest & 127n) | 128n : rest, 8);
      if (rest < 128n) return;
    }
  };
  let [time, step, value, front, behind] = [0n, 0n, 0n, -1, 0];
  for (const [index, [at, next]] of samples.entries()) {
    const change = BigInt(at) - time;
    if (index === 0) {
      putUvarint(change < 0n ? -change * 2n - 1n : change * 2n);
      put(next, 64);
    } else {
      const second = change - step;
      if (index === 1) putUvarint(change);
      else if (second === 0n) put(0n, 1);
      else {
        const form = (
          [
            [0b10n, 2, 14],
            [0b110n, 3, 17],
            [0b1110n, 4, 20],
          ] as const
        ).find(([, , width]) => second > -(1n << BigInt(width - 1)) && second <= 1n << BigInt(width - 1)) ?? [0b1111n, 4, 64];
        put(form[0], form[1]);
        put(second, form[2]);
      }
      step = change;
      const difference = next ^ value;
      if (difference === 0n) put(0n, 1);
      else {
        const text = difference.toString(2).padStart(64, "0");
        const own = Math.min(text.indexOf("1"), 31);
        const tail = 63 - text.lastIndexOf("1");
        if (front >= 0 && own >= front && tail >= behind) put(0b10n, 2);
        else {
          [front, behind] = [own, tail];
          put(0b11n, 2);
          put(BigInt(front), 5);
          put(BigInt(64 - front - behind), 6);
        }
        bits += text.slice(front, 64 - behind);
      }
    }
    [time, value] = [BigInt(at), next];
  }
  return bits.replaceAll(/.{1,8}/g, (octet) => Number.parseInt(octet.padEnd(8, "0"), 2).toString(16).padStart(2, "0"));
}

const step = fc.oneof(
  fc.constantFrom(1, 15_000, 15_001, 8_191, 8_192, 65_535, 65_536, 524_288, 524_289, 2 ** 31, 2 ** 33 + 5),
  fc.integer({ min: 1, max: 30_000 }),
  fc.integer({ min: 1, max: 2 ** 40 }),
);
const value = fc.oneof(
  fc.integer({ min: 0, max: 1_000 }).map(bitsOf),
  fc.double().map(bitsOf),
  fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  fc.constantFrom(
    bitsOf(0),
    bitsOf(-0),
    (BigInt(STALE_HIGH) << 32n) | BigInt(STALE_LOW),
    1n,
    1n << 63n,
    (1n << 64n) - 1n,
    1n << 32n,
    1n << 31n,
  ),
);
const samples = fc.tuple(fc.maxSafeInteger(), fc.array(fc.tuple(step, value), { maxLength: 40 })).map(([begin, list]): Sample[] => {
  let time = Math.min(begin, 2 ** 52);
  return list.map(([by, bits]) => [(time += by), bits] as const);
});

describe("a chunk of floats", () => {
  test("matches the model bit by bit and reads back exactly", () => {
    fc.assert(
      fc.property(samples, (list) => {
        const bytes = written(list);
        expect(hex(bytes)).toBe(modelled(list));
        expect(sampleCount(bytes, 0)).toBe(list.length);
        expect(read(bytes)).toEqual(list);
      }),
      { numRuns: 2_000 },
    );
  });

  test("reads the samples of a time range", () => {
    fc.assert(
      fc.property(samples, fc.nat(40), fc.nat(40), (list, a, b) => {
        const from = list[a]?.[0] ?? 0;
        const to = (list[b]?.[0] ?? 0) + (a % 3) - 1;
        expect(read(written(list), from, to)).toEqual(list.filter(([time]) => time >= from && time <= to));
      }),
    );
  });

  test("cut short or of any octets: returns a fault or samples with rising times", () => {
    const octets = fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc.tuple(samples, fc.nat(), fc.integer({ min: 1, max: 255 })).map(([list, at, flip]) => {
        const bytes = written(list);
        bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip;
        return bytes;
      }),
    );
    fc.assert(
      fc.property(octets, (bytes) => {
        const got = read(bytes);
        const isFault = got === "chunkShort" || got === "chunkWindow" || got === "chunkTime";
        const rises = (rows: readonly Sample[]) =>
          rows.every(([time], row) => time > (rows[row - 1]?.[0] ?? -Infinity) && Number.isSafeInteger(time));
        expect(isFault || (typeof got !== "string" && got.length === sampleCount(bytes, 0) && rises(got))).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    fc.assert(
      fc.property(samples, fc.nat(), (list, cut) => {
        fc.pre(list.length > 0);
        const bytes = written(list);
        expect(read(bytes.subarray(0, cut % bytes.length))).toBe("chunkShort");
      }),
    );
  });

  test("damaged: names the fault", () => {
    expect(read(Uint8Array.of(0))).toBe("chunkShort");
    // Two samples at one time; a window of 31 zeros and 63 bits; a first time of ten octets.
    expect(read(Uint8Array.of(0, 2, 0, ...new Uint8Array(8), 0, 0))).toBe("chunkTime");
    expect(read(Uint8Array.of(0, 2, 0, ...new Uint8Array(8), 1, 0xff, 0xff, ...new Uint8Array(20)))).toBe("chunkWindow");
    expect(read(Uint8Array.of(0, 1, ...new Uint8Array(9).fill(255), 1, ...new Uint8Array(8)))).toBe("chunkShort");
  });

  test("next to other chunks: touches only its own octets and state", () => {
    const bytes = new Uint8Array(1_000);
    const states = new FloatChunkStates(2);
    beginFloatChunk(bytes, 0, states, 0);
    beginFloatChunk(bytes, 500, states, 1);
    states.grow(4);
    beginFloatChunk(bytes, 900, states, 3);
    const lists: Sample[][] = [[], []];
    for (let row = 0; row < 20; row++) {
      for (const slot of [0, 1]) {
        const sample: Sample = [row * 10 + slot, bitsOf(row * (slot + 0.5))];
        lists[slot]?.push(sample);
        appendFloat(bytes, slot * 500, states, slot, sample[0], Number(sample[1] >> 32n) | 0, Number(sample[1] & 0xffff_ffffn) | 0);
      }
    }
    for (const slot of [0, 1]) expect(read(bytes.slice(slot * 500, slot * 500 + states.length(slot)))).toEqual(lists[slot]);
    expect(states.length(3)).toBe(2);
  });
});
