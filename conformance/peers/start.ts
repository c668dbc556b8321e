import { execFile, spawn, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { makeCertificate } from "../../reference/io/index.ts";
import { environment, fill, fixedValues, versionOf, type Peer } from "./registry.ts";
import { freePort } from "./port.ts";

/** A started peer: its addresses, and how to stop it. */
export type RunningPeer = AsyncDisposable & {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly port: number;
  /** The address where a proxy speaks HTTP/2, if it is another one. */
  readonly http2Url?: string;
  readonly pid: number;
  stop(): Promise<void>;
};

/** The files that every server serves: a small page, and files of 1 and 10 MiB. */
const CONTENT: Readonly<Record<string, () => string | Buffer>> = {
  "index.html": () => "<!doctype html><title>Touchstone</title><p>Touchstone looks at this answer.\n",
  "1m": () => Buffer.alloc(1 << 20, "touchstone "),
  "10m": () => Buffer.alloc(10 << 20, "touchstone "),
};

const READY_MS = 60_000;
const STOP_MS = 3_000;
/** The largest peer is a whole server with hundreds of packages. */
const BUILD_MS = 1_800_000;

/** `protocol` is the name of a suite. The default transport is clear text. An `origin` (host and port) starts the peer as a reverse proxy to it. */
export type StartOptions = { readonly protocol: string; readonly tls?: boolean; readonly origin?: string };

/** Starts an installed server or proxy on a free loopback port, and returns once it accepts connections. */
export async function startPeer(p: Peer, options: StartOptions): Promise<RunningPeer> {
  const { origin } = options;
  const transport = options.tls === true ? "tls" : "clear";
  const role = origin === undefined ? "server" : "proxy";
  const spec = p.speaks[options.protocol]?.[role];
  const command = spec?.[transport];
  if (command === undefined)
    throw new Error(`${p.name} has no ${options.protocol} ${role} for ${transport === "tls" ? "TLS" : "clear text"}.`);
  const version = await versionOf(p);
  if (version === undefined) throw new Error(`${p.name} is not installed here: ${p.install}.`);
  const dir = mkdtempSync(join(tmpdir(), `touchstone-${p.name}-`));
  try {
    const values = {
      ...fixedValues(p),
      ...(await place(dir, transport)),
      ...(origin !== undefined && { origin, originPort: origin.split(":").at(-1) ?? "" }),
      dir,
      cache: cacheFolder(),
      port: String(await freePort()),
      ...(origin !== undefined && { http2Port: String(await freePort()) }),
    };
    await build(spec?.build, values);
    const templates = (spec?.files ?? []).map((file) => [file, forTransport(readFileSync(join(p.here, file), "utf8"), transport)] as const);
    for (const [file, text] of templates) writeFileSync(join(dir, file), fill(text, values));
    const hasHttp2Port = [...command, ...templates.map(([, text]) => text)].some((text) => text.includes("{http2Port}"));
    const [program = "", ...args] = command.map((word) => fill(word, values));
    const extra = Object.entries(spec?.environment ?? {}).map(([name, value]) => [name, fill(value, values)]);
    const child = spawn(program, args, {
      cwd: dir,
      env: { ...environment(), ...Object.fromEntries(extra) },
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    });
    const stderr = collect(child);
    const port = Number(values.port);
    const why = (): string => `${p.name} did not start: ${stderr().trim().split("\n").at(-1) ?? "it printed nothing"}`;
    await ready(child, port, why);
    if (hasHttp2Port && values.http2Port !== undefined) await ready(child, Number(values.http2Port), why);
    const stop = async (): Promise<void> => {
      await end(child);
      rmSync(dir, { recursive: true, force: true });
    };
    const at = (where: number | string): string => `${transport === "tls" ? "https" : "http"}://127.0.0.1:${where}/`;
    const http2 = hasHttp2Port && values.http2Port !== undefined ? { http2Url: at(values.http2Port) } : {};
    return { name: p.name, version, url: at(port), port, ...http2, pid: child.pid ?? 0, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

/** The command of an installed client for `check --client`. Builds the client if necessary. */
export const clientCommand = (p: Peer, protocol: string): Promise<string> => builtCommand(p, protocol, "client");
/** The command of an installed server for `check --server`. Builds the server if necessary. */
export const serverCommand = (p: Peer, protocol: string): Promise<string> => builtCommand(p, protocol, "server");

async function builtCommand(p: Peer, protocol: string, role: "client" | "server"): Promise<string> {
  const spec = p.speaks[protocol]?.[role];
  if (spec?.command === undefined) throw new Error(`${p.name} has no ${protocol} ${role} that is started by a command.`);
  const values = { ...fixedValues(p), cache: cacheFolder() };
  await build(spec.build, values);
  return fill(spec.command, values);
}

const forTransport = (template: string, transport: "tls" | "clear"): string =>
  template
    .split("\n")
    .filter((line) => !line.startsWith(transport === "tls" ? "#clear " : "#tls "))
    .map((line) => line.replace(/^#(?:tls|clear) /, ""))
    .join("\n");

async function place(dir: string, transport: "tls" | "clear"): Promise<Record<string, string>> {
  const root = join(dir, "root");
  mkdirSync(root);
  // Servers that drop root's privileges must still be able to read these files and write beside them.
  chmodSync(dir, 0o777);
  for (const [name, make] of Object.entries(CONTENT)) writeFileSync(join(root, name), make());
  const values: Record<string, string> = { root, scheme: transport === "tls" ? "https" : "http" };
  if (transport === "clear") return values;
  const made = await makeCertificate({ name: "localhost", key: "rsa", hosts: { dns: ["localhost"], ip: ["127.0.0.1"] } });
  for (const [name, text] of [
    ["cert", made.cert],
    ["key", made.key],
    ["pem", `${made.cert}\n${made.key}\n`],
  ] as const) {
    values[name] = join(dir, `${name}.pem`);
    writeFileSync(join(dir, `${name}.pem`), text);
  }
  return values;
}

const cacheFolder = (): string => {
  const folder = join(tmpdir(), `touchstone-peers-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
};

async function build(command: readonly string[] | undefined, values: Readonly<Record<string, string>>): Promise<void> {
  if (command === undefined) return;
  const [program = "", ...args] = command.map((word) => fill(word, values));
  const output = args.indexOf("-o");
  const product = output === -1 ? undefined : args[output + 1];
  if (product !== undefined && existsSync(product)) return;
  await promisify(execFile)(program, args, { env: environment(), timeout: BUILD_MS });
}

function collect(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => (text = (text + chunk.toString("utf8")).slice(-4_000)));
  return () => text;
}

async function ready(child: ChildProcess, port: number, why: () => string): Promise<void> {
  let failed: Error | undefined;
  child.once("error", (error) => (failed = error));
  for (let waited = 0; waited < READY_MS; waited += 25) {
    if (failed !== undefined) throw failed;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(why());
    if (await accepts(port)) return;
    await pause(25);
  }
  await end(child);
  throw new Error(why());
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });

/** Ends the whole process group: some servers leave workers behind. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  signal(child.pid, "SIGTERM");
  await Promise.race([gone, pause(STOP_MS, undefined, { ref: false })]);
  if (child.exitCode === null && child.signalCode === null) {
    signal(child.pid, "SIGKILL");
    await gone;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
