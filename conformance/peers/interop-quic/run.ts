import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { seeded } from "../../../reference/core/index.ts";
import { selfSigned } from "../../../reference/io/index.ts";
import { freePort } from "../index.ts";
import { Relay } from "./relay.ts";
import type { Scenario } from "./scenarios.ts";
import { ENVIRONMENT, type Stack } from "./stacks.ts";

/** What became of a scenario between two stacks. */
export type Outcome =
  /** From the first datagram of the client to the last of the server. */
  | { readonly is: "passed"; readonly seconds: number; readonly kbps: number }
  | { readonly is: "failed"; readonly why: string }
  | { readonly is: "not offered"; readonly why: string };

const READY_MS = 20_000;
const BUILD_MS = 600_000;

/** Those that are installed, with their versions. */
export async function installed(stacks: readonly Stack[]): Promise<ReadonlyMap<Stack, string>> {
  const found = new Map<Stack, string>();
  for (const stack of stacks) {
    const version = await stack.version();
    if (version === undefined || !(await isBuilt(stack))) continue;
    found.set(stack, version);
  }
  return found;
}
async function isBuilt({ build }: Stack): Promise<boolean> {
  if (build === undefined) return true;
  try {
    await promisify(execFile)(build[0]!, build.slice(1), { env: ENVIRONMENT, timeout: BUILD_MS });
    return true;
  } catch {
    // The page names it as absent.
    return false;
  }
}

/** Runs a scenario between a client and a server, with the relay between them. `seed` chooses what is lost. */
export async function run(client: Stack, server: Stack, scenario: Scenario, seed: number): Promise<Outcome> {
  const { name } = scenario;
  for (const [who, stack] of [
    ["client", client],
    ["server", server],
  ] as const) {
    const why = stack.cannot.both?.[name] ?? stack.cannot[who]?.[name];
    if (why !== undefined) return { is: "not offered", why: `${stack.name} as ${who}: ${why}` };
  }
  const dir = mkdtempSync(join(tmpdir(), "touchstone-interop-quic-"));
  const children: ChildProcess[] = [];
  let relay: Relay | undefined;
  try {
    const { root, downloads, cert, key, names } = await lay(dir, scenario, seed);
    const port = await freePort();
    const started = start(server.server!({ scenario: name, port, cert, key, root, dir }), dir, children);
    if (!(await isBound(port, started.child))) return { is: "failed", why: `the server did not start: ${started.said()}` };
    relay = new Relay(scenario.link, port, seed);
    const through = await relay.start();
    const urls = names.map((file) => `https://127.0.0.1:${through}/${file}`);
    const asking = start(client.client!({ scenario: name, port: through, urls, downloads, dir }), dir, children);
    const late = AbortSignal.timeout(scenario.seconds * 1_000);
    const [status] = (await once(asking.child, "exit", { signal: late }).catch(() => ["late"])) as [number | string | null];
    const missing = names.filter((file) => !isSame(join(root, file), join(downloads, file)));
    if (status === "late")
      return { is: "failed", why: `not done after ${scenario.seconds} s: ${missing.length} of ${names.length} files missing` };
    if (missing.length > 0 || status !== 0)
      return { is: "failed", why: `${missing.length} of ${names.length} files missing, status ${status}: ${asking.said()}` };
    const wrong = scenario.wrong?.({ handshakes: relay.seen, answersAfterRebinding: relay.answersAfterRebinding });
    if (wrong !== undefined) return { is: "failed", why: wrong };
    const octets = scenario.files.reduce((sum, size) => sum + size, 0);
    const seconds = relay.transferSeconds;
    return { is: "passed", seconds, kbps: (octets * 8) / (seconds * 1_000) };
  } finally {
    relay?.close();
    for (const child of children) end(child);
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The files, the certificate, and an empty folder. */
async function lay(dir: string, { files }: Scenario, seed: number) {
  const [root, downloads] = [join(dir, "www"), join(dir, "downloads")];
  for (const folder of [root, downloads]) mkdirSync(folder);
  const random = seeded(seed);
  const names = files.map((size, nth) => {
    const content = Buffer.alloc(size);
    for (let at = 0; at < size; at++) content[at] = random() * 256;
    writeFileSync(join(root, `file${nth}`), content);
    return `file${nth}`;
  });
  const { cert: certificate, key: own } = await selfSigned();
  const [cert, key] = [join(dir, "cert.pem"), join(dir, "key.pem")];
  writeFileSync(cert, certificate);
  writeFileSync(key, own);
  return { root, downloads, cert, key, names };
}

function start(
  [command = "", ...args]: readonly string[],
  dir: string,
  children: ChildProcess[],
): { readonly child: ChildProcess; said(): string } {
  const env = {
    ...ENVIRONMENT,
    XDG_DATA_HOME: dir,
    XDG_CONFIG_HOME: dir,
    NODE_COMPILE_CACHE: join(tmpdir(), "touchstone-interop-quic-compiled"),
  };
  const child = spawn(command, args, { cwd: dir, env, stdio: ["ignore", "ignore", "pipe"], detached: true });
  children.push(child);
  let text = "";
  child.stderr!.on("data", (part: Buffer) => (text = (text + String(part)).slice(-2_000)));
  return { child, said: () => reasonIn(text) };
}
/** The line that says most. */
function reasonIn(text: string): string {
  const lines = text.trim().split("\n");
  return (lines.find((line) => /\w*(?:Error|Failed|ERR)\w*:/.test(line)) ?? lines.at(-1) ?? "").slice(0, 160);
}
/** Ends a program and those that it has started, which are in a group of their own. */
function end({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself meanwhile.
  }
}
/** Whether a program has bound a UDP port of 127.0.0.1, which the kernel lists. */
async function isBound(port: number, child: ChildProcess): Promise<boolean> {
  const place = `:${port.toString(16).toUpperCase().padStart(4, "0")} `;
  for (let waited = 0; waited < READY_MS && child.exitCode === null; waited += 50) {
    if (readFileSync("/proc/net/udp", "utf8").includes(place)) return true;
    await pause(50);
  }
  return false;
}
function isSame(one: string, other: string): boolean {
  try {
    return readFileSync(one).equals(readFileSync(other));
  } catch {
    return false;
  }
}
