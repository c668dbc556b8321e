import { type Cursor, readLongInteger, writeInteger } from "../field-coding/index.ts";
import type { QpackFaultName } from "./faults.ts";

/** What a section requires of the table, and what its indices count from (rfc9204#4.5.1). */
export type SectionPrefix = {
  /** The number of insertions that a decoder needs to have. */
  readonly required: number;
  readonly base: number;
};

/** The least octets that an entry counts (rfc9204#4.5.1.1). */
const LEAST_ENTRY = 32;
/** The entries that a table of at most `capacity` octets can have (rfc9204#4.5.1.1). */
const mostEntries = (capacity: number): number => Math.floor(capacity / LEAST_ENTRY);

/** The table as the prefix of a section refers to it. */
export type TableState = {
  /** The limit of the table that the decoder announced, in octets: not the capacity that the encoder set. */
  readonly maxCapacity: number;
  /** Insertions so far. */
  readonly inserted: number;
};

/** Reads the prefix at the cursor. After a fault of its coding, which the cursor has, the result means nothing. */
export function readPrefix(cursor: Cursor, table: TableState): SectionPrefix | QpackFaultName {
  const required = unwrapped(readLongInteger(cursor, 8), table);
  const isNegative = cursor.at < cursor.end && cursor.octets[cursor.at]! >= 0x80;
  const delta = readLongInteger(cursor, 7);
  if (typeof required === "string") return required;
  if (!isNegative) return { required, base: required + delta };
  return delta < required ? { required, base: required - delta - 1 } : "baseNegative";
}

/** The count that `encoded` stands for: the one nearest to what a table can have by now (rfc9204#4.5.1.1). */
function unwrapped(encoded: number, { maxCapacity, inserted }: TableState): number | "requiredInsertCountImpossible" {
  if (encoded === 0) return 0;
  const range = 2 * mostEntries(maxCapacity);
  if (encoded > range) return "requiredInsertCountImpossible";
  const most = inserted + mostEntries(maxCapacity);
  const turns = Math.floor(most / range) * range;
  let required = turns + encoded - 1;
  if (required > most) {
    if (required <= range) return "requiredInsertCountImpossible";
    required -= range;
  }
  return required === 0 ? "requiredInsertCountImpossible" : required;
}

/** The most octets of a prefix. */
export const PREFIX_ROOM = 12;

/** Writes the prefix at `at`, and returns the index after it. */
export function writePrefix(octets: Uint8Array, at: number, { required, base }: SectionPrefix, maxCapacity: number): number {
  const encoded = required === 0 ? 0 : (required % (2 * mostEntries(maxCapacity))) + 1;
  at = writeInteger(octets, at, 0x00, 8, encoded);
  if (required === 0) return writeInteger(octets, at, 0x00, 7, 0);
  if (base >= required) return writeInteger(octets, at, 0x00, 7, base - required);
  return writeInteger(octets, at, 0x80, 7, required - base - 1);
}
