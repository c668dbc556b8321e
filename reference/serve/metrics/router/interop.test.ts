import { existsSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { serveMetrics } from "../server.ts";
import { freePort } from "../testing.ts";
import { serveRouter } from "./server.ts";
import { Folder, HOW_TO_GET, kill, ready, ROUTERS, Sink, start, startPeer } from "./testing.ts";

/** Our metrics server sends alerts to our router and to those of others, and another metrics server sends alerts to our router. */

const PROMETHEUS = "/usr/bin/prometheus";
if (ROUTERS.length === 0) console.log(`Alerts are not sent to Alertmanager: it is not installed (${HOW_TO_GET}).`);
if (!existsSync(PROMETHEUS))
  console.log("Alerts of prometheus are not received: it is not installed (on Debian: apt-get install prometheus).");

const folder = new Folder();
afterAll(() => folder[Symbol.dispose]());

/** Two alerts: one that always fires, and one that ends once there are more than a few seconds since the start. */
const rules = (until: number): string => `groups:
- name: g
  interval: 1s
  rules:
  - {alert: Always, expr: vector(1), labels: {team: x}, annotations: {text: "{{ $value }} of {{ $externalLabels.region }}"}}
  - {alert: Ends, expr: vector(time()) < ${until}}
`;
const metrics = (name: string, routers: readonly string[]): string => `
global: {external_labels: {region: north}, evaluation_interval: 1s, scrape_interval: 1h}
rule_files: [${name}.rules]
alerting:
  alertmanagers:
  - static_configs: [{targets: [${routers.map((url) => JSON.stringify(new URL(url).host)).join(", ")}]}]
`;
const routing = (url: string): string =>
  `route: {receiver: a, group_by: [alertname], group_wait: 100ms, group_interval: 300ms}\nreceivers: [{name: a, webhook_configs: [{url: "${url}"}]}]\n`;

const ALERT = { labels: { alertname: "Always", region: "north", team: "x" }, annotations: { text: "1 of north" } };
const soon = (seconds: number): number => Math.ceil(Date.now() / 1_000) + seconds;

test("our metrics server: our router and others get the same alerts, and their end", async () => {
  const sink = await Sink.listen();
  const ours = await serveRouter({
    file: folder.write("own.yml", routing(`${sink.url}/own`)),
    directory: folder.at("own"),
    onNotice: () => {},
  });
  const peers = await Promise.all(
    ROUTERS.map((program, at) => startPeer(program, folder.write(`${at}.yml`, routing(`${sink.url}/${at}`)), folder.at(`data-${at}`))),
  );
  folder.write("a.rules", rules(soon(3)));
  const file = folder.write("a.yml", metrics("a", [ours.url, ...peers.map(({ url }) => url)]));
  const server = await serveMetrics({ directory: folder.at("metrics"), scrape: { file, onNotice: () => {} } });
  const who = ["/own", ...peers.map((_, at) => `/${at}`)];
  const news = ["firing Always", "firing Ends", "resolved Ends"];
  const seenBy = (path: string): Set<string> =>
    new Set(sink.all.filter((one) => one.path === path).map(({ status, alerts }) => `${status} ${alerts[0]?.labels["alertname"]}`));
  await sink.until(() => who.every((path) => news.every((one) => seenBy(path).has(one))));
  const always = who.map((path) => sink.all.find((one) => one.path === path && one.alerts[0]?.labels["alertname"] === "Always")?.alerts);
  expect(always[0]).toMatchObject([ALERT]);
  for (const alerts of always) expect(alerts).toEqual(always[0]);
  const links = (await (await fetch(`${server.url}api/v1/alertmanagers`)).json()) as { data: { activeAlertmanagers: unknown[] } };
  expect(links.data.activeAlertmanagers).toHaveLength(who.length);
  await server.close();
  await ours.close();
  await Promise.all(peers.map(({ child }) => kill(child)));
  await sink.close();
});

test.runIf(existsSync(PROMETHEUS))("prometheus: our router gets its alerts, and their end", async () => {
  const sink = await Sink.listen();
  const ours = await serveRouter({ file: folder.write("r.yml", routing(sink.url)), directory: folder.at("r"), onNotice: () => {} });
  // It looks for routers after five seconds, and drops alerts until then.
  folder.write("b.rules", rules(soon(9)));
  const port = await freePort();
  const program = start(PROMETHEUS, [
    `--config.file=${folder.write("b.yml", metrics("b", [ours.url]))}`,
    `--storage.tsdb.path=${folder.at("prometheus")}`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--rules.alert.resend-delay=1s",
    "--log.level=error",
  ]);
  await ready(`http://127.0.0.1:${port}/-/ready`, program);
  await sink.until((all) => all.some(({ status }) => status === "resolved"));
  const names = sink.all.map(({ status, alerts }) => `${status} ${alerts[0]?.labels["alertname"]}`);
  expect(new Set(names)).toEqual(new Set(["firing Always", "firing Ends", "resolved Ends"]));
  expect(sink.all.find(({ alerts }) => alerts[0]?.labels["alertname"] === "Always")?.alerts).toMatchObject([ALERT]);
  await kill(program.child);
  await ours.close();
  await sink.close();
});
