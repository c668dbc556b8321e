import {
  checkpointsIn,
  finishRepairs,
  type LogFiles,
  logPaths,
  removeUnfinished,
  type Repair,
  repairSegment,
  Replay,
  type ReplayReport,
  segmentPaths,
} from "../wal/index.ts";
import type { Head } from "../head/index.ts";

/** The result of reading the log. */
export type LogReport = Omit<ReplayReport, "damaged"> & { readonly repairs: readonly Repair[] };

/** Reads the log of a data directory into the head, without samples before its `floor`, and repairs damaged segments. */
export function openLog(log: LogFiles, directory: string, head: Head): LogReport {
  const { files } = log;
  const replay = new Replay(log, head);
  const [wal, wbl] = [`${directory}/wal`, `${directory}/wbl`];
  for (const part of [wal, wbl]) {
    if (!files.exists(part)) continue;
    removeUnfinished(files, part);
    for (const place of [part, ...checkpointsIn(files, part).map(({ name }) => `${part}/${name}`)]) finishRepairs(files, place);
  }
  if (files.exists(wal)) replay.segments(logPaths(files, wal), `${directory}/chunks_head`);
  if (files.exists(wbl)) replay.late(segmentPaths(files, wbl));
  const { damaged, ...rest } = replay.report;
  return { ...rest, repairs: damaged.map((segment) => repairSegment(files, directory, segment, head.options.limits.recordOctets)) };
}
