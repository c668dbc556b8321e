import { afterAll, expect, test } from "vitest";
import { serveRouter } from "./server.ts";
import { Folder, HOW_TO_GET, kill, post, type Posted, ROUTERS, Sink, startPeer } from "./testing.ts";

/** Other routers and we get the same configuration and the same alerts at the same times, and notify in the same way. */

if (ROUTERS.length === 0) console.log(`Notifications are not compared with Alertmanager: it is not installed (${HOW_TO_GET}).`);

const folder = new Folder();
afterAll(() => folder[Symbol.dispose]());

/** Groups are looked at after 1 s and then every 2 s; alerts come in the middle between. */
const configOf = (sink: string, who: string): string => `
route:
  receiver: plain
  group_by: [alertname]
  group_wait: 1s
  group_interval: 2s
  repeat_interval: 1h
  routes:
  - {matchers: ['team=~"x|y"'], receiver: first, continue: true}
  - matchers: ['team="x"']
    receiver: second
    group_by: [alertname, team]
    routes:
    - {matchers: ['deep="yes"'], receiver: deep, group_by: ['...']}
  - {match: {kind: quiet}, receiver: quiet}
  - {match_re: {kind: 'some|cut'}, receiver: cut, group_by: [kind]}
  - {matchers: ['kind="again"'], receiver: again, repeat_interval: 3s}
  - {matchers: ['kind="mute"'], receiver: mute, mute_time_intervals: [always]}
  - {matchers: ['kind="idle"'], receiver: mute, active_time_intervals: [never]}
  - {matchers: ['kind="busy"'], receiver: busy, active_time_intervals: [always]}
  - {matchers: ['kind="fails"'], receiver: fails}
  - {matchers: ['kind="refused"'], receiver: refused}
inhibit_rules:
- {source_matchers: ['severity="high"'], target_matchers: ['severity="low"'], equal: [where]}
receivers:
${["plain", "first", "second", "deep", "again", "mute", "busy", "fails", "refused"].map((name) => `- {name: ${name}, webhook_configs: [{url: "${sink}/${who}/${name}"}]}`).join("\n")}
- {name: quiet, webhook_configs: [{url: "${sink}/${who}/quiet", send_resolved: false}]}
- {name: cut, webhook_configs: [{url: "${sink}/${who}/cut", max_alerts: 1}]}
time_intervals:
- {name: always, time_intervals: [{years: ['2000:2999']}]}
- {name: never, time_intervals: [{years: ['2000']}]}
`;

type Step = readonly [seconds: number, alerts: readonly string[]];
/** Alerts in short: `name key=value …`, with \`-\` before those that end. */
const SCRIPT: readonly Step[] = [
  [
    0,
    [
      "Two i=a",
      "Two i=b",
      "Late i=a",
      "Short i=a",
      "Order job=z instance=1",
      "Order job=a instance=2",
      "Order job=a instance=1 more=x",
      "Order job=a instance=1",
      "Source severity=high where=1",
      "Target severity=low where=1 i=a",
      "Target severity=low where=2 i=b",
      "Team team=x",
      "Team team=y",
      "Team team=x deep=yes i=a",
      "Team team=x deep=yes i=b",
      "Quiet kind=quiet i=a",
      "Quiet kind=quiet i=b",
      "Cut kind=cut i=a",
      "Cut2 kind=cut i=b",
      "Some kind=some",
      "Again kind=again",
      "Mute kind=mute",
      "Idle kind=idle",
      "Busy kind=busy",
      "Fails kind=fails",
      "Refused kind=refused",
      "Silenced i=a",
      'Ünï i=ö\u2028"\\',
    ],
  ],
  [0.4, ["-Short i=a"]],
  [2, ["-Two i=a", "Late i=b", "-Source severity=high where=1", "-Quiet kind=quiet i=a", "-Team team=y"]],
  [4, ["-Two i=b", "-Quiet kind=quiet i=b", "-Late i=a", "Late i=c"]],
  [6, ["Two i=a", "Quiet kind=quiet i=b"]],
];
const END = 7.6;

const alertOf = (text: string, began: number, at: number): Record<string, unknown> => {
  const [name = "", ...pairs] = text.replace(/^-/, "").split(" ");
  const labels = { alertname: name, ...Object.fromEntries(pairs.map((pair) => pair.split("="))) };
  const startsAt = new Date(began).toISOString();
  const endsAt = text.startsWith("-") ? { endsAt: new Date(at).toISOString() } : {};
  return { labels, annotations: { text: `about ${name}` }, startsAt, generatorURL: "http://p/x?y=1", ...endsAt };
};

/** What is compared: everything but addresses, and fields that only newer versions have. */
const compared = (posted: Posted): [string, Posted] => [
  `${posted.path.split("/")[2]} ${posted.groupKey}`,
  without(posted, OTHERWISE) as Posted,
];
const OTHERWISE: ReadonlySet<string> = new Set(["path", "externalURL", "notification_reason", "routeLabels"]);
const without = (value: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
const byGroup = (all: readonly Posted[], who: string): Record<string, Posted[]> => {
  const groups = Object.groupBy(all.filter(({ path }) => path.startsWith(`/${who}/`)).map(compared), ([group]) => group);
  return Object.fromEntries(Object.entries(groups).map(([group, list]) => [group, (list ?? []).map(([, one]) => one)]));
};

test.runIf(ROUTERS.length > 0)("other routers and we send the same notifications, and show the same groups", async () => {
  const sink = await Sink.listen();
  const tries = new Map<string, number>();
  sink.answer = ({ path }) => {
    const count = (tries.get(path) ?? 0) + 1;
    tries.set(path, count);
    if (count > 1) return 200;
    return path.endsWith("/fails") ? 503 : path.endsWith("/refused") ? 400 : 200;
  };
  const peers = await Promise.all(
    ROUTERS.map((program, index) =>
      startPeer(program, folder.write(`${index}.yml`, configOf(sink.url, `peer${index}`)), folder.at(`data-${index}`)),
    ),
  );
  const ours = await serveRouter({
    file: folder.write("ours.yml", configOf(sink.url, "ours")),
    directory: folder.at("own"),
    onNotice: () => {},
  });
  const urls = [ours.url.replace(/\/$/, ""), ...peers.map(({ url }) => url)];
  const silences = await Promise.all(urls.map((url) => silence(url)));
  const began = Date.now();
  const first = new Map<string, number>();
  for (const [seconds, texts] of SCRIPT) {
    await reached(began + seconds * 1_000);
    const at = Date.now();
    const alerts = texts.map((text) => {
      const key = text.replace(/^-/, "");
      if (!text.startsWith("-") && (!first.has(key) || seconds > 5)) first.set(key, at);
      return alertOf(text, first.get(key) ?? at, at);
    });
    expect(new Set(await Promise.all(urls.map((url) => post(url, alerts))))).toEqual(new Set([200]));
    if (seconds === 4) await Promise.all(urls.map((url, index) => fetch(`${url}/api/v2/silence/${silences[index]}`, { method: "DELETE" })));
  }
  await reached(began + END * 1_000);
  const [ownGroups, ...groups] = await Promise.all(
    urls.map(async (url) => comparedGroups((await (await fetch(`${url}/api/v2/alerts/groups`)).json()) as Group[])),
  );
  await ours.close();
  await Promise.all(peers.map(({ child }) => kill(child)));
  await sink.close();
  const own = byGroup(sink.all, "ours");
  expect(Object.keys(own).length).toBeGreaterThan(15);
  for (const [index, theirs] of groups.entries()) {
    expect(ownGroups).toEqual(theirs);
    expect(own).toEqual(byGroup(sink.all, `peer${index}`));
  }
});

async function silence(url: string): Promise<string> {
  const body = {
    matchers: [{ name: "alertname", value: "Sil.*", isRegex: true, isEqual: true }],
    startsAt: new Date(Date.now()).toISOString(),
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
    createdBy: "me",
    comment: "quiet",
  };
  const response = await fetch(`${url}/api/v2/silences`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { silenceID: string }).silenceID;
}

type Group = {
  readonly labels: unknown;
  readonly receiver: { readonly name: string };
  readonly alerts: readonly Record<string, unknown>[];
};
/** The groups of the API without the times that each router notes, and without fields that only newer versions have. */
const comparedGroups = (groups: readonly Group[]): unknown[] =>
  groups.map(({ labels, receiver, alerts }) => ({
    labels,
    receiver: receiver.name,
    // Their order is not published.
    alerts: alerts.toSorted(byFingerprint).map(({ status, receivers, ...rest }) => ({
      ...without(rest, NOTED),
      receivers: (receivers as readonly { readonly name: string }[]).map(({ name }) => name).sort(),
      // Older versions do not say that a time interval mutes an alert.
      state: receiver.name === "mute" ? "" : (status as { readonly state: string }).state,
    })),
  }));

/** Resolves at a moment of the script. */
const reached = (moment: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, Math.max(0, moment - Date.now())));
const NOTED: ReadonlySet<string> = new Set(["updatedAt", "endsAt"]);
const byFingerprint = (a: Record<string, unknown>, b: Record<string, unknown>): number =>
  String(a["fingerprint"]) < String(b["fingerprint"]) ? -1 : 1;
