import type { Certificate } from "../../io/index.ts";
import type { ServeOptions } from "../server/options.ts";

/** What the primary process and its workers say to one another. */

/** What a worker needs to know before it listens. */
export type Settings = {
  /** All workers share it. */
  readonly port: number;
  /** The self-signed certificate that all workers share. */
  readonly certificate?: Certificate;
  /** In the library: the URL of the module whose default export is the handler, and the options of `serve`. */
  readonly module?: string;
  readonly options?: ServeOptions;
};

/** The counts of one worker. */
export type WorkerCounts = {
  readonly pid: number;
  /** Open connections. */
  readonly connections: number;
  /** Requests since it started. */
  readonly requests: number;
  /** Processor time, in seconds. */
  readonly cpuSeconds: number;
  /** Resident memory, in octets. */
  readonly residentOctets: number;
};

/** Where all workers listen. */
export type WorkersPlace = { readonly url: string; readonly address: string; readonly port: number };

export type ToWorker =
  | { readonly do: "start"; readonly settings: Settings }
  | { readonly do: "count"; readonly question: number }
  /** Finish the requests in progress, and exit. */
  | { readonly do: "close" };

export type FromWorker =
  /** It can receive messages. */
  | { readonly is: "ready" }
  | { readonly is: "listening"; readonly place: WorkersPlace }
  /** It cannot listen. */
  | { readonly is: "failed"; readonly why: string }
  | { readonly is: "counts"; readonly question: number; readonly counts: WorkerCounts }
  /** The counts at its end. */
  | { readonly is: "leaving"; readonly counts: WorkerCounts };

/** Marks the processes that a pool starts, in their environment. */
export const WORKER_MARK = "TOUCHSTONE_WORKER";
