import { block, Life } from "./life-craft.ts";
import type { LifeVector } from "./life-kinds.ts";

/**
 * What a storage still shows after a file was damaged while it was closed: everything that no damaged octet holds. The log keeps what the newest block
 * has, so that a block that cannot be used at all is no loss here; a damaged chunk is lost alone.
 */

type Series = Readonly<Record<string, Readonly<Record<string, string>>>>;
type How = Parameters<Life["damage"]>[1];
type Damaged = { readonly note: string; readonly file: string; readonly how: How; readonly reports?: number };

const SPEC = "prometheus-storage#on-disk-layout";
const BLOCK = { from: 10_000, to: 10_999 };
const hex = (text: string): string => Buffer.from(text).toString("hex");
const whole = (text: string): How => ({ cut: 0, add: hex(text) });

/** Damage to a block as a whole: it is set aside, and the log has its samples. */
const SET_ASIDE: readonly Damaged[] = [
  { note: "an index without its last octets", file: "*/index", how: { cut: -10 } },
  { note: "an index that ends after its head", file: "*/index", how: { cut: 20 } },
  { note: "an index that begins with another number", file: "*/index", how: { at: 0, xor: 1 } },
  { note: "a damaged table of symbols", file: "*/index", how: { at: 12, xor: 1 } },
  { note: "a damaged table of postings", file: "*/index", how: { at: -60, xor: 1 } },
  { note: "a meta.json that is cut off", file: "*/meta.json", how: { cut: 10 } },
  { note: "a meta.json that is not an object", file: "*/meta.json", how: whole("null") },
  { note: "a meta.json with a version that is not a number", file: "*/meta.json", how: whole('{"version":"1"}') },
  { note: "a meta.json with an invalid name", file: "*/meta.json", how: whole('{"version":1,"ulid":"x"}') },
  { note: "a meta.json without times", file: "*/meta.json", how: whole('{"version":1,"ulid":"01BX5ZZKBKACTAV9WEVGEMMVRZ"}') },
  { note: "a meta.json of another block", file: "*/meta.json", how: whole('{"version":1,"ulid":"01BX5ZZKBKACTAV9WEVGEMMVRZ","minTime":1,"maxTime":2,"compaction":{"level":1,"sources":[]}}') },
];
/** A later version is not damage: nothing is moved, and nothing of it is shown but what the log has. */
const FOREIGN: readonly Damaged[] = [
  { note: "a segment of chunks of a later version", file: "*/chunks/000001", how: { at: 4, xor: 8 } },
  { note: "an index of a later version", file: "*/index", how: { at: 4, xor: 4 } },
  { note: "a meta.json of a later version", file: "*/meta.json", how: whole('{"version":2}') },
];
/** Damage to one chunk, by the series that loses it; undefined: both. */
const CHUNKS: readonly (Damaged & { readonly of?: string })[] = [
  { note: "an octet in a chunk", file: "*/chunks/000001", how: { at: 14, xor: 255 }, of: "a" },
  { note: "the length of a chunk", file: "*/chunks/000001", how: { at: 8, xor: 64 }, of: "a" },
  { note: "the encoding of a chunk", file: "*/chunks/000001", how: { at: 9, xor: 3 }, of: "a" },
  { note: "the series of one chunk in the index", file: "*/index", how: { at: 60, xor: 1 }, of: "a" },
  { note: "a segment without the end of its last chunk", file: "*/chunks/000001", how: { cut: -3 }, of: "b" },
  { note: "a segment that ends within its head", file: "*/chunks/000001", how: { cut: 4 }, reports: 2 },
  { note: "a segment that begins with another number", file: "*/chunks/000001", how: { at: 0, xor: 8 }, reports: 2 },
];
/** Damage to tombstones: the deletions are lost, and nothing else. */
const TOMBSTONES: readonly Damaged[] = [
  { note: "an octet in the tombstones", file: "*/tombstones", how: { at: 6, xor: 1 } },
  { note: "tombstones that end within their head", file: "*/tombstones", how: { cut: 3 } },
  { note: "tombstones that begin with another number", file: "*/tombstones", how: { at: 0, xor: 1 } },
  { note: "tombstones without the end of their checksum", file: "*/tombstones", how: { cut: -2 } },
];
/** Damage to the end of the log: the records before it stay. */
const LOG_ENDS: readonly (Damaged & { readonly lost?: true })[] = [
  { note: "an octet in the last record", file: "wal/00000000", how: { at: -3, xor: 1 }, lost: true },
  { note: "a record that is cut off", file: "wal/00000000", how: { cut: -5 }, lost: true },
  { note: "a lone octet after the records", file: "wal/00000000", how: { add: "05" } },
  { note: "an empty record with a checksum of zero", file: "wal/00000000", how: { add: "010001000000000000" } },
  { note: "a middle without a beginning", file: "wal/00000000", how: { add: "0300010000000000" } },
  { note: "an end without a beginning", file: "wal/00000000", how: { add: "04000100000000ff" } },
  { note: "a length beyond the page", file: "wal/00000000", how: { add: "01ffff00000000ff" } },
  { note: "padding that is not zero", file: "wal/00000000", how: { add: "00000001" } },
  { note: "padding with zeros, which is no damage", file: "wal/00000000", how: { add: "000000" }, reports: 0 },
];

/** The lives, in the order of the tables above; new ones are appended to the last. */
export function damagedLives(all: Series): Omit<LifeVector, "id">[] {
  const series = { a: all["a"]!, b: all["b"]! };
  const blocked = (): Life => new Life(series).each(["a", "b"], 10_000, 11_600, { every: 50 }).compact(1).blocks(block(10_000, 11_000, [2, 40]));
  const said = ({ note }: Damaged, life: Life): Omit<LifeVector, "id"> => life.written(`damage: ${note}`, SPEC, "Damage");
  return [
    ...SET_ASIDE.map((one) =>
      said(one, blocked().damage(one.file, one.how, 1).query().blocks().restart().query().append([["a", 11_700, 5]]).compact(2).query()),
    ),
    ...FOREIGN.map((one) => said(one, blocked().damage(one.file, one.how, 1).query().blocks())),
    ...CHUNKS.map((one) =>
      said(one, blocked().forget(BLOCK, one.of).damage(one.file, one.how, one.reports ?? 1).query().restart().query()),
    ),
    ...TOMBSTONES.map((one) =>
      said(
        one,
        // The samples come back: a storage cannot know that they were deleted.
        new Life(series).each(["a", "b"], 10_000, 11_600, { every: 50 }).compact(1).step({ do: "delete", match: [["__name__", "=", "a"]], from: 10_100, to: 10_300 }).damage(one.file, one.how, 1).query().restart().query(),
      ),
    ),
    ...LOG_ENDS.map((one) => {
      const life = new Life(series, { segmentOctets: 32_768 });
      for (let time = 1; time <= 4; time++) life.append([["a", time, time], ["b", time, time]]);
      if (one.lost === true) life.forget({ from: 4 });
      return said(one, life.damage(one.file, one.how, one.reports ?? 1).query().append([["a", 5, 5]]).restart().query());
    }),
  ];
}
