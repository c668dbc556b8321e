import { workerData } from "node:worker_threads";
import { scanSegment } from "../metrics/tsdb/index.ts";
import { realFiles } from "./files.ts";
import { OctetPipe } from "./octet-pipe.ts";
import { EventWriter, type ScanOrder } from "./scan-ahead-events.ts";

/** The thread that `scan-ahead.ts` starts. */
const { paths, mostOctets, shared } = workerData as ScanOrder;
const events = new EventWriter(new OctetPipe(shared));
try {
  for (const path of paths) scanSegment(realFiles, path, mostOctets, events);
} catch (error) {
  const { name, message, ...rest } = error as Error;
  events.failure({ name, message, ...rest });
}
