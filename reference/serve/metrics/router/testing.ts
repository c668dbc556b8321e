import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../testing.ts";

/** What the tests of a router need around it: receivers of webhooks, folders, other routers. */

/** A notification as a receiver gets it. */
export type Posted = {
  readonly path: string;
  readonly status: string;
  readonly receiver: string;
  readonly groupKey: string;
  readonly alerts: readonly {
    readonly status: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly startsAt: string;
    readonly endsAt: string;
    readonly fingerprint: string;
  }[];
  readonly [field: string]: unknown;
};

/** Receives webhooks. */
export class Sink {
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();
  readonly all: Posted[] = [];
  /** The status of the answer to a notification. */
  answer: (posted: Posted) => number = () => 200;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async listen(): Promise<Sink> {
    const server = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (part: string) => (text += part));
      request.on("end", () => {
        const posted = { ...(JSON.parse(text) as Posted), path: request.url ?? "" };
        sink.all.push(posted);
        response.writeHead(sink.answer(posted)).end();
        for (const look of sink.#waiting) look();
      });
    });
    const sink = new Sink(server);
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    return sink;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves once the notifications so far are as asked. */
  until(isDone: (all: readonly Posted[]) => boolean): Promise<readonly Posted[]> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isDone(this.all)) return;
        this.#waiting.delete(look);
        resolve(this.all);
      };
      this.#waiting.add(look);
      look();
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A folder that is removed in the end. */
export class Folder implements Disposable {
  readonly path: string = mkdtempSync(join(tmpdir(), "touchstone-router-"));
  write(name: string, text: string): string {
    const path = join(this.path, name);
    writeFileSync(path, text);
    return path;
  }
  at(name: string): string {
    return join(this.path, name);
  }
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** A program with its output, up to now. */
export type Program = { readonly child: ChildProcess; readonly output: () => string };
export function start(command: string, args: readonly string[]): Program {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (part: string) => (text += part));
  return { child, output: () => text };
}

/** Ends a program at once. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

/** Resolves once a program answers with 200 at an address. */
export async function ready(url: string, { child, output }: Program): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended: ${output()}`);
    const response = await fetch(url).catch(() => undefined);
    await response?.text();
    if (response?.status === 200) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The routers of others on this machine: that of Debian, and one built from its Go module. */
const BUILT = join(tmpdir(), `touchstone-peers-${process.getuid?.() ?? 0}`, "alertmanager");
export const ROUTERS: readonly string[] = ["/usr/bin/prometheus-alertmanager", join(BUILT, "alertmanager")].filter((path) =>
  existsSync(path),
);
export const AMTOOLS: readonly string[] = ["/usr/bin/amtool", join(BUILT, "amtool")].filter((path) => existsSync(path));
export const HOW_TO_GET = "on Debian: apt-get install prometheus-alertmanager; a current one: ci/peers.sh builds it, if Go is there";

/** Starts another router with a configuration. */
export async function startPeer(
  program: string,
  config: string,
  directory: string,
): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = start(program, [
    `--config.file=${config}`,
    `--storage.path=${directory}`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--cluster.listen-address=",
    "--log.level=error",
  ]);
  await ready(`${url}/-/ready`, started);
  return { url, child: started.child };
}

/** Posts alerts. */
export async function post(url: string, alerts: readonly unknown[]): Promise<number> {
  const { status } = await fetch(`${url}/api/v2/alerts`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(alerts),
  });
  return status;
}
