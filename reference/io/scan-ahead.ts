import { statSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { FileFault, type FileTrouble, type LogScan, scanInTurn } from "../metrics/tsdb/index.ts";
import { realFiles } from "./files.ts";
import { OctetPipe } from "./octet-pipe.ts";
import { type ScanOrder, tellEvents } from "./scan-ahead-events.ts";

/** A smaller log is read in less time than a thread takes to start. */
const WORTH_OCTETS = 48 * 1_048_576;
const PIPE_OCTETS = 64 * 1_048_576;
/** The thread's file has the extension of this one: after a build both are JavaScript. */
const [EXTENSION = ""] = /\.[jt]s$/.exec(import.meta.url) ?? [];

/**
 * Reads the segments of a log on a second thread, which checks and unpacks records while this one replays earlier ones. The two share nothing
 * but a pipe.
 */
export function scanAhead(paths: readonly string[], mostOctets: number, worthOctets = WORTH_OCTETS): ReturnType<LogScan> {
  const size = paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  if (size < worthOctets) return scanInTurn(realFiles)(paths, mostOctets);
  const pipe = new OctetPipe(PIPE_OCTETS);
  const workerData: ScanOrder = { paths, mostOctets, shared: pipe.shared };
  const worker = new Worker(new URL(`./scan-ahead-thread${EXTENSION}`, import.meta.url), { workerData, env: environment() });
  worker.unref();
  return (told) => {
    try {
      for (const path of paths) tellEvents(pipe, told(path), failure);
    } finally {
      // If a listener has thrown, the thread still waits for room in the pipe.
      void worker.terminate();
    }
  };
}

/** A thread finds the compile cache only through its environment. */
function environment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) };
}

/** The thread's error, in this thread. */
function failure(why: { readonly trouble?: FileTrouble; readonly path?: string; readonly message?: string }): Error {
  const { trouble, path = "", message = "" } = why;
  return trouble === undefined ? new Error(message) : new FileFault(trouble, path, message.slice(path.length + 2));
}
