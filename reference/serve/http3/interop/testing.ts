import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pythonWith } from "../../../io/testing.ts";

/** Software with HTTP/3 that nobody here wrote: its servers echo, its clients report what they got. */

/** Method, path, and octets of content. */
export type Asked = readonly [method: string, path: string, octets: number];
type Identity = { readonly cert: string; readonly key: string };

const open: (() => void)[] = [];
/** Ends what the tests have started. */
export function endPeers(): void {
  for (const close of open.splice(0).toReversed()) close();
}
/** A program of the peers, which ends with the test. */
export function start(command: string, args: readonly string[]): ChildProcess {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  child.stderr.pipe(process.stderr);
  open.push(() => void child.kill());
  return child;
}
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "touchstone-http3-"));
  open.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A program that takes its configuration as JSON, and answers in lines. */
export type Peer = {
  readonly name: string;
  /** Starts a server, and returns its port. */
  serve(identity: Identity, more?: object): Promise<number>;
  /** Sends requests, and returns a line of JSON for each; `again` are those of a second connection, which resumes the first. */
  ask(port: number, cert: string, requests: readonly Asked[], again?: readonly Asked[]): Promise<readonly Record<string, unknown>[]>;
};

function peerOf(name: string, command: string, before: readonly string[]): Peer {
  return {
    name,
    serve: async (identity, more) => {
      const child = start(command, [...before, JSON.stringify({ is: "server", ...identity, ...more })]);
      const [line] = (await once(createInterface({ input: child.stdout! }), "line")) as [string];
      return Number(line);
    },
    ask: async (port, cert, requests, again = []) => {
      const config = { is: "client", cert, port, url: `https://127.0.0.1:${port}`, requests, again };
      const child = start(command, [...before, JSON.stringify(config)]);
      const lines: Record<string, unknown>[] = [];
      createInterface({ input: child.stdout! }).on("line", (line) => void lines.push(JSON.parse(line) as Record<string, unknown>));
      await once(child, "close");
      return lines;
    },
  };
}

const python = pythonWith("aioquic");
const AIOQUIC = python === undefined ? undefined : peerOf("aioquic", python, [join(import.meta.dirname, "aioquic-peer.py")]);
if (AIOQUIC === undefined) console.log("HTTP/3 is not compared with aioquic: it is not installed (bash ci/peers.sh).");

/** Builds the program of `go/`; Go keeps what it has built. */
function goPeer(): Peer | undefined {
  const into = join(tmpdir(), `touchstone-peers-${process.getuid?.() ?? 0}`, "touchstone-quic-go");
  const built = spawnSync("go", ["build", "-o", into, "."], { cwd: join(import.meta.dirname, "go"), timeout: 120_000 });
  return built.status === 0 ? peerOf("quic-go", into, []) : undefined;
}
const QUIC_GO = goPeer();
if (QUIC_GO === undefined)
  console.log("HTTP/3 is not compared with quic-go: it wants Go, and its modules (cd reference/serve/http3/interop/go; go build).");

/** Undefined for one that is not installed. */
export const PEERS: Readonly<Record<string, Peer | undefined>> = { aioquic: AIOQUIC, "quic-go": QUIC_GO };

const has = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0;
export const CADDY = has("caddy", "version") ? "caddy" : undefined;
if (CADDY === undefined) console.log("HTTP/3 is not compared with caddy: it is not installed (bash ci/peers.sh).");
export const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
if (CHROMIUM === undefined) console.log("HTTP/3 is not tested in a browser: there is no chromium here (bash ci/peers.sh).");
