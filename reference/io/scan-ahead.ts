import { statSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { isSea } from "node:sea";
import { Worker } from "node:worker_threads";
import { FileFault, type FileTrouble, type LogScan, scanInTurn } from "../metrics/tsdb/index.ts";
import { realFiles } from "./files.ts";
import { OctetPipe } from "./octet-pipe.ts";
import { readEvents, type ScanOrder } from "./scan-ahead-events.ts";

/** Reading a smaller log takes less time than starting a thread. */
const WORTH_OCTETS = 48 * 1_048_576;
const PIPE_OCTETS = 64 * 1_048_576;
/** The thread's file has the same extension as this one: after a build both are JavaScript. */
const [EXTENSION = ""] = /\.[jt]s$/.exec(import.meta.url) ?? [];

/**
 * Reads the segments of a log on a second thread, which checks and unpacks records while this one replays earlier ones. The two threads share
 * only a pipe. A log of fewer than `worthOctets` is read on this thread; so is every log in a program that is one file, whose modules no other
 * thread can load.
 */
export function scanAhead(paths: readonly string[], mostOctets: number, worthOctets = WORTH_OCTETS): ReturnType<LogScan> {
  const size = paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  if (size < worthOctets || isSea()) return scanInTurn(realFiles)(paths, mostOctets);
  const pipe = new OctetPipe(PIPE_OCTETS);
  const workerData: ScanOrder = { paths, mostOctets, shared: pipe.shared };
  const worker = new Worker(new URL(`./scan-ahead-thread${EXTENSION}`, import.meta.url), { workerData, env: environment() });
  worker.unref();
  return (eventsOf) => {
    try {
      for (const path of paths) readEvents(pipe, eventsOf(path), errorOf);
    } finally {
      // If a listener throws, the thread still waits for room in the pipe.
      void worker.terminate();
    }
  };
}

/** A thread finds the compile cache only through its environment. */
function environment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(cache) };
}

/** Rebuilds an error of the other thread. */
function errorOf(why: { readonly trouble?: FileTrouble; readonly path?: string; readonly message?: string }): Error {
  const { trouble, path = "", message = "" } = why;
  return trouble === undefined ? new Error(message) : new FileFault(trouble, path, message.slice(path.length + 2));
}
