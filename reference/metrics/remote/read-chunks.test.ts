import { describe, expect, test } from "vitest";
import { seeded } from "../../core/index.ts";
import { Columns, type Histogram, Labels, Matcher } from "../model/index.ts";
import { MemoryStorage } from "../storage/index.ts";
import { ChunkDecoder } from "../tsdb/chunk/index.ts";
import { crc32c } from "../tsdb/codec/index.ts";
import { MessageCursor } from "./cursor.ts";
import { readFrames } from "./read-chunks.ts";
import { readRequest } from "./read.ts";

const HISTOGRAM: Histogram = {
  schema: 0,
  zeroThreshold: 0.5,
  zeroCount: 1,
  count: 3,
  sum: 4,
  positiveSpans: [{ offset: 0, length: 1 }],
  negativeSpans: [],
  positive: [2],
  negative: [],
  bounds: [],
  resetHint: "unknown",
  isInteger: true,
};

/** A frame as its reader sees it. */
type Frame = { readonly query: number; readonly labels: Record<string, string>; readonly samples: string[]; readonly octets: number };

/** Takes the frames of a stream apart, as a reader would that knows only the format. */
function read(stream: Uint8Array): Frame[] {
  const found: Frame[] = [];
  const at = new MessageCursor(stream);
  while (at.at < stream.length) {
    const length = at.varint();
    const sum = new DataView(stream.buffer, stream.byteOffset + at.at).getUint32(0);
    const message = stream.subarray(at.at + 4, at.at + 4 + length);
    expect(sum).toBe(crc32c(message));
    at.at += 4 + length;
    found.push(frame(new MessageCursor(message), length));
  }
  return found;
}

function frame(at: MessageCursor, octets: number): Frame {
  const labels: Record<string, string> = {};
  const columns = new Columns();
  const decoder = new ChunkDecoder();
  const text = (): string => {
    const outer = at.enter();
    const words = new TextDecoder().decode(at.octets.subarray(at.at, at.end));
    at.leave(outer);
    return words;
  };
  let query = 0;
  const chunk = (): void => {
    let [encoding, from, to] = [0, 0, 0];
    while (at.next()) {
      if (at.field === 3) encoding = at.integer();
      else if (at.field === 4) {
        const outer = at.enter();
        [from, to] = [at.at, at.end];
        at.leave(outer);
      } else at.skip();
    }
    expect(decoder.read({ encoding, bytes: at.octets, from, to }, columns)).toBeUndefined();
  };
  const series = (): void => {
    while (at.next()) {
      const isLabel = at.field === 1;
      const outer = at.enter();
      if (isLabel) {
        let [name, value] = ["", ""];
        while (at.next()) {
          if (at.field === 1) name = text();
          else value = text();
        }
        labels[name] = value;
      } else chunk();
      at.leave(outer);
    }
  };
  while (at.next()) {
    if (at.field === 2) query = at.integer();
    else {
      const outer = at.enter();
      series();
      at.leave(outer);
    }
  }
  const samples = Array.from({ length: columns.length }, (_, row) =>
    columns.isStale(row) ? "stale" : columns.histograms?.[row] === undefined ? String(columns.values[row]) : "histogram",
  );
  return { query, labels, samples, octets };
}

const named = (name: string): Matcher[] => [new Matcher("__name__", "=~", name)];
const framesOf = (storage: MemoryStorage, ...names: string[]): Frame[] => {
  const queries = names.map((name) => ({ start: 0, end: 1e9, matchers: named(name) }));
  const frames = [...readFrames(storage, queries, Labels.of({ region: "eu" }))].filter((one) => one !== undefined);
  return read(Buffer.concat(frames));
};

describe("a stream of chunks", () => {
  const storage = new MemoryStorage();
  const appender = storage.appender();
  for (const name of ["b", "a"]) {
    const id = appender.series(Labels.of({ __name__: name }));
    for (let time = 0; time < 3; time++) appender.append(id, time, time);
    appender.appendStale(id, 3);
  }
  const native = appender.series(Labels.of({ __name__: "h" }));
  for (let time = 0; time < 2; time++) appender.appendHistogram(native, time, HISTOGRAM);
  appender.commit();

  test("has a frame for each series, sorted by labels, with the number of its query", () => {
    const floats = ["0", "1", "2", "stale"];
    expect(framesOf(storage, "h", "a|b").map(({ query, labels, samples }) => ({ query, labels, samples }))).toEqual([
      { query: 0, labels: { __name__: "h", region: "eu" }, samples: ["histogram", "histogram"] },
      { query: 1, labels: { __name__: "a", region: "eu" }, samples: floats },
      { query: 1, labels: { __name__: "b", region: "eu" }, samples: floats },
    ]);
  });

  test("splits a long series over frames of about a mebibyte", () => {
    const long = new MemoryStorage();
    const into = long.appender();
    const id = into.series(Labels.of({ __name__: "long" }));
    const random = seeded(1);
    for (let time = 0; time < 200_000; time++) into.append(id, time * 1000 + Math.floor(random() * 999), random());
    into.commit();
    const frames = framesOf(long, "long");
    expect(frames.length).toBeGreaterThan(1);
    expect(Math.max(...frames.map(({ octets }) => octets))).toBeLessThan((1 << 20) + 10_000);
    expect(frames.reduce((sum, { samples }) => sum + samples.length, 0)).toBe(200_000);
  });
});

describe("the form of a response", () => {
  const asks = (...forms: number[]): boolean => readRequest(Uint8Array.of(0x12, forms.length, ...forms)).inChunks;

  test("is the first of the accepted ones that there is; samples without any", () => {
    expect([asks(1, 0), asks(0, 1), asks(7, 1), asks(7), asks()]).toEqual([true, false, true, false, false]);
    expect(readRequest(Uint8Array.of(0x10, 1)).inChunks).toBe(true);
  });
});
