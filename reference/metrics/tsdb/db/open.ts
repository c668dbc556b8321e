import {
  checkpointsIn,
  finishRepairs,
  type LogFiles,
  logPaths,
  removeUnfinished,
  type Repair,
  repairSegment,
  replayLate,
  type ReplayReport,
  replaySegments,
  segmentPaths,
} from "../wal/index.ts";
import { Head } from "../head/index.ts";

/** What was found when the log was read. */
export type LogReport = Omit<ReplayReport, "damaged"> & { readonly repairs: readonly Repair[] };

/** Reads the log of a data directory into the head, whose `floor` says what is in blocks already, and puts in order what is damaged. */
export function openLog(log: LogFiles, directory: string, head: Head): LogReport {
  const { files } = log;
  const report: ReplayReport = { segments: 0, records: 0, samples: 0, unknown: 0, damaged: [] };
  const [wal, wbl] = [`${directory}/wal`, `${directory}/wbl`];
  for (const part of [wal, wbl]) {
    if (!files.exists(part)) continue;
    removeUnfinished(files, part);
    for (const place of [part, ...checkpointsIn(files, part).map(({ name }) => `${part}/${name}`)]) finishRepairs(files, place);
  }
  if (files.exists(wal)) replaySegments(log, logPaths(files, wal), head, report, `${directory}/chunks_head`);
  if (files.exists(wbl)) replayLate(log, segmentPaths(files, wbl), head, report);
  const { damaged, ...rest } = report;
  return { ...rest, repairs: damaged.map((segment) => repairSegment(files, directory, segment, head.options.limits.recordOctets)) };
}
