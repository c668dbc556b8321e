import { records } from "./files.ts";
import { Life } from "./life-craft.ts";
import type { LifeVector } from "./life-kinds.ts";

/** Records in the log whose checksum is right, and whose content is not: what comes before them stays, and they are reported. */

/** CRC-32 by the polynomial of Castagnoli, bit by bit. */
function castagnoli(octets: Uint8Array): number {
  let rest = 0xffffffff;
  for (const octet of octets) {
    rest ^= octet;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ ((rest & 1) * 0x82f63b78);
  }
  return ~rest >>> 0;
}
/** A record in one whole fragment. */
function framed(record: string): string {
  const octets = Buffer.from(record, "hex");
  const head = Buffer.alloc(7);
  head.writeUInt8(1, 0);
  head.writeUInt16BE(octets.length, 1);
  head.writeUInt32BE(castagnoli(octets), 3);
  return head.toString("hex") + record;
}

type Wrong = { readonly note: string; readonly wire: string; readonly reports: number; readonly fault?: string };

const WRONG: readonly Wrong[] = [
  // Some of a series record may have been read before its gap; these name one series alone.
  ...records.filter(({ result, note }) => result === "invalid" && !note.startsWith("record series")),
  { note: "a series without its labels", wire: "010000000000000009" },
  { note: "a series whose label has no value", wire: "010000000000000009010161" },
  { note: "a series whose value ends early", wire: "0100000000000000090101610578" },
].map((one: Omit<Wrong, "reports">) => ({ ...one, note: `in a record with the right checksum, ${one.note}`, reports: 1 }));
/** Storages need not understand these. */
const OTHERS: readonly Wrong[] = [4, 5, 6].map((type) => ({
  note: `a record of type ${type}, which is no damage`,
  wire: `0${type}00000000000000090000000000000009`,
  reports: 0,
}));

export const wrongRecords = (all: Life["series"]): Omit<LifeVector, "id">[] =>
  [...WRONG, ...OTHERS].map(({ note, wire, reports, fault }) => {
    const life = new Life({ a: all["a"]!, b: all["b"]! }, { segmentOctets: 32_768 });
    for (let time = 1; time <= 4; time++) life.append([["a", time, time], ["b", time, time]]);
    life.damage("wal/00000000", { add: framed(wire) }, reports).query().append([["a", 5, 5]]).query();
    // What a later version may have written stays, and is reported again.
    if (fault !== "recordType") life.restart().query();
    return life.written(`damage: ${note}`, "prometheus-wal#record-encoding", "Damage");
  });
