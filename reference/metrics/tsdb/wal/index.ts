/** The write-ahead log: what brings the head back after a restart (`../FORMAT.md`). */
export { checkpointsIn, logPaths, removeUnfinished } from "./checkpoint.ts";
export { Log } from "./log.ts";
export { finishRepairs, type Repair, repairSegment } from "./repair.ts";
export { replayLate, type ReplayReport, replaySegments, segmentPaths } from "./replay.ts";
export { type LogFiles, type LogScan, type ScanFault, scanInTurn, scanSegment, type SegmentEvents } from "./scan.ts";
export { SEGMENT_OCTETS, type SyncPolicy } from "./segment.ts";
