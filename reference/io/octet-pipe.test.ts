import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { OctetPipe } from "./octet-pipe.ts";

const numbered = (length: number, from = 0): Uint8Array => Uint8Array.from({ length }, (_, at) => (from + at) % 251);

test("octets written at one end are read at the other, in other pieces, around the ring", () => {
  const writer = new OctetPipe(16);
  const reader = new OctetPipe(writer.shared);
  let written = 0;
  let read = 0;
  for (let round = 0; round < 200; round++) {
    // The octets read last stay in the pipe.
    const length = (round * 5) % 12;
    writer.write(numbered(length, written));
    written += length;
    for (const part of [length >> 1, length - (length >> 1)]) {
      expect([...reader.read(part)]).toEqual([...numbered(part, read)]);
      read += part;
    }
  }
});

test("a part of an array is written", () => {
  const pipe = new OctetPipe(16);
  pipe.write(numbered(10), 3, 7);
  expect([...pipe.read(4)]).toEqual([3, 4, 5, 6]);
});

test("octets that were read stay valid while more are written", () => {
  const pipe = new OctetPipe(16);
  pipe.write(numbered(12));
  const held = pipe.read(8);
  pipe.write(numbered(4, 12));
  expect([...held]).toEqual([...numbered(8)]);
});

test.each([1, 15, 16, 17, 1_000, 100_000])("a thread writes pieces of up to %d octets, and this one waits for each", (most) => {
  const pipe = new OctetPipe(16);
  const file = new URL("octet-pipe.ts", import.meta.url).href;
  const code = `
    const { workerData } = require("node:worker_threads");
    import(${JSON.stringify(file)}).then(({ OctetPipe }) => {
      const pipe = new OctetPipe(workerData.shared);
      for (let length = 1, at = 0; length <= workerData.most; at += length, length *= 2)
        pipe.write(Uint8Array.from({ length }, (_, index) => (at + index) % 251));
    });`;
  const worker = new Worker(code, { eval: true, workerData: { shared: pipe.shared, most } });
  worker.unref();
  let pieces = 0;
  for (let length = 1, at = 0; length <= most; at += length, length *= 2) {
    expect(Buffer.compare(pipe.read(length), numbered(length, at))).toBe(0);
    pieces += 1;
  }
  expect(pieces).toBe(Math.floor(Math.log2(most)) + 1);
});
