import type { Draft, IndexVector, RecordVector, TombstonesVector } from "./kinds.ts";
import { cut, flipped, patched, WRITTEN, written } from "./peer.ts";

const ofPeer = (prefix: string) => WRITTEN.filter(({ name }) => name.startsWith(prefix));
const words = (name: string): string => name.replaceAll("-", " ");

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
      note: words(name),
      spec: "prometheus-index#index-disk-format",
      wire: hex,
      symbols,
      series,
      result: "valid",
      flags: ["Index"],
    }),
  ),
  brokenIndex("no octets", "toc", "", "Cut"),
  brokenIndex("only the header", "toc", cut(some, 5), "Cut"),
  brokenIndex("the last octet is missing", "toc", cut(some, -1), "Cut"),
  brokenIndex("the magic number of another file", "index-disk-format", patched(some, 0, "85bd40dd"), "Magic"),
  brokenIndex("version 1, whose references are positions", "index-disk-format", patched(some, 4, "01"), "Magic"),
  brokenIndex("version 3", "index-disk-format", patched(some, 4, "03"), "Magic"),
  brokenIndex("a flipped bit in the table of contents", "toc", flipped(some, -20), "Checksum"),
  brokenIndex("a flipped bit in the checksum of the table of contents", "toc", flipped(some, -1), "Checksum"),
  brokenIndex("a flipped bit in a symbol", "symbol-table", flipped(some, 20), "Checksum"),
  brokenIndex("a flipped bit in the number of symbols", "symbol-table", flipped(some, 12), "Checksum"),
  brokenIndex("a length of the symbols beyond the end of the file", "symbol-table", patched(some, 5, "7fffffff"), "Length"),
  brokenIndex("a flipped bit in a series", "series", flipped(some, SERIES_AT + 4), "Checksum"),
  brokenIndex("a length of a series beyond the end of the file", "series", patched(some, SERIES_AT, "ff7f"), "Length"),
  brokenIndex("a flipped bit in the table of postings", "postings-offset-table", flipped(some, -60), "Checksum"),
  brokenIndex("a flipped bit in the list of all series", "postings", flipped(some, ALL_AT + 4), "Checksum"),
  brokenIndex("a length of the list of all series beyond the end of the file", "postings", patched(some, ALL_AT - 4, "7fffffff"), "Length"),
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
      note: `${list.length} deleted ${list.length === 1 ? "range" : "ranges"}`,
      spec: "prometheus-tombstones#tombstones-disk-format",
      wire: hex,
      stones: list,
      result: "valid",
      flags: ["Tombstones"],
    }),
  ),
  brokenStones("no octets", "", "Cut"),
  brokenStones("the checksum is missing", cut(stones, -4), "Cut"),
  brokenStones("the last octet is missing", cut(stones, -1), "Cut"),
  brokenStones("the magic number of another file", patched(stones, 0, "baaad700"), "Magic"),
  brokenStones("version 2", patched(stones, 4, "02"), "Magic"),
  brokenStones("a flipped bit in a time", flipped(stones, 8), "Checksum"),
  brokenStones("a flipped bit in the checksum", flipped(stones, -1), "Checksum"),
  brokenStones("a truncated range under a correct checksum", "0130ba300101008047d30a7c", "Cut"),
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
  brokenRecord(`${words(name)}: ${-length} missing octets`, cut(written(name).hex, length), "recordShort");

export const records: readonly Draft<RecordVector>[] = [
  ...ofPeer("record-").map(
    ({ name, hex, told = [] }): Draft<RecordVector> => ({
      note: words(name),
      spec: "prometheus-wal#record-encoding",
      wire: hex,
      told,
      result: "valid",
      flags: ["Record"],
    }),
  ),
  brokenRecord("no octets", "", "recordShort"),
  brokenRecord("type 0", "00", "recordType"),
  brokenRecord("an unregistered type", "7f00000000", "recordType"),
  cutRecord("record-series", -1),
  cutRecord("record-series", -20),
  cutRecord("record-samples", -1),
  cutRecord("record-samples", -8),
  cutRecord("record-tombstones", -1),
  cutRecord("record-histogram", -1),
  cutRecord("record-float-histogram", -3),
];
