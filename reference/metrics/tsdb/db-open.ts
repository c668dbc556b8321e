import { checkpointsIn, logPaths, removeUnfinished } from "./checkpoint.ts";
import { ChunksHead } from "./chunks-head.ts";
import type { Files } from "./files.ts";
import { Head } from "./head.ts";
import { finishRepairs, repairSegment, type Repair } from "./wal-repair.ts";
import { replayLate, replaySegments, segmentPaths, type ReplayReport } from "./wal-replay.ts";

/** What was found when the log was read. */
export type LogReport = Omit<ReplayReport, "damaged"> & { readonly repairs: readonly Repair[] };

/** Reads the log of a data directory into the head, whose `floor` says what is in blocks already, and puts in order what is damaged. */
export function openLog(files: Files, directory: string, head: Head): LogReport {
  const report: ReplayReport = { segments: 0, records: 0, samples: 0, unknown: 0, damaged: [] };
  const [wal, wbl] = [`${directory}/wal`, `${directory}/wbl`];
  for (const log of [wal, wbl]) {
    if (!files.exists(log)) continue;
    removeUnfinished(files, log);
    for (const place of [log, ...checkpointsIn(files, log).map(({ name }) => `${log}/${name}`)]) finishRepairs(files, place);
  }
  const written = new ChunksHead(head.chunks);
  written.read(files, `${directory}/chunks_head`, head.floor);
  if (files.exists(wal)) replaySegments(files, logPaths(files, wal), head, report, written);
  if (files.exists(wbl)) replayLate(files, segmentPaths(files, wbl), head, report);
  const { damaged, ...rest } = report;
  return { ...rest, repairs: damaged.map((segment) => repairSegment(files, directory, segment, head.options.limits.recordOctets)) };
}
