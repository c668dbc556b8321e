import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LogScan, scanInTurn } from "../metrics/tsdb/index.ts";
import { RecordBuffer } from "../metrics/tsdb/wal/record.ts";
import { PAGE, SegmentWriter } from "../metrics/tsdb/wal/segment.ts";
import { realFiles } from "./files.ts";
import { scanAhead } from "./scan-ahead.ts";

const MOST = 1 << 24;
const SEGMENT = PAGE * 4;
let folder: string;
let paths: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-scan-"));
  const writer = new SegmentWriter(realFiles, folder, { number: 0, sync: "never", segmentOctets: SEGMENT });
  const records = new RecordBuffer();
  for (let number = 0; number < 60; number++) {
    records.clear();
    const record = Uint8Array.from({ length: number * 300 }, (_, at) => (at * number) % 251);
    records.copy(record, 0, record.length);
    records.end();
    writer.write(records);
  }
  writer.close();
  paths = readdirSync(folder).map((name) => join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** All events of a scan, with their octets. */
function eventsIn(scan: ReturnType<LogScan>): string[] {
  const all: string[] = [];
  scan((path) => ({
    record: ({ bytes, from, to, at, end }) => all.push(`${path} ${at} ${end} ${Buffer.from(bytes.subarray(from, to)).toString("base64")}`),
    fault: (at, fault) => all.push(`${path} ${at} ${fault}`),
    end: (size) => all.push(`${path} ends at ${size}`),
  }));
  return all;
}

test("a log with damage, read on a thread: same records, faults and segment ends as without one", () => {
  const damaged = paths[1] ?? "";
  const bytes = readFileSync(damaged);
  bytes[40_000] = (bytes[40_000] ?? 0) ^ 1;
  writeFileSync(damaged, bytes);
  const expected = eventsIn(scanInTurn(realFiles)(paths, MOST));
  expect(expected.filter((line) => line.endsWith("fragmentChecksum"))).toHaveLength(1);
  expect(expected.filter((line) => line.includes("ends at")).length).toBe(paths.length);
  expect(paths.length).toBeGreaterThan(3);
  expect(eventsIn(scanAhead(paths, MOST, 0))).toEqual(expected);
});

test("a missing segment: throws the same error as without a thread", () => {
  const missing = [...paths, join(folder, "nothing")];
  const thrown = (scan: ReturnType<LogScan>): unknown => {
    try {
      eventsIn(scan);
    } catch (error) {
      return error;
    }
    return undefined;
  };
  const expected = thrown(scanInTurn(realFiles)(missing, MOST));
  expect(expected).toMatchObject({ name: "FileFault", trouble: "not found", path: missing.at(-1) });
  const other = thrown(scanAhead(missing, MOST, 0));
  expect(other).toStrictEqual(expected);
  expect((other as Error).message).toBe((expected as Error).message);
});

test("a listener that throws: the next log is read normally", () => {
  const scan = scanAhead(paths, MOST, 0);
  const stop = (): never => {
    throw new Error("enough");
  };
  expect(() => scan(() => ({ record: stop, fault: stop, end: stop }))).toThrow("enough");
  expect(eventsIn(scanAhead(paths, MOST, 0))).toEqual(eventsIn(scanInTurn(realFiles)(paths, MOST)));
});

test("a small log: read without a thread", () => {
  let threads = 0;
  const count = (): void => void (threads += 1);
  subscribe("worker_threads", count);
  try {
    const expected = eventsIn(scanInTurn(realFiles)(paths, MOST));
    expect(eventsIn(scanAhead(paths, MOST))).toEqual(expected);
    expect(threads).toBe(0);
    expect(eventsIn(scanAhead(paths, MOST, 0))).toEqual(expected);
    expect(threads).toBe(1);
  } finally {
    unsubscribe("worker_threads", count);
  }
});
