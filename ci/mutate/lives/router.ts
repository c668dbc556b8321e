import { Labels } from "../../../reference/metrics/model/index.ts";
import { finish, type Work } from "../../../reference/metrics/promql/index.ts";
import { type DeliveryOutcome, waitAfter } from "../../../reference/metrics/router/delivery.ts";
import { matchersText, readMatchers } from "../../../reference/metrics/router/matcher-text.ts";
import { webhookJson } from "../../../reference/metrics/router/payload.ts";
import type { Integration, RouterPlan } from "../../../reference/metrics/router/plan.ts";
import type { Router, RouterRecord } from "../../../reference/metrics/router/router.ts";
import type { PostedSilence } from "../../../reference/metrics/router/silences.ts";
import { htmlOf, templateData } from "../../../reference/metrics/router/template-data.ts";
import { at, Bench, planFrom, type TestRoute } from "../../../reference/metrics/router/testing.ts";
import { isWithin, isZone, type Range, type TimeInterval } from "../../../reference/metrics/router/time-interval.ts";
import { ROUTER_LIMITS } from "../../../reference/metrics/router/limits.ts";
import { expand, NOTIFICATION_FUNCTIONS, parseTemplate, printed, type Value } from "../../../reference/metrics/rules/index.ts";
import { Chance } from "./chance.ts";
import { outcome } from "./text.ts";

const LIVES = { router: routerLife, matchers: matchersLife, intervals: intervalsLife } as const;

/** One life of an alert router, of texts of matchers, or of time intervals. */
export function live(seed: number): string {
  const chance = new Chance(seed);
  return LIVES[chance.weighed({ router: 5, matchers: 2, intervals: 1 })](chance);
}

const NAMES = ["alertname", "i", "team", "job", "instance", "a b"] as const;
const VALUES = ["", "a", "b", "c", "A", "B", 'q"\\', "ä"] as const;
const MATCHERS = [
  "{}",
  '{alertname="A"}',
  '{alertname="B"}',
  '{i="a"}',
  '{i=~"a|b"}',
  '{i!="a"}',
  '{i!~"a|c"}',
  '{team=""}',
  '{team="x",i="a"}',
  '{"a b"="c"}',
  '{nope=~".*"}',
] as const;
const SECONDS = [0, 1, 10, 30, 60, 90, 300] as const;

function routeOf(chance: Chance, depth: number): TestRoute {
  const ms = (): number => chance.one(SECONDS) * 1_000;
  return {
    ...(depth > 0 && { if: chance.one(MATCHERS), continues: chance.once(3) }),
    ...(chance.once(2) && { receiver: chance.one(["all", "page", "mail", "none"]) }),
    ...(chance.once(3) && {
      groupBy: chance.once(3) ? ("all" as const) : new Set(chance.one([[], ["i"], ["alertname", "team"], ["a b"]])),
    }),
    ...(chance.once(2) && { groupWaitMs: ms() }),
    ...(chance.once(2) && { groupIntervalMs: ms() + 1_000 }),
    ...(chance.once(2) && { repeatIntervalMs: ms() + 60_000 }),
    ...(chance.once(5) && { mutedIn: [chance.one(["pause", "work", "nope"])] }),
    ...(chance.once(5) && { activeIn: [chance.one(["pause", "work"])] }),
    routes: depth > 2 ? [] : Array.from({ length: chance.below(3) }, () => routeOf(chance, depth + 1)),
  };
}

const matchersOf = (text: string) => {
  const read = readMatchers(text);
  return "fault" in read ? [] : read.matchers;
};
const integration = (chance: Chance): Integration => ({ kind: chance.one(["webhook", "email"]), sendResolved: !chance.once(3) });

const planOf = (chance: Chance): RouterPlan =>
  planFrom(routeOf(chance, 0), {
    inhibitRules: Array.from({ length: chance.below(3) }, () => ({
      source: matchersOf(chance.one(MATCHERS)),
      target: matchersOf(chance.one(MATCHERS)),
      equal: chance.one([[], ["i"], ["i", "team"], ["nope"]]),
    })),
    timeIntervals: new Map([
      ["pause", [{ zone: "UTC", times: [{ first: 600, last: 603 }] }, interval(chance)]],
      ["work", [{ zone: "UTC", weekdays: [{ first: 1, last: 5 }], times: [{ first: 602, last: 1_440 }] }]],
    ]),
    receivers: new Map(
      ["all", "page", "mail"].map((name) => [name, Array.from({ length: chance.between(1, 2) }, () => integration(chance))]),
    ),
    resolveTimeoutMs: chance.one([60_000, 300_000]),
  });

const labelsOf = (chance: Chance, most: number): Labels =>
  Labels.of(Array.from({ length: chance.between(0, most) }, () => [chance.one(NAMES), chance.one(VALUES)] as const));

const TEMPLATES = [
  "{{ .Receiver }} {{ .Status }} {{ .GroupKey }} {{ .ExternalURL }} {{ len .Alerts }}",
  "{{ range .Alerts }}{{ .Status }} {{ .Labels.alertname }} {{ .Annotations.about }} {{ .StartsAt }} {{ .EndsAt }} {{ .GeneratorURL }} {{ .Fingerprint }};{{ end }}",
  "{{ range .Alerts.Firing }}{{ .Labels.i }},{{ end }}|{{ range .Alerts.Resolved }}{{ .Labels.i }},{{ end }}",
  "{{ range .CommonLabels.SortedPairs }}{{ .Name }}={{ .Value }} {{ end }}{{ .GroupLabels.Names }} {{ .CommonAnnotations.Values }}",
  '{{ (.CommonLabels.Remove (stringSlice "alertname" "i")).SortedPairs.Values }} {{ .CommonLabels.SortedPairs.Names }}',
  '{{ .GroupLabels.nope }}<b>{{ "<i>&" | safeHtml }}{{ "<\'\\">" }}',
] as const;

function routerLife(chance: Chance): string {
  const lines: string[] = [];
  const limits = chance.once(4)
    ? { ...ROUTER_LIMITS, alerts: 4, groups: 4, labels: 3, alertLength: 40, silences: 3, matchers: 2, silenceLength: 60 }
    : ROUTER_LIMITS;
  const options = { retentionMs: chance.one([60_000, 600_000, 432_000_000]), forgetMs: chance.one([30_000, 1_800_000]), limits };
  let bench = new Bench(planOf(chance), options);
  let records: RouterRecord[] = [];
  let now = 0;
  bench.outcome = (attempt) => ["sent", "sent", "sent", "retry", "retry", "refused"][(attempt * 7 + now) % 6] as DeliveryOutcome;
  for (let step = chance.between(6, 25); step > 0; step--) {
    const { router } = bench;
    const action = chance.weighed({ post: 6, wait: 6, silence: 2, expire: 1, configure: 0.6, restart: 0.4, hand: 1 });
    if (action === "post")
      lines.push(
        ...router.receive(
          Array.from({ length: chance.between(1, 3) }, () => alertOf(chance, now)),
          at(now),
        ),
      );
    else if (action === "wait") {
      now += chance.one([1, 5, 10, 30, 61, 300, 4_000]);
      lines.push(...bench.until(now).take());
    } else if (action === "silence") lines.push(JSON.stringify(router.setSilence(silenceOf(chance, now, router), at(now))));
    else if (action === "expire") lines.push(JSON.stringify(router.expireSilence(chance.any(router.silences.all)?.id ?? "id-9", at(now))));
    else if (action === "configure") router.configure(planOf(chance), at(now));
    else if (action === "hand") lines.push(...byHand(chance, router, now));
    else {
      records = [...records, ...router.changes()];
      lines.push(JSON.stringify(records), JSON.stringify(router.snapshot()));
      const { outcome: before } = bench;
      bench = new Bench(planOf(chance), options);
      bench.until(now);
      bench.outcome = before;
      for (const record of records) bench.router.restore(record);
    }
    lines.push(stateOf(bench.router, now));
  }
  return lines.join("\n");
}

function alertOf(chance: Chance, now: number) {
  const time = (): number => at(now + chance.one([-600, -90, -10, -1, 0, 1, 20, 400]));
  const labels = chance.once(8)
    ? labelsOf(chance, 6)
    : Labels.of({ alertname: chance.one(["A", "B"]), i: chance.one(["a", "b", "c"]), ...(chance.once(3) && { team: "x" }) });
  return {
    labels,
    annotations: labelsOf(chance, 2),
    generatorUrl: chance.one(["", "http://g/"]),
    ...(chance.once(3) && { startsAt: time() }),
    ...(chance.once(3) && { endsAt: time() }),
  };
}

function silenceOf(chance: Chance, now: number, { silences }: Router): PostedSilence {
  const known = chance.once(2) ? chance.any(silences.all) : undefined;
  const fresh = {
    matchers: matchersOf(chance.one(MATCHERS)),
    startsAt: at(now + chance.one([-10, 0, 20])),
    endsAt: at(now + chance.one([-5, 0, 15, 100, 900])),
    createdBy: "me",
    comment: chance.one(["", "c".repeat(30), "c".repeat(70)]),
  };
  const id = chance.once(10) ? "id-7" : (known?.id ?? "");
  return known === undefined
    ? { ...fresh, id }
    : {
        ...known,
        id,
        ...(chance.once(2) && { endsAt: fresh.endsAt }),
        ...(chance.once(4) && { matchers: fresh.matchers }),
        ...(chance.once(4) && { startsAt: fresh.startsAt }),
      };
}

// oxlint-disable-next-line require-yield -- there is nothing to ask
function* nothing(): Work<readonly Value[]> {
  return [];
}

/** Deliveries whose content is written, and whose outcome comes later. */
function* byHand(chance: Chance, router: Router, now: number): Generator<string> {
  router.tick(at(now));
  for (const delivery of router.take()) {
    yield `${delivery.until} ${webhookJson(delivery, { externalUrl: "http://x", maxAlerts: chance.below(3) })}`;
    const template = chance.one(TEMPLATES);
    const context = {
      dot: templateData(delivery, "http://x"),
      variables: {},
      query: nothing,
      nowMs: at(now),
      externalUrl: "http://x",
      isNotification: true,
    };
    yield outcome(() =>
      finish(
        expand(parseTemplate(template, [], NOTIFICATION_FUNCTIONS), chance.once(2) ? { ...context, printed: htmlOf(printed) } : context),
      ),
    );
    if (chance.once(4)) router.configure(planOf(chance), at(now));
    router.settle(delivery.id, chance.one(["sent", "retry", "refused"]), at(now + chance.below(3)));
  }
}

const stateOf = (router: Router, now: number): string =>
  JSON.stringify({
    counts: router.counts,
    deadline: router.deadline,
    groups: router
      .groups(at(now))
      .map(({ group, mutedBy, alerts }) => [group.key, group.dueAt, mutedBy, alerts.map(({ alert }) => alert.fingerprint)]),
    alerts: router.alerts(at(now)).map(({ alert: { labels, ...alert }, ...more }) => [String(labels), alert, more]),
    groupCount: router.groupCount,
    silences: router.silences.all,
  });

const PARTS = [
  "foo",
  "=",
  "!=",
  "=~",
  "!~",
  '"bar"',
  "bar",
  ",",
  "{",
  "}",
  " ",
  '"',
  "\\",
  "\\n",
  '\\"',
  "\\x41",
  "\\101",
  "\\u00e9",
  "\\U0001F642",
  "\\q",
  "ä",
  "(",
  "b.*r",
  "\n",
  "'",
  "`",
  "~",
  "!",
  "=x",
  'a="b"',
  "a=~b|c",
] as const;
function matchersLife(chance: Chance): string {
  const lines: string[] = [];
  for (let left = 12; left > 0; left--) {
    const text = Array.from({ length: chance.between(1, 9) }, () => chance.one(PARTS)).join("");
    for (const one of [text, `{${text}}`, `a${text}`, `a="${text}"`]) {
      const read = readMatchers(one);
      lines.push(`${JSON.stringify(one)} ${"fault" in read ? read.fault : matchersText(read.matchers)}`);
    }
  }
  return lines.join("\n");
}

const ranges = (chance: Chance, least: number, most: number): Range[] =>
  Array.from({ length: chance.between(1, 2) }, () => {
    const first = chance.between(least, most);
    return { first, last: chance.between(first, most) };
  });
const interval = (chance: Chance): TimeInterval => ({
  zone: chance.one(["UTC", "Europe/Paris", "Australia/Sydney"]),
  ...(chance.once(3) && { times: ranges(chance, 0, 1_440) }),
  ...(chance.once(3) && { weekdays: ranges(chance, 0, 6) }),
  ...(chance.once(3) && {
    daysOfMonth: ranges(chance, chance.once(2) ? -31 : 1, chance.once(2) ? -1 : 31).map(({ first, last }) => ({
      first: first || 1,
      last: last || -1,
    })),
  }),
  ...(chance.once(3) && { months: ranges(chance, 1, 12) }),
  ...(chance.once(3) && { years: ranges(chance, 2_024, 2_027) }),
});
function intervalsLife(chance: Chance): string {
  const lines: string[] = [String(waitAfter(chance.below(20))), String(isZone(chance.one(["UTC", "Nowhere", "Asia/Tokyo"])))];
  for (let left = 4; left > 0; left--) {
    const one = interval(chance);
    for (const day of ["2024-02-29", "2026-03-01", "2026-12-31", "2025-07-15"])
      lines.push(`${JSON.stringify(one)} ${isWithin(one, Date.parse(`${day}T00:00:00Z`) + chance.below(1_440) * 60_000)}`);
  }
  return lines.join("\n");
}
