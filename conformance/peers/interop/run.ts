import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { INTEROP_CASES, interop, LoadReports, openChannel, runInteropCase, serveRpc } from "../../../reference/serve/rpc/index.ts";
import { environment, freePort } from "../index.ts";
import { CASES, type InteropCase } from "./cases.ts";

/** Runs the interoperability client and server of grpc-go against our server and client. */

/** The version of grpc-go. */
export const VERSION = "1.85.0";
const PROGRAMS = ["client", "server"].map((name) => `google.golang.org/grpc/interop/${name}@v${VERSION}`);
/** What is needed: the programs are built when they are first used. */
export const INSTALL = "install Go 1.24 or newer";
const BUILD_MS = 600_000;
const CASE_MS = 60_000;
const READY_MS = 30_000;
const execute = promisify(execFile);

/** The folder of both programs; undefined where Go is not installed, or cannot fetch the module. */
export async function programs(): Promise<string | undefined> {
  const folder = join(tmpdir(), `touchstone-peers-${process.getuid?.() ?? 0}`, `grpc-go-interop-${VERSION}`);
  if (["client", "server"].every((name) => existsSync(join(folder, name)))) return folder;
  mkdirSync(folder, { recursive: true });
  try {
    await execute("go", ["install", ...PROGRAMS], { env: { ...environment(), GOBIN: folder }, timeout: BUILD_MS });
    return folder;
  } catch {
    return undefined;
  }
}

/** Their client calls our server: rejects with what it says unless the case passes. */
export async function theirClient(folder: string, port: number, { name, args = [] }: InteropCase): Promise<void> {
  const address = ["-server_host", "127.0.0.1", "-server_port", String(port)];
  await execute(join(folder, "client"), [...address, "-test_case", name, ...args], { timeout: CASE_MS });
}
/** Our server, with everything that their client calls. */
export function ourServer(): ReturnType<typeof serveRpc> {
  const loads = new LoadReports({ leastIntervalMs: 1_000 });
  return serveRpc([interop(loads), loads.service()], { dialect: "grpc", graceMs: 100 });
}

/** Our client calls their server: rejects with what is wrong unless the case passes. */
export const ourClient = (port: number, { name }: InteropCase): Promise<void> =>
  runInteropCase(name, () => openChannel(`http://127.0.0.1:${port}/`, { dialect: "grpc", graceMs: 100 }));
/** Their server, when it accepts connections. */
export async function theirServer(folder: string): Promise<AsyncDisposable & { readonly port: number }> {
  const port = await freePort();
  const child = spawn(join(folder, "server"), ["-port", String(port)], { stdio: "ignore" });
  const stop = (): Promise<void> => end(child);
  for (let waited = 0; waited < READY_MS && child.exitCode === null; waited += 50) {
    if (await accepts(port)) return { port, [Symbol.asyncDispose]: stop };
    await wait(50);
  }
  await stop();
  throw new Error("the interoperability server of grpc-go did not start");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}
const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });

/** The cases that both of our sides can be asked; a case that is in one list alone is a mistake. */
export function mustAgree(): void {
  const [theirs, ours] = [CASES.map(({ name }) => name).toSorted(), [...INTEROP_CASES].toSorted()];
  if (theirs.join() !== ours.join()) throw new Error(`the lists of cases differ: ${theirs.join()} and ${ours.join()}`);
}
