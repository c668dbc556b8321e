import { Option, type Command } from "commander";
import { wholeNumber } from "../../../options.ts";
import { freePort, type ServerTls } from "../../io/index.ts";
import type { Server } from "../server/options.ts";
import { serve } from "../server/serve.ts";
import { Member, isWorker } from "../workers/member.ts";
import { workersPage } from "../workers/page.ts";
import { WorkerPool } from "../workers/pool.ts";
import { sharedCertificate } from "../workers/serve.ts";
import { announce, type Listening, onStop, tlsOf } from "./listening.ts";

/** The options of commands that can serve in several processes. */
export type Workers = { readonly workers?: number; readonly metricsPort?: number };

const MOST_WORKERS = 256;
/** Milliseconds for requests in progress when workers close. */
const GRACE_MS = 5_000;

export function workersOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--workers <n>", "serve in this many processes on one port; SIGHUP replaces them gracefully").argParser(
        wholeNumber(1, MOST_WORKERS),
      ),
    )
    .addOption(
      new Option("--metrics-port <port>", "with --workers: show the counts of all workers at http://127.0.0.1:PORT/metrics").argParser(
        wholeNumber(0, 65_535),
      ),
    );
}

/** The membership of a process that a pool has started; undefined for any other process. */
export const joined = async (): Promise<Member | undefined> => (isWorker() ? Member.join() : undefined);

/** The TLS of a worker: the certificate is the same in all of them. */
export function tlsIn(member: Member | undefined, options: Listening): { readonly tls?: boolean | ServerTls } {
  const { tls } = tlsOf(options);
  const certificate = member?.settings.certificate;
  if (certificate === undefined) return tls === undefined ? {} : { tls };
  return { tls: { ...(typeof tls === "object" && tls), ...certificate } };
}

/** Runs the same command line in several processes until a signal ends them. */
export async function serveCommandInWorkers(options: Listening & Workers & { readonly workers: number }): Promise<void> {
  const { tls = false } = tlsOf(options);
  const certificate = await sharedCertificate(tls);
  const pool = await WorkerPool.start({
    exec: process.argv[1] ?? "",
    args: process.argv.slice(2),
    count: options.workers,
    settings: {
      port: options.port === 0 ? await freePort(options.host) : options.port,
      ...(certificate !== undefined && { certificate }),
    },
    graceMs: GRACE_MS,
    onNotice: notice,
  });
  const page = await metricsPage(pool, options.metricsPort).catch(async (error: unknown) => {
    await pool.close();
    throw error;
  });
  const shown = page === undefined ? "" : `; metrics at ${page.url}metrics`;
  announce(
    pool.place,
    options.json,
    { workers: String(options.workers), ...(page !== undefined && { metrics: `${page.url}metrics` }) },
    `Listening at ${pool.place.url} in ${options.workers} processes${shown}`,
  );
  process.on("SIGHUP", () => {
    pool.restart().catch((error: unknown) => notice(`the workers are not replaced: ${(error as Error).message}`));
  });
  onStop(async () => {
    await Promise.all([pool.close(), page?.close()]);
  });
}

const notice = (line: string): void => console.error(`touchstone serve: ${line}`);

/** Serves the page for this machine alone; without a port there is none. */
async function metricsPage(pool: WorkerPool, port: number | undefined): Promise<Server | undefined> {
  if (port === undefined) return undefined;
  return serve(
    async ({ path }) =>
      path === "/metrics"
        ? {
            status: 200,
            fields: [["content-type", "text/plain; version=0.0.4; charset=utf-8"]],
            body: workersPage(await pool.counts(), pool),
          }
        : { status: 404, fields: [["content-type", "text/plain"]], body: "The metrics are at /metrics.\n" },
    { port, alpn: ["http/1.1"] },
  );
}
