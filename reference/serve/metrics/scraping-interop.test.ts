import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { serveMetrics } from "./index.ts";
import { freePort } from "./testing.ts";

/** Debian's prometheus and we scrape the same targets, each other among them, and store the same series. */

const PROMETHEUS = "/usr/bin/prometheus";
const isHere = existsSync(PROMETHEUS);
if (!isHere) console.log("Scrapes are not compared with those of prometheus: it is not installed (on Debian: apt-get install prometheus).");

const folder = mkdtempSync(join(tmpdir(), "touchstone-scrapes-"));
let peer: ChildProcess | undefined;
afterAll(() => {
  peer?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const names = async (url: string, job: string): Promise<string[]> => {
  const { data } = (await (await fetch(`${url}api/v1/series?match[]={job="${job}"}`)).json()) as { data: Record<string, string>[] };
  return data.map((labels) => JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))).sort();
};
/** What the last scrape says about itself. */
const counts = async (url: string, job: string): Promise<string[]> => {
  const expr = `{__name__=~"up|scrape_samples_.*",job="${job}"}`;
  const answer = (await (await fetch(`${url}api/v1/query?query=${encodeURIComponent(expr)}`)).json()) as {
    data: { result: { metric: Record<string, string>; value: [number, string] }[] };
  };
  return answer.data.result.map(({ metric, value }) => `${metric["__name__"]} ${value[1]}`).sort();
};

test.runIf(isHere)("two servers with one configuration store the same series", async () => {
  const [theirs, ours] = [await freePort(), await freePort()];
  const file = join(folder, "metrics.yml");
  writeFileSync(
    file,
    `global: {scrape_interval: 2s, scrape_timeout: 1900ms}
scrape_configs:
  - job_name: theirs
    static_configs: [{targets: ["127.0.0.1:${theirs}"], labels: {handler: own}}]
    relabel_configs:
      - {source_labels: [__address__], modulus: 7, target_label: shard, action: hashmod}
    metric_relabel_configs:
      - {source_labels: [__name__], regex: "go_.*", action: drop}
      - {regex: "(exported_.*)", replacement: "their_$1", action: labelmap}
      - {regex: "exported_.*", action: labeldrop}
  - job_name: ours
    honor_labels: true
    static_configs: [{targets: ["127.0.0.1:${ours}"]}]
`,
  );
  peer = spawn(
    PROMETHEUS,
    [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, "theirs")}`, `--web.listen-address=127.0.0.1:${theirs}`],
    { stdio: "ignore" },
  );
  await using server = await serveMetrics({
    directory: join(folder, "ours"),
    port: ours,
    graceMs: 100,
    scrape: { file, onNotice: () => {} },
  });
  const other = `http://127.0.0.1:${theirs}/`;
  await expect
    .poll(() =>
      fetch(`${other}-/ready`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  const jobs = ["theirs", "ours"];
  // Prometheus begins to scrape five seconds after its start. Each kind of question makes series of its own in its page.
  for (const job of jobs) await expect.poll(() => counts(other, job), { interval: 500 }).toContain("up 1");
  const differ = async (): Promise<unknown[]> => {
    const pairs = await Promise.all(
      jobs.flatMap((job) => [names, counts].map((ask) => Promise.all([ask(other, job), ask(server.url, job)]))),
    );
    return pairs.flatMap(([a, b]) => [...a.filter((one) => !b.includes(one)), ...b.filter((one) => !a.includes(one))]);
  };
  await expect.poll(differ, { interval: 1_000 }).toEqual([]);
  expect((await names(server.url, "theirs")).length).toBeGreaterThan(200);
  expect(await counts(server.url, "ours")).toContain("up 1");
});
