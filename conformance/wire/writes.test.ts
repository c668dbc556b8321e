import { PassThrough, Writable } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { UNREAD_MS, writeInPieces, writeTo } from "./writes.ts";

afterEach(() => {
  vi.useRealTimers();
});

const TEN = Uint8Array.from({ length: 10 }, (_, at) => at);
const collecting = () => {
  const pieces: number[][] = [];
  return { pieces, write: async (piece: Uint8Array): Promise<void> => void pieces.push([...piece]) };
};

test("a write no longer than a piece is written at once, even when nobody is left", async () => {
  const { pieces, write } = collecting();
  await writeInPieces(TEN, { cut: 10, write, isOver: () => true, paced: 1 });
  expect(pieces).toEqual([[...TEN]]);
});

test("a longer one is written in pieces, the last one shorter", async () => {
  const { pieces, write } = collecting();
  await writeInPieces(TEN, { cut: 4, write, isOver: () => false, paced: 2 });
  expect(pieces).toEqual([
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 9],
  ]);
});

test("paced pieces are kept apart as requested, the rest are not", async () => {
  const { write } = collecting();
  let rests = 0;
  await writeInPieces(TEN, { cut: 1, write, isOver: () => false, paced: 3, apart: async () => void (rests += 1) });
  expect(rests).toBe(3);
});

test("nothing more is written once nobody is left to read it", async () => {
  const { pieces, write } = collecting();
  await writeInPieces(TEN, { cut: 3, write, isOver: () => pieces.length === 2, paced: 0 });
  expect(pieces).toHaveLength(2);
});

test("a write that is cut for too long ends with one write of the rest", async () => {
  const { pieces, write } = collecting();
  await writeInPieces(TEN, { cut: 1, write, isOver: () => false, paced: 0, longest: -1 });
  expect(pieces).toEqual([[...TEN]]);
});

test("writeTo(): gives up on a peer that does not read; otherwise resolves when the octets have left", async () => {
  vi.useFakeTimers();
  let given = false;
  const written = writeTo(new Writable({ write: () => {} }), TEN).then(() => (given = true));
  await vi.advanceTimersByTimeAsync(UNREAD_MS - 1);
  expect(given).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await written).toBe(true);
  vi.useRealTimers();
  const open = new PassThrough();
  await writeTo(open, TEN);
  expect([...(open.read() as Uint8Array)]).toEqual([...TEN]);
});

test("writeTo(): writes nothing to an ended stream, and does not wait", async () => {
  const ended = new PassThrough();
  ended.end();
  await writeTo(ended, TEN);
  expect(ended.read()).toBeNull();
});
