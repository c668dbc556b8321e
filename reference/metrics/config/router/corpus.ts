/** Configurations of alert routers, and whether each is valid. `differs`: why a published tool judges otherwise. */
export type RouterCase = { readonly about: string; readonly text: string; readonly isValid: boolean; readonly differs?: string };

const route = (body: string, more = ""): string => `route:\n  receiver: a\n${body}receivers:\n- name: a\n${more}`;
const below = (body: string, more = ""): string => route(`  routes:\n  - ${body.split("\n").join("\n    ")}\n`, more);
const receiver = (body: string, global = ""): string =>
  `${global}route: {receiver: a}\nreceivers:\n- name: a\n  ${body.split("\n").join("\n  ")}\n`;
const interval = (spec: string): string => `${route("")}time_intervals:\n- name: t\n  time_intervals:\n  - ${spec}\n`;
const rule = (body: string): string => `${route("")}inhibit_rules:\n- ${body}\n`;
const SMTP = "global: {smtp_smarthost: 'localhost:25', smtp_from: 'a@b.c'}\n";

const good = (about: string, text: string, differs?: string): RouterCase => ({
  about,
  text,
  isValid: true,
  ...(differs !== undefined && { differs }),
});
const bad = (about: string, text: string, differs?: string): RouterCase => ({
  about,
  text,
  isValid: false,
  ...(differs !== undefined && { differs }),
});

const EARLIER = "we report at once what others report with the first notification";
const KIND = "we have no receivers of this kind";

export const ROUTER_CASES: readonly RouterCase[] = [
  good("the least", route("")),
  bad("nothing", ""),
  bad("no route", "receivers:\n- name: a\n"),
  bad("no receiver of the first route", "route: {}\nreceivers:\n- name: a\n"),
  bad("an unknown receiver", "route: {receiver: b}\nreceivers:\n- name: a\n"),
  bad("an unknown receiver further down", below("receiver: b")),
  bad("two receivers of one name", route("", "- name: a\n")),
  bad("a receiver without a name", "route: {receiver: a}\nreceivers:\n- name: a\n- webhook_configs: []\n"),
  bad("an unknown field", `${route("")}other: 1\n`),
  bad("an unknown field of a route", route("  other: 1\n")),
  bad("an unknown field of a receiver", receiver("other: 1")),
  bad("an unknown field of a webhook", receiver("webhook_configs: [{url: 'http://a/', other: 1}]")),
  bad("matchers of the first route", route("  matchers: [a=b]\n")),
  bad("match of the first route", route("  match: {a: b}\n")),
  bad("a mute first route", `${route("  mute_time_intervals: [t]\n")}time_intervals: [{name: t}]\n`),
  bad("continue of the first route", route("  continue: true\n")),
  good("groups by labels", route("  group_by: [alertname, job]\n")),
  good("groups by all labels", route("  group_by: ['...']\n")),
  bad("groups by all labels and another", route("  group_by: ['...', job]\n")),
  bad("groups twice by a label", route("  group_by: [job, job]\n")),
  good("a group_wait of 0", route("  group_wait: 0s\n")),
  bad("a group_interval of 0", route("  group_interval: 0s\n")),
  bad("a repeat_interval of 0", route("  repeat_interval: 0s\n")),
  bad("a duration without a unit", route("  group_wait: 10\n")),
  good("durations of several units", route("  group_wait: 1m30s\n  group_interval: 1h1m\n  repeat_interval: 1d\n")),
  good("all forms of matchers", below("match: {a: b}\nmatch_re: {c: 'd.*'}\nmatchers: ['e=f', 'g!=h', 'i=~\"j|k\"', 'l!~m']")),
  good("matchers in braces", below(`matchers: ['{a="b",c=~"d"}']`)),
  bad("a matcher without an operator", below("matchers: [a]")),
  bad("a matcher without a name", below("matchers: ['=a']")),
  bad("a bad pattern of a matcher", below("matchers: ['a=~\"(\"']")),
  bad("a bad pattern of match_re", below("match_re: {a: '('}")),
  bad("a missing pattern of match_re", below("match_re: {a: }")),
  good("an empty pattern of match_re", below("match_re: {a: ''}")),
  good("continue further down", below("continue: true")),
  good("a webhook", receiver("webhook_configs: [{url: 'http://localhost:1/x', send_resolved: false, max_alerts: 3}]")),
  good("a webhook with access", receiver("webhook_configs: [{url: 'https://a/', http_config: {basic_auth: {username: u, password: p}}}]")),
  bad(
    "a webhook with two ways of access",
    receiver("webhook_configs: [{url: 'https://a/', http_config: {basic_auth: {username: u, password: p}, bearer_token: t}}]"),
  ),
  bad("a webhook without a URL", receiver("webhook_configs: [{send_resolved: true}]")),
  bad("a webhook with two URLs", receiver("webhook_configs: [{url: 'http://a/', url_file: /x}]")),
  bad("a webhook to another kind of URL", receiver("webhook_configs: [{url: 'ftp://a/'}]")),
  bad("a negative max_alerts", receiver("webhook_configs: [{url: 'http://a/', max_alerts: -1}]")),
  bad("an empty webhook", receiver("webhook_configs: [null]")),
  good("mail", receiver("email_configs: [{to: 'x@y.z'}]", SMTP)),
  good(
    "mail with its own server",
    receiver("email_configs: [{to: 'x@y.z', from: 'a@b.c', smarthost: 'localhost:587', headers: {Subject: hi}}]"),
  ),
  bad("mail without a server", receiver("email_configs: [{to: 'x@y.z', from: 'a@b.c'}]")),
  bad("mail without a sender", receiver("email_configs: [{to: 'x@y.z', smarthost: 'localhost:587'}]")),
  bad("mail to nobody", receiver("email_configs: [{from: 'a@b.c'}]", SMTP)),
  bad("a mail server without a port", receiver("email_configs: [{to: 'x@y.z', smarthost: localhost}]", SMTP)),
  bad("a header field twice", receiver("email_configs: [{to: 'x@y.z', headers: {subject: a, Subject: b}}]", SMTP)),
  bad("a template that cannot be parsed", receiver("email_configs: [{to: 'x@y.z', text: '{{ if }}'}]", SMTP), EARLIER),
  bad("a template with an unknown function", receiver("email_configs: [{to: 'x@y.z', text: '{{ query \"up\" }}'}]", SMTP), EARLIER),
  bad("chat", receiver("slack_configs: [{api_url: 'https://a/', channel: x}]"), KIND),
  bad("a pager", receiver("pagerduty_configs: [{service_key: x}]"), KIND),
  good("no chats", receiver("slack_configs: []")),
  good("settings of other kinds", `global: {slack_api_url: 'https://a/', opsgenie_api_key: x}\n${route("")}`),
  bad("an unknown global field", `global: {other: 1}\n${route("")}`),
  good("an inhibition", rule("{source_matchers: [a=b], target_matchers: [a=c], equal: [x, y]}")),
  good("an inhibition in the older form", rule("{source_match: {a: b}, target_match_re: {a: 'c|d'}, equal: [x]}")),
  bad("an inhibition with an unknown field", rule("{source: [a=b]}")),
  bad("an inhibition with a bad matcher", rule("{source_matchers: ['a']}")),
  good(
    "a time interval",
    interval("{times: [{start_time: '09:00', end_time: '17:00'}], weekdays: ['monday:friday'], location: Europe/Paris}"),
  ),
  good(
    "days, months and years",
    interval("{days_of_month: ['1:5', '-3:-1'], months: ['1:3', 'May:august', december], years: ['2020:2022', '2030']}"),
  ),
  good("the end of a day", interval("{times: [{start_time: '00:00', end_time: '24:00'}]}")),
  bad("a malformed time", interval("{times: [{start_time: '9:00', end_time: '17:00'}]}")),
  bad("a time without an end", interval("{times: [{start_time: '09:00'}]}")),
  bad("times that end before they begin", interval("{times: [{start_time: '17:00', end_time: '09:00'}]}")),
  bad("days of the week backwards", interval("{weekdays: ['friday:monday']}")),
  bad("an unknown day of the week", interval("{weekdays: [mon]}")),
  bad("a day of the month that does not exist", interval("{days_of_month: ['0']}")),
  bad("days of a month from its end to its beginning", interval("{days_of_month: ['-1:5']}")),
  good("days to the end of a month", interval("{days_of_month: ['28:-1']}"), "a month has at least 28 days"),
  bad("months backwards", interval("{months: ['may:april']}")),
  bad("a month that does not exist", interval("{months: ['13']}"), "no such month is published"),
  bad("years backwards", interval("{years: ['2022:2020']}")),
  bad("an unknown time zone", interval("{location: Nowhere/Else}")),
  bad("two time intervals of one name", `${route("")}time_intervals: [{name: t}, {name: t}]\n`),
  bad("a time interval without a name", `${route("")}time_intervals: [{time_intervals: []}]\n`),
  bad("an unknown time interval", below("mute_time_intervals: [x]")),
  good("a mute route", `${below("mute_time_intervals: [t]\nactive_time_intervals: [t]")}time_intervals: [{name: t}]\n`),
  bad("two documents", `${route("")}---\n${route("")}`, "a second document is more likely a mistake than a wish"),
  bad("no YAML", "route: [\n"),
  good("a resolve_timeout", `global: {resolve_timeout: 1m}\n${route("")}`),
];
