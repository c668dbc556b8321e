import { type Files, parentOf, setAside } from "../files/index.ts";
import { readRecord, type RecordSink } from "./record-read.ts";
import { RecordBuffer } from "./record.ts";
import { readSegment, type SegmentFault } from "./read.ts";
import type { DamagedSegment } from "./replay.ts";
import { SegmentWriter } from "./segment.ts";

const WORKSHOP = "repair.tmp";
const GATHERED = 1_048_576;

/** Nothing is broken: another program has written what this one does not understand. */
const FOREIGN: ReadonlySet<SegmentFault> = new Set(["recordType", "recordZstd"]);

/** What was done about a segment; `to`: where the damaged one is, if it was set aside. */
export type Repair = DamagedSegment & { readonly done: "cut" | "set aside" | "left"; readonly to?: string };

/**
 * Puts a segment in order so that everybody can read it: of one that was cut short what is incomplete is cut off; of one that is damaged within, the good
 * records are written anew, and what there was goes into quarantine.
 */
export function repairSegment(files: Files, data: string, segment: DamagedSegment, mostOctets: number): Repair {
  if (segment.damage.every(({ fault }) => FOREIGN.has(fault))) return { ...segment, done: "left" };
  if (segment.isTorn) {
    const file = files.open(segment.path, "write");
    try {
      file.truncate(segment.goodEnd);
      file.sync();
    } finally {
      file.close();
    }
    return { ...segment, done: "cut" };
  }
  const directory = parentOf(segment.path);
  const name = segment.path.slice(directory.length + 1);
  const workshop = `${directory}/${WORKSHOP}`;
  files.remove(workshop);
  files.makeDirectory(workshop);
  rewrite(files, segment.path, workshop, Number(name), mostOctets);
  const to = setAside(files, data, segment.path);
  files.rename(`${workshop}/${name}`, segment.path);
  files.remove(workshop);
  files.syncDirectory(directory);
  return { ...segment, done: "set aside", to };
}

/** What a repair that was interrupted left: finished where the segment is in quarantine already, forgotten otherwise. */
export function finishRepairs(files: Files, directory: string): void {
  const workshop = `${directory}/${WORKSHOP}`;
  if (!files.exists(workshop)) return;
  for (const name of files.list(workshop)) {
    if (!files.exists(`${directory}/${name}`)) files.rename(`${workshop}/${name}`, `${directory}/${name}`);
  }
  files.remove(workshop);
  files.syncDirectory(directory);
}

const NOBODY: RecordSink = { series: () => {}, sample: () => {}, histogram: () => {}, tombstone: () => {}, other: () => {} };

function rewrite(files: Files, path: string, into: string, number: number, mostOctets: number): void {
  const writer = new SegmentWriter(files, into, number, "interval", Infinity);
  const records = new RecordBuffer();
  try {
    readSegment(files, path, mostOctets, (bytes, from, to) => {
      // What another program understands is kept; what nobody does is not.
      const fault = readRecord(bytes, from, to, NOBODY);
      if (fault === "recordShort") return fault;
      records.copy(bytes, from, to);
      records.end();
      if (records.length > GATHERED) {
        writer.write(records);
        records.clear();
      }
      return undefined;
    });
    writer.write(records);
  } finally {
    writer.close();
  }
}
