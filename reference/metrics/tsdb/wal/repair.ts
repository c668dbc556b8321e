import { type Files, parentOf, setAside } from "../files/index.ts";
import { RecordReader, type RecordSink } from "./record-read.ts";
import { RecordBuffer } from "./record.ts";
import { readSegment, type SegmentFault } from "./read.ts";
import type { DamagedSegment } from "./replay.ts";
import { SegmentWriter } from "./segment.ts";

const WORKSHOP = "repair.tmp";
const GATHERED = 1_048_576;

/** Not damage: another program wrote what this one does not know. */
const FOREIGN: ReadonlySet<SegmentFault> = new Set(["recordType", "recordZstd"]);

/** A damaged segment and what was done about it; `to`: the path of the damaged file in quarantine. */
export type Repair = DamagedSegment & { readonly done: "cut" | "set aside" | "left"; readonly to?: string };

/**
 * Makes a segment readable by any server. If its end is torn, the incomplete record is cut off. If it is damaged within, the good records are written to
 * a new file and the damaged one goes into quarantine.
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
  rewrite(files, segment.path, { into: workshop, number: Number(name), mostOctets });
  const to = setAside(files, data, segment.path);
  files.rename(`${workshop}/${name}`, segment.path);
  files.remove(workshop);
  files.syncDirectory(directory);
  return { ...segment, done: "set aside", to };
}

/** Finishes an interrupted repair if the damaged segment is in quarantine already; otherwise discards it. */
export function finishRepairs(files: Files, directory: string): void {
  const workshop = `${directory}/${WORKSHOP}`;
  if (!files.exists(workshop)) return;
  for (const name of files.list(workshop)) {
    if (!files.exists(`${directory}/${name}`)) files.rename(`${workshop}/${name}`, `${directory}/${name}`);
  }
  files.remove(workshop);
  files.syncDirectory(directory);
}

const IGNORE: RecordSink = {
  series: () => {},
  sample: () => {},
  histogram: () => {},
  tombstone: () => {},
  exemplar: () => {},
  other: () => {},
};

type Rewriting = { readonly into: string; readonly number: number; readonly mostOctets: number };

function rewrite(files: Files, path: string, { into, number, mostOctets }: Rewriting): void {
  const writer = new SegmentWriter(files, into, { number, sync: "interval", segmentOctets: Infinity });
  const reader = new RecordReader();
  const records = new RecordBuffer();
  try {
    readSegment(files, path, mostOctets, (bytes, from, to) => {
      // Keep records of unknown types, drop broken ones.
      const fault = reader.read(bytes, from, to, IGNORE);
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
