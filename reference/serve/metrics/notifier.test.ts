import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { loadConfig } from "../../metrics/config/index.ts";
import { Labels } from "../../metrics/model/index.ts";
import type { Notification } from "../../metrics/rules/index.ts";
import { serveMetrics } from "./index.ts";
import { Notifier } from "./notifier.ts";
import { freePort } from "./testing.ts";

const note = (name: string, labels: Record<string, string> = {}): Notification => ({
  labels: Labels.of({ ...labels, alertname: name }),
  annotations: Labels.of({ summary: "s" }),
  startsAt: 1_000,
  endsAt: 2_000,
  generatorUrl: "http://x/graph",
});

type Got = {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly alerts: readonly { readonly labels: Record<string, string> }[];
};
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of cleanups.splice(0).reverse()) await one();
});

/** A router that answers with the statuses in turn, and then with the last. */
async function router(...statuses: number[]): Promise<{ readonly address: string; readonly got: Got[] }> {
  const got: Got[] = [];
  const server: Server = createServer((request, response) => {
    let text = "";
    request.on("data", (piece) => (text += String(piece)));
    request.on("end", () => {
      got.push({ url: request.url ?? "", authorization: request.headers.authorization, alerts: JSON.parse(text) as Got["alerts"] });
      response.writeHead(statuses.length > 1 ? statuses.shift()! : statuses[0]!).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => (server.closeAllConnections(), server.close()));
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

async function notifierFor(alerting: string, notices: string[] = [], external = "{}"): Promise<Notifier> {
  const { config, problems } = loadConfig(`global: {external_labels: ${external}}\nalerting:\n${alerting}`, { file: "m.yml" });
  expect(problems).toEqual([]);
  const notifier = new Notifier((message) => notices.push(message));
  await notifier.apply(config!);
  cleanups.push(() => notifier.close());
  return notifier;
}

describe("a notifier", () => {
  test("posts alerts with external labels to every router, as the configuration says", async () => {
    const [one, two] = [await router(200), await router(200)];
    const notifier = await notifierFor(
      `  alert_relabel_configs: [{regex: secret, action: labeldrop}, {source_labels: [alertname], regex: Quiet, action: drop}]
  alertmanagers:
  - {static_configs: [{targets: ["${one.address}"]}], path_prefix: /am/, basic_auth: {username: u, password: p}}
  - static_configs: [{targets: ["${two.address}", "10.0.0.1:1"]}]
    relabel_configs: [{source_labels: [__address__], regex: "10.*", action: drop}]
    alert_relabel_configs: [{target_label: extra, replacement: x}]
`,
      [],
      "{region: eu, team: ours}",
    );
    notifier.send([note("A", { secret: "s", team: "theirs" }), note("Quiet")]);
    await expect.poll(() => [one.got.length, two.got.length]).toEqual([1, 1]);
    expect(one.got[0]).toMatchObject({ url: "/am/api/v2/alerts", authorization: "Basic dTpw" });
    expect(one.got[0]?.alerts).toEqual([
      {
        labels: { alertname: "A", region: "eu", team: "theirs" },
        annotations: { summary: "s" },
        startsAt: "1970-01-01T00:00:01.000Z",
        endsAt: "1970-01-01T00:00:02.000Z",
        generatorURL: "http://x/graph",
      },
    ]);
    expect(two.got[0]?.alerts[0]?.labels).toEqual({ alertname: "A", region: "eu", team: "theirs", extra: "x" });
    expect(notifier.active).toEqual([`http://${one.address}/am/api/v2/alerts`, `http://${two.address}/api/v2/alerts`]);
    expect(notifier.dropped).toEqual(["http://10.0.0.1:1/api/v2/alerts"]);
  });
  test("a router that answers 500 gets the alerts again, with one notice; the other is not held up", async () => {
    const notices: string[] = [];
    const [broken, good] = [await router(500, 503, 200), await router(200)];
    const notifier = await notifierFor(
      `  alertmanagers: [{static_configs: [{targets: ["${broken.address}", "${good.address}"]}]}]\n`,
      notices,
    );
    notifier.send([note("A")]);
    await expect.poll(() => good.got.length).toBe(1);
    await expect.poll(() => notifier.links.map(({ queue }) => queue.sent)).toEqual([0, 1]);
    await expect.poll(() => broken.got.length).toBe(3);
    await expect
      .poll(() => notifier.links.map(({ queue }) => [queue.sent, queue.errors, queue.length]))
      .toEqual([
        [1, 2, 0],
        [1, 0, 0],
      ]);
    expect(notices).toEqual([`alert router http://${broken.address}/api/v2/alerts: it answers with 500`]);
  });
  test("a router that refuses alerts does not get them again", async () => {
    const bad = await router(400);
    const notifier = await notifierFor(`  alertmanagers: [{static_configs: [{targets: ["${bad.address}"]}]}]\n`);
    notifier.send([note("A")]);
    await expect.poll(() => notifier.links.map(({ queue }) => [queue.dropped, queue.length])).toEqual([[1, 0]]);
    expect(bad.got).toHaveLength(1);
  });
  test("a configuration with the same routers keeps what waits for them", async () => {
    const broken = await router(500);
    const text = `  alertmanagers: [{static_configs: [{targets: ["${broken.address}"]}]}]\n`;
    const notifier = await notifierFor(text);
    notifier.send([note("A")]);
    await expect.poll(() => notifier.links[0]?.queue.errors).toBe(1);
    await notifier.apply(loadConfig(`alerting:\n${text}`, { file: "m.yml" }).config!);
    expect(notifier.links[0]?.queue.length).toBe(1);
  });
});

const ALERTMANAGER = "/usr/bin/prometheus-alertmanager";
const isHere = existsSync(ALERTMANAGER);
if (!isHere) console.log("Alerts are not sent to alertmanager: it is not installed (on Debian: apt-get install prometheus-alertmanager).");

test.runIf(isHere)(
  "alertmanager gets firing alerts and their ends, beside a router that is not there",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "touchstone-alerts-"));
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const [port, nobody] = [await freePort(), await freePort()];
    writeFileSync(join(folder, "am.yml"), "route: {receiver: none}\nreceivers: [{name: none}]\n");
    const peer: ChildProcess = spawn(
      ALERTMANAGER,
      [
        `--config.file=${join(folder, "am.yml")}`,
        `--storage.path=${join(folder, "am")}`,
        `--web.listen-address=127.0.0.1:${port}`,
        "--cluster.listen-address=",
      ],
      { stdio: "ignore" },
    );
    cleanups.push(() => peer.kill("SIGKILL"));
    const rules = (expr: string): void =>
      writeFileSync(
        join(folder, "a.rules"),
        `groups: [{name: g, interval: 1s, rules: [{alert: Here, expr: '${expr}', labels: {severity: page}, annotations: {v: "{{ $value }}"}}]}]`,
      );
    rules("vector(7)");
    const file = join(folder, "metrics.yml");
    writeFileSync(
      file,
      `global: {external_labels: {region: eu}}
rule_files: [a.rules]
alerting: {alertmanagers: [{static_configs: [{targets: ["127.0.0.1:${nobody}", "127.0.0.1:${port}"]}]}]}
`,
    );
    const alerts = async (): Promise<unknown[]> =>
      ((await (await fetch(`http://127.0.0.1:${port}/api/v2/alerts`)).json()) as Record<string, unknown>[]).map(
        ({ labels, annotations, generatorURL }) => ({
          labels,
          annotations,
          generatorURL,
        }),
      );
    await expect
      .poll(() =>
        alerts().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await using server = await serveMetrics({
      directory: join(folder, "data"),
      port: 0,
      graceMs: 100,
      scrape: { file, externalUrl: "http://x.example/p/", onNotice: () => {} },
    });
    await expect.poll(alerts).toEqual([
      {
        labels: { alertname: "Here", region: "eu", severity: "page" },
        annotations: { v: "7" },
        generatorURL: "http://x.example/p/graph?g0.expr=vector%287%29&g0.tab=1",
      },
    ]);
    rules("vector(7) < 0");
    await server.reload();
    await expect.poll(alerts).toEqual([]);
  },
  60_000,
);
