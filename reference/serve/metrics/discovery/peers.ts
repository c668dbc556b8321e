import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveMetrics } from "../index.ts";
import { freePort } from "../testing.ts";

/** Servers of other authors whose discovery ours is compared with. */

/** Prometheus 3 with its discovery: the peer of `conformance/peers/prometheus-3` is built without, because that takes minutes more. */
const MODERN = join(tmpdir(), `touchstone-peers-${process.getuid?.() ?? 0}`, "touchstone-prometheus-3.16.0-sd");
const TAGS = "remove_all_sd,enable_dns_sd,enable_consul_sd,enable_kubernetes_sd,enable_aws_sd";

export const PEERS = [
  {
    name: "the distribution's prometheus",
    program: "/usr/bin/prometheus",
    isModern: false,
    install: "on Debian: apt-get install prometheus",
  },
  {
    name: "prometheus 3.16",
    program: MODERN,
    isModern: true,
    install: `in the module github.com/prometheus/prometheus@v0.316.0: GOWORK=off go build -tags ${TAGS} -o ${MODERN} ./cmd/prometheus`,
  },
] as const;

/** The peers that are installed; a line says how to get another one. */
export const presentPeers = (): readonly (typeof PEERS)[number][] =>
  PEERS.filter(({ name, program, install }) => {
    if (!existsSync(program)) console.log(`Discovery is not compared with ${name}: it is not installed (${install}).`);
    return existsSync(program);
  });

/** A server that discovers; `targets` are the labels of its targets before relabelling, in a fixed order. */
export type Discovering = AsyncDisposable & { targets(): Promise<readonly Record<string, string>[]> };

/** Whether a label comes from discovery; others come from the settings of the job. */
const isDiscovered = (name: string): boolean => !name.startsWith("__") || name === "__address__" || name.startsWith("__meta_");
async function targetsAt(url: string): Promise<readonly Record<string, string>[]> {
  const answer = await fetch(`${url}api/v1/targets`).catch(() => undefined);
  if (answer?.ok !== true) return [];
  const { data } = (await answer.json()) as { data: { activeTargets: { discoveredLabels: Record<string, string> }[] } };
  const sorted = data.activeTargets.map(({ discoveredLabels }) =>
    Object.entries(discoveredLabels)
      .filter(([name]) => isDiscovered(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return sorted.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)).map((labels) => Object.fromEntries(labels));
}

/** Whether a process may have a resolv.conf of its own, and a server of DNS its port: both need privileges. */
export const canResolve = (): boolean => process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0;

/** Starts a peer with a configuration, and with a server of DNS in place of those of the system. */
export async function peerWith(program: string, config: string, nameserver?: string): Promise<Discovering> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-sd-peer-"));
  const port = await freePort();
  writeFileSync(join(folder, "metrics.yml"), config);
  const flags = [`--config.file=${folder}/metrics.yml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`];
  writeFileSync(join(folder, "resolv.conf"), `nameserver ${nameserver}\n`);
  const own = `mount --bind ${folder}/resolv.conf /etc/resolv.conf && exec "$0" "$@"`;
  const [command, ...before] = nameserver === undefined ? [program] : ["unshare", "--mount", "sh", "-c", own, program];
  const child: ChildProcess = spawn(command, [...before, ...flags, "--log.level=error"], {
    stdio: ["ignore", "ignore", "inherit"],
    // With this variable the discovery of instances of Prometheus 3.16 does not start.
    env: { ...process.env, AWS_CA_BUNDLE: undefined },
  });
  return {
    targets: () => targetsAt(`http://127.0.0.1:${port}/`),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts our server with a configuration. */
export async function oursWith(config: string): Promise<Discovering> {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-sd-ours-"));
  writeFileSync(join(folder, "metrics.yml"), config);
  const scrape = { file: join(folder, "metrics.yml"), onNotice: () => {} };
  const server = await serveMetrics({ directory: join(folder, "data"), graceMs: 100, storage: { walSync: "never" }, scrape });
  return {
    targets: () => targetsAt(server.url),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
