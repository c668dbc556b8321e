import type { Draft, IndexVector, RecordVector, TombstonesVector } from "./kinds.ts";
import { cut, flipped, patched, WRITTEN, written } from "./peer.ts";

const ofPeer = (prefix: string) => WRITTEN.filter(({ name }) => name.startsWith(prefix));
const said = (name: string): string => name.replaceAll("-", " ");

const some = written("index-some").hex;
/** The position of the first series, after the symbols. */
const SERIES_AT = 80;
/** The position of the list of all series, after its length: three series, the first at 80 / 16. */
const ALL_AT = some.indexOf("0000000300000005") / 2;
const brokenIndex = (note: string, section: string, wire: string, flag: string): Draft<IndexVector> => ({
  note,
  spec: `prometheus-index#${section}`,
  wire,
  result: "invalid",
  flags: [flag],
});

export const indices: readonly Draft<IndexVector>[] = [
  ...ofPeer("index-").map(
    ({ name, hex, symbols = [], series = [] }): Draft<IndexVector> => ({
      note: said(name),
      spec: "prometheus-index#index-disk-format",
      wire: hex,
      symbols,
      series,
      result: "valid",
      flags: ["Index"],
    }),
  ),
  brokenIndex("nothing", "toc", "", "Cut"),
  brokenIndex("only the head", "toc", cut(some, 5), "Cut"),
  brokenIndex("the last octet is missing", "toc", cut(some, -1), "Cut"),
  brokenIndex("another file by its first octets", "index-disk-format", patched(some, 0, "85bd40dd"), "Magic"),
  brokenIndex("version 1, whose numbers are places", "index-disk-format", patched(some, 4, "01"), "Magic"),
  brokenIndex("version 3", "index-disk-format", patched(some, 4, "03"), "Magic"),
  brokenIndex("a bit of the table of contents", "toc", flipped(some, -20), "Checksum"),
  brokenIndex("a bit of the checksum of the table of contents", "toc", flipped(some, -1), "Checksum"),
  brokenIndex("a bit of a symbol", "symbol-table", flipped(some, 20), "Checksum"),
  brokenIndex("a bit of the number of symbols", "symbol-table", flipped(some, 12), "Checksum"),
  brokenIndex("the symbols are said to be longer than the file", "symbol-table", patched(some, 5, "7fffffff"), "Length"),
  brokenIndex("a bit of a series", "series", flipped(some, SERIES_AT + 4), "Checksum"),
  brokenIndex("a series is said to be longer than the file", "series", patched(some, SERIES_AT, "ff7f"), "Length"),
  brokenIndex("a bit of the table of postings", "postings-offset-table", flipped(some, -60), "Checksum"),
  brokenIndex("a bit of the list of all series", "postings", flipped(some, ALL_AT + 4), "Checksum"),
  brokenIndex("the list of all series is said to be longer than the file", "postings", patched(some, ALL_AT - 4, "7fffffff"), "Length"),
];

const brokenStones = (note: string, wire: string, flag: string): Draft<TombstonesVector> => ({
  note,
  spec: "prometheus-tombstones#tombstones-disk-format",
  wire,
  result: "invalid",
  flags: [flag],
});
const stones = written("tombstones-2").hex;

export const tombstones: readonly Draft<TombstonesVector>[] = [
  ...ofPeer("tombstones-").map(
    ({ hex, stones: list = [] }): Draft<TombstonesVector> => ({
      note: `${list.length} stretches of time`,
      spec: "prometheus-tombstones#tombstones-disk-format",
      wire: hex,
      stones: list,
      result: "valid",
      flags: ["Tombstones"],
    }),
  ),
  brokenStones("nothing", "", "Cut"),
  brokenStones("the checksum is missing", cut(stones, -4), "Cut"),
  brokenStones("the last octet is missing", cut(stones, -1), "Cut"),
  brokenStones("another file by its first octets", patched(stones, 0, "baaad700"), "Magic"),
  brokenStones("version 2", patched(stones, 4, "02"), "Magic"),
  brokenStones("a bit of a time", flipped(stones, 8), "Checksum"),
  brokenStones("a bit of the checksum", flipped(stones, -1), "Checksum"),
  brokenStones("a stretch that ends in the middle, under a checksum that is right", "0130ba300101008047d30a7c", "Cut"),
];

const brokenRecord = (note: string, wire: string, fault: string): Draft<RecordVector> => ({
  note,
  spec: "prometheus-wal#record-encoding",
  wire,
  result: "invalid",
  fault,
  flags: [fault === "recordType" ? "Type" : "Cut"],
});
const cutRecord = (name: string, length: number): Draft<RecordVector> =>
  brokenRecord(`${said(name)}: ${-length} octets are missing`, cut(written(name).hex, length), "recordShort");

export const records: readonly Draft<RecordVector>[] = [
  ...ofPeer("record-").map(
    ({ name, hex, told = [] }): Draft<RecordVector> => ({
      note: said(name),
      spec: "prometheus-wal#record-encoding",
      wire: hex,
      told,
      result: "valid",
      flags: ["Record"],
    }),
  ),
  brokenRecord("nothing, not even a type", "", "recordShort"),
  brokenRecord("type 0", "00", "recordType"),
  brokenRecord("a type that is not registered", "7f00000000", "recordType"),
  cutRecord("record-series", -1),
  cutRecord("record-series", -20),
  cutRecord("record-samples", -1),
  cutRecord("record-samples", -8),
  cutRecord("record-tombstones", -1),
  cutRecord("record-histogram", -1),
  cutRecord("record-float-histogram", -3),
];
