import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { When } from "./script.ts";

/** How to install Prometheus. */
export const PROMETHEUS_INSTALL = "prometheus and promtool are not here: apt-get install prometheus (Debian)";

/** An answer of the query API: series with their samples as text, or an error. */
export type Answer =
  | {
      readonly is: "series";
      readonly series: readonly { readonly labels: Readonly<Record<string, string>>; readonly samples: readonly [number, string][] }[];
    }
  | { readonly is: "failure"; readonly message: string };

type Metric = {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: [number, string];
  readonly values?: [number, string][];
};
type Envelope = {
  readonly status: string;
  readonly error?: string;
  readonly data:
    | { readonly resultType: "scalar"; readonly result: [number, string] }
    | { readonly resultType: "vector" | "matrix"; readonly result: readonly Metric[] };
};

const READY_TRIES = 300;
const READY_PAUSE_MS = 100;

/** The installed Prometheus server with given samples, queried over its API. */
export class Prometheus {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #origin: string;

  private constructor(child: ChildProcess, folder: string, origin: string) {
    this.#child = child;
    this.#folder = folder;
    this.#origin = origin;
  }

  /** The installed version; undefined if there is none. */
  static version(): string | undefined {
    try {
      execFileSync("promtool", ["--version"], { stdio: "pipe" });
      return /version ([\d.]+)/.exec(execFileSync("prometheus", ["--version"], { encoding: "utf8", stdio: "pipe" }))?.[1];
    } catch {
      return undefined;
    }
  }

  /** Starts the server with the samples of an OpenMetrics page. */
  static async start(page: string): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), "touchstone-prometheus-"));
    const data = join(folder, "data");
    mkdirSync(data);
    writeFileSync(join(folder, "page"), page);
    writeFileSync(join(folder, "prometheus.yml"), "global:\n  evaluation_interval: 1m\n");
    execFileSync("promtool", ["tsdb", "create-blocks-from", "openmetrics", join(folder, "page"), data], { stdio: "pipe" });
    const port = await freePort();
    const flags = [`--config.file=${join(folder, "prometheus.yml")}`, `--storage.tsdb.path=${data}`, "--storage.tsdb.retention.time=100y"];
    const child = spawn("prometheus", [...flags, `--web.listen-address=127.0.0.1:${port}`, "--log.level=error"], { stdio: "ignore" });
    const started = new Prometheus(child, folder, `http://127.0.0.1:${port}`);
    for (let tries = 0; tries < READY_TRIES; tries++) {
      const answer = await fetch(`${started.#origin}/-/ready`).catch(() => undefined);
      if (answer?.ok === true) return started;
      await new Promise((resolve) => setTimeout(resolve, READY_PAUSE_MS));
    }
    await started.stop();
    throw new Error("prometheus did not become ready");
  }

  async ask(query: string, when: When): Promise<Answer> {
    const range = when.is === "range";
    const seconds = (ms: number): string => String(ms / 1_000);
    const times = range
      ? { start: seconds(when.startMs), end: seconds(when.endMs), step: seconds(when.stepMs) }
      : { time: seconds(when.atMs) };
    const body = new URLSearchParams({ query, ...times });
    const response = await fetch(`${this.#origin}/api/v1/${range ? "query_range" : "query"}`, { method: "POST", body });
    const { status, error, data } = (await response.json()) as Envelope;
    if (status !== "success") return { is: "failure", message: error ?? "" };
    if (data.resultType === "scalar") return { is: "series", series: [{ labels: {}, samples: [data.result] }] };
    const series = data.result.map(({ metric, value, values }) => ({
      labels: metric,
      samples: values ?? (value === undefined ? [] : [value]),
    }));
    return { is: "series", series };
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill();
    await ended;
    rmSync(this.#folder, { recursive: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
