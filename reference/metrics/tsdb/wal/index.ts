/** The write-ahead log: restores the head after a restart (`../FORMAT.md`). */
export { checkpointsIn, logPaths, removeUnfinished } from "./checkpoint.ts";
export { Log } from "./log.ts";
export { finishRepairs, type Repair, repairSegment } from "./repair.ts";
export { Replay, type ReplayReport, segmentPaths } from "./replay.ts";
export { type LogFiles, type LogScan, type ScanFault, type ScannedRecord, scanInTurn, scanSegment, type SegmentEvents } from "./scan.ts";
export { RecordReader, type RecordSink } from "./record-read.ts";
export { SEGMENT_OCTETS, type SyncPolicy } from "./segment.ts";
export { type LogPosition, LogTail } from "./tail.ts";
