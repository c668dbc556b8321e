import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** How to install the peer. */
export const PROMETHEUS_INSTALL = "prometheus is not installed: apt-get install prometheus (Debian)";

/** The version of the installed Prometheus, if any. */
export function prometheusVersion(): string | undefined {
  try {
    return /version ([\d.]+)/.exec(execFileSync("prometheus", ["--version"], { encoding: "utf8", stdio: "pipe" }))?.[1];
  } catch {
    return undefined;
  }
}

/** The installed Prometheus, running on a data directory. */
export class Peer {
  readonly #child: ChildProcess;
  /** With a slash at the end. */
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(directory: string): Promise<Peer> {
    const port = await freePort();
    const config = `${directory}.yml`;
    writeFileSync(config, "global:\n  scrape_interval: 1h\n");
    const flags = [`--config.file=${config}`, `--storage.tsdb.path=${directory}`, "--storage.tsdb.retention.time=100y"];
    const child = spawn("prometheus", [...flags, "--web.enable-admin-api", `--web.listen-address=127.0.0.1:${port}`, "--log.level=error"], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const peer = new Peer(child, `http://127.0.0.1:${port}/`);
    while (!(await peer.#isReady())) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error("prometheus ended before it was ready");
      await pause(50);
    }
    return peer;
  }

  async #isReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}-/ready`).catch(() => undefined);
    return answer?.ok === true;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
