import { fileURLToPath } from "node:url";
import { Misuse } from "../../core/index.ts";
import { certificateOf, type Certificate, freePort } from "../../io/index.ts";
import { checkOptions } from "../options/check.ts";
import { SERVE_OPTIONS } from "../options/known.ts";
import type { ServeOptions, Server } from "../server/options.ts";
import { speaksHttp3 } from "../versions.ts";
import type { WorkerCounts } from "./messages.ts";
import { WorkerPool } from "./pool.ts";

/** The options of `serve` that can be sent to another process. */
export type WorkersOptions = Omit<ServeOptions, "onError" | "filter"> & {
  /** How many processes serve. */
  readonly workers: number;
  /** Receives one line when a worker ends by itself; it goes to standard error by default. */
  readonly onNotice?: (line: string) => void;
};

/** A server in several processes. */
export type WorkersServer = Omit<Server, "connections"> & {
  /** The counts of each worker, as they are now. */
  counts(): Promise<readonly WorkerCounts[]>;
  /** Replaces the workers one after the other without losing a connection. Throws if a new one cannot listen; the old ones then go on. */
  restart(): Promise<void>;
};

const MOST_WORKERS = 256;
const GRACE_MS = 5_000;

/**
 * Listens in several processes on one port, over TCP. `module` exports the handler by default; each worker imports it. A worker that ends by
 * itself is replaced. Throws `Misuse` for options that another process cannot have, and an Error if a worker cannot listen.
 */
export async function serveInWorkers(module: URL, options: WorkersOptions): Promise<WorkersServer> {
  const { workers, onNotice = (line) => console.error(`touchstone: ${line}`), ...own } = options;
  checkOptions("serveInWorkers", own, SERVE_OPTIONS);
  if (!Number.isInteger(workers) || workers < 1 || workers > MOST_WORKERS)
    throw new Misuse(`serveInWorkers: workers is ${workers}: give a whole number from 1 to ${MOST_WORKERS}`);
  if (speaksHttp3(own.alpn)) throw new Misuse("serveInWorkers: HTTP/3 has no workers: leave h3 out of alpn");
  const noClone = unclonable(own);
  if (noClone !== undefined) throw new Misuse(`serveInWorkers: another process cannot have the option "${noClone}": set it in the module`);
  const { host = "127.0.0.1", port = 0, tls = false, graceMs = GRACE_MS } = own;
  const certificate = await sharedCertificate(tls);
  const pool = await WorkerPool.start({
    exec: fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "./entry.ts" : "./entry.js", import.meta.url)),
    args: [],
    count: workers,
    settings: {
      port: port === 0 ? await freePort(host) : port,
      module: module.href,
      options: own,
      ...(certificate !== undefined && { certificate }),
    },
    graceMs,
    onNotice,
  });
  const close = (): Promise<void> => pool.close();
  return {
    ...pool.place,
    certificate: certificate?.cert,
    counts: () => pool.counts(),
    restart: () => pool.restart(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The certificate of the options, or one that is made for all workers; undefined in clear text. */
export const sharedCertificate = async (tls: NonNullable<ServeOptions["tls"]>): Promise<Certificate | undefined> =>
  tls === false ? undefined : certificateOf(tls === true ? {} : tls);

/** The path of the first option that is a function. */
function unclonable(options: object, prefix = ""): string | undefined {
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === "function") return prefix + name;
    const inner = typeof value === "object" && value !== null ? unclonable(value, `${prefix}${name}.`) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}
