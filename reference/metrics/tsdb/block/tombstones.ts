import { Damage, Foreign, putU32 } from "../files/index.ts";
import { crc32c, Cursor, putUvarint, putVarint } from "../codec/index.ts";

const MAGIC = 0x0130_ba30;
const VERSION = 1;
const HEAD = 5;
const MOST_OCTETS = 30;

/** Closed time intervals, ascending and disjoint: first and last times alternating. */
export type Intervals = readonly number[];
/** Deleted intervals by series number. */
export type Tombstones = ReadonlyMap<number, Intervals>;

export const NO_TOMBSTONES: Tombstones = new Map();

/** Adds an interval and joins it with those that it touches. */
export function withInterval(intervals: Intervals, first: number, last: number): Intervals {
  const out: number[] = [];
  let from = first;
  let to = last;
  let at = 0;
  for (; at < intervals.length && intervals[at + 1]! < first - 1; at += 2) out.push(intervals[at]!, intervals[at + 1]!);
  for (; at < intervals.length && intervals[at]! <= last + 1; at += 2) {
    from = Math.min(from, intervals[at]!);
    to = Math.max(to, intervals[at + 1]!);
  }
  return [...out, from, to, ...intervals.slice(at)];
}

/** Whether a time is in one of the intervals. */
export function isDeleted(intervals: Intervals, time: number): boolean {
  for (let at = 0; at < intervals.length; at += 2) if (time >= intervals[at]! && time <= intervals[at + 1]!) return true;
  return false;
}

/** Whether one of the intervals contains all of `first` to `last`. */
export function isCovered(intervals: Intervals, first: number, last: number): boolean {
  for (let at = 0; at < intervals.length; at += 2) if (first >= intervals[at]! && last <= intervals[at + 1]!) return true;
  return false;
}

/** Whether one of the intervals overlaps `first` to `last`. */
export function isTouched(intervals: Intervals, first: number, last: number): boolean {
  for (let at = 0; at < intervals.length; at += 2) if (last >= intervals[at]! && first <= intervals[at + 1]!) return true;
  return false;
}

/** The tombstones file: series numbers with their intervals, and a checksum (Prometheus TSDB docs, format/tombstones.md). */
export function printTombstones(tombstones: Tombstones): Uint8Array {
  const count = [...tombstones.values()].reduce((sum, intervals) => sum + intervals.length / 2, 0);
  const bytes = new Uint8Array(HEAD + count * MOST_OCTETS + 4);
  putU32(bytes, 0, MAGIC);
  bytes[4] = VERSION;
  let at = HEAD;
  for (const series of [...tombstones.keys()].sort((a, b) => a - b)) {
    const intervals = tombstones.get(series) ?? [];
    for (let row = 0; row < intervals.length; row += 2) {
      at = putUvarint(bytes, at, series);
      at = putVarint(bytes, at, intervals[row]!);
      at = putVarint(bytes, at, intervals[row + 1]!);
    }
  }
  const end = putU32(bytes, at, crc32c(bytes, 0, HEAD, at));
  return bytes.subarray(0, end);
}

/** Throws `Damage`. */
export function parseTombstones(path: string, bytes: Uint8Array): Tombstones {
  const cursor = new Cursor(bytes);
  if (cursor.u32() !== MAGIC || bytes.length < HEAD + 4) throw new Damage(path, 0, "it does not start like a tombstones file");
  const version = cursor.u8();
  if (version !== VERSION) throw new Foreign(path, 4, `tombstones version ${version} is unknown`);
  cursor.end = bytes.length - 4;
  if (new Cursor(bytes, cursor.end).u32() !== crc32c(bytes, 0, HEAD, cursor.end))
    throw new Damage(path, HEAD, "the checksum of the tombstones does not match");
  const tombstones = new Map<number, Intervals>();
  while (cursor.left > 0) {
    const series = cursor.uvarint();
    const first = cursor.varint();
    const last = cursor.varint();
    if (cursor.short || last < first) throw new Damage(path, cursor.at, "a tombstone is incomplete");
    tombstones.set(series, withInterval(tombstones.get(series) ?? [], first, last));
  }
  return tombstones;
}
