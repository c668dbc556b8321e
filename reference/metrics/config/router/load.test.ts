import { describe, expect, test } from "vitest";
import { ROUTER_CASES } from "./corpus.ts";
import { loadRouterConfig } from "./load.ts";

const problemsOf = (text: string): string[] =>
  loadRouterConfig(text, "dir/router.yml").problems.map(({ line, field, message }) => `${line} ${field}: ${message}`);

test.each(ROUTER_CASES)("$about: valid is $isValid", ({ text, isValid }) => {
  const { config, problems } = loadRouterConfig(text, "router.yml");
  expect([config !== undefined, problems.length === 0]).toEqual([isValid, isValid]);
});

test("problems name line and field", () => {
  expect(
    problemsOf(`route:
  receiver: team
  group_bye: [a]
  routes:
  - matchers: [a]
    receiver: other
receivers:
- name: team
  slack_configs:
  - channel: x
  webhook_configs:
  - max_alerts: 1
`),
  ).toEqual([
    "3 route.group_bye: unknown field; do you mean group_by?",
    '5 route.routes[0].matchers[0]: "a" is not a matcher: one of =, !=, =~, !~ is missing after "a"',
    '6 route.routes[0].receiver: there is no receiver named "other"',
    "10 receivers[0].slack_configs[0]: slack is not supported: notify by webhook_configs or email_configs, or through a program that forwards webhooks to slack",
    "12 receivers[0].webhook_configs[0].url: it is missing: give url or url_file",
  ]);
});

describe("a configuration", () => {
  const { config, notices, files } = loadRouterConfig(
    `global: {smtp_smarthost: "mail:25", smtp_from: a@b.c, smtp_auth_password: p, slack_api_url: "http://x/"}
templates: ["t/*.tmpl"]
route:
  receiver: team
  group_by: [job]
  group_wait: 5s
  routes:
  - {matchers: ['b="1"', 'a=~"2"'], match: {c: "3"}, repeat_interval: 1h, mute_time_intervals: [night], routes: [{receiver: page, group_by: ["..."]}]}
inhibit_rules:
- {source_match: {a: b}, target_matchers: ["a=c"], equal: [x]}
receivers:
- name: team
  webhook_configs: [{url: "http://u:p@h/secret"}]
  email_configs: [{to: x@y.z, require_tls: false}]
- name: page
mute_time_intervals:
- {name: night, time_intervals: [{times: [{start_time: "20:00", end_time: "24:00"}], days_of_month: ["-1"], location: Local}]}
`,
    "dir/router.yml",
  );

  test("routes inherit; their keys have sorted matchers", () => {
    const [first] = config?.plan.route.routes ?? [];
    expect(first).toMatchObject({
      key: '{}/{a=~"2",b="1",c="3"}',
      options: { receiver: "team", groupWaitMs: 5_000, groupIntervalMs: 300_000, repeatIntervalMs: 3_600_000, mutedIn: ["night"] },
    });
    expect(first?.routes[0]).toMatchObject({
      key: '{}/{a=~"2",b="1",c="3"}/{}',
      options: { receiver: "page", groupBy: "all", repeatIntervalMs: 3_600_000, mutedIn: [] },
    });
  });

  test("receivers have the defaults of global, secrets are not printed, and files begin in its directory", () => {
    const [webhook, mail] = config?.receivers.get("team") ?? [];
    expect(webhook).toMatchObject({ is: "webhook", send_resolved: true });
    expect(mail).toMatchObject({ is: "email", smarthost: "mail:25", from: "a@b.c", require_tls: false, send_resolved: false });
    expect(config?.text).not.toMatch(/secret"|u:p|: p$/m);
    expect(config?.text).toContain('a=~"2"');
    expect(files).toMatchObject([{ path: "dir/t/*.tmpl", use: "templates" }]);
  });

  test("time intervals keep their ranges", () => {
    expect(config?.plan.timeIntervals.get("night")).toEqual([
      { times: [{ first: 1_200, last: 1_440 }], daysOfMonth: [expect.objectContaining({ first: -1, last: -1 })], zone: undefined },
    ]);
  });

  test("settings without an effect are named", () => {
    expect(notices.map(({ field }) => field)).toEqual(["global.slack_api_url"]);
  });
});

test("routes within themselves are refused", () => {
  expect(problemsOf("route: &r\n  receiver: a\n  routes: [*r]\nreceivers: [{name: a}]\n")[0]).toContain("nested deeper than 64");
});
