import { fork, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { killed, startProcess, type MetricsProcess } from "./process.ts";
import type { Order, Reply } from "./subject.ts";
import { freePort } from "../../../conformance/peers/index.ts";

/** The folder of the package, above this file. */
const PACKAGE = (function up(folder: string): string {
  return existsSync(join(folder, "bin.js")) ? folder : up(join(folder, ".."));
})(import.meta.dirname);

/** Starts the server of the command line with a data directory, as a user does. */
export async function startTouchstone(
  directory: string,
  more: readonly string[] = ["--no-self-scrape"],
  onPort?: number,
): Promise<MetricsProcess> {
  const port = onPort ?? (await freePort());
  const words = [
    "serve",
    "metrics",
    ...more,
    "--port",
    String(port),
    "--storage.tsdb.path",
    directory,
    "--storage.tsdb.retention.time",
    "36500d",
  ];
  return startProcess("touchstone", [process.execPath, join(PACKAGE, "bin.js"), ...words], port);
}

/** The same server, in a process that follows orders. */
export type Subject = { readonly pid: number; readonly origin: string; order(order: Order): Promise<Reply>; kill(): Promise<void> };

export async function startSubject(directory: string): Promise<Subject> {
  const file = join(import.meta.dirname, `subject${extname(fileURLToPath(import.meta.url))}`);
  const child = fork(file, [directory], { execArgv: ["--expose-gc", "--no-warnings"], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const { origin = "" } = await answer(child);
  return {
    pid: child.pid ?? 0,
    origin,
    order(order) {
      child.send(order);
      return answer(child);
    },
    kill: () => killed(child),
  };
}

const answer = (child: ChildProcess): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`the measured server exited with status ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.removeListener("exit", ended);
      resolve(message as Reply);
    });
  });
