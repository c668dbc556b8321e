import { expect, test } from "vitest";
import { Labels } from "../../../metrics/model/index.ts";
import { type Delivery, type NotifiedAlert, templateData } from "../../../metrics/router/index.ts";
import { TemplateFault } from "../../../metrics/rules/index.ts";
import { Templates } from "./templates.ts";

const NOW = Date.parse("2026-03-02T10:01:30.5Z");
const alert = (i: string, isResolved: boolean): NotifiedAlert => ({
  labels: Labels.of({ alertname: "Disk", i, team: "x" }),
  annotations: Labels.of({ about: `<${i}>` }),
  startsAt: NOW - 90_500,
  endsAt: NOW,
  isPresumed: false,
  updatedAt: NOW,
  generatorUrl: "http://p/?a=1&b=2",
  fingerprint: `f${i}`,
  isResolved,
});
const delivery: Delivery = {
  id: 1,
  receiver: "team x",
  index: 0,
  kind: "email",
  groupKey: '{}:{alertname="Disk"}',
  groupLabels: Labels.of({ alertname: "Disk" }),
  alerts: [alert("a", false), alert("b", true)],
  until: NOW,
};
const expanded = (text: string, files: readonly string[] = [], isHtml = false): string =>
  new Templates(files, "http://r").expand(text, templateData(delivery, "http://r"), { now: NOW, isHtml });

test.each([
  ["{{ .Status }} {{ .Receiver }} {{ .ExternalURL }}", "firing team x http://r"],
  ["{{ len .Alerts }} {{ .Alerts.Firing | len }} {{ len .Alerts.Resolved }}", "2 1 1"],
  ["{{ range .Alerts }}{{ .Labels.i }}={{ .Status }} {{ end }}", "a=firing b=resolved "],
  ["{{ range .Alerts.Firing }}{{ .Annotations.about }}{{ .Labels.none }}{{ end }}", "<a>"],
  ["{{ (index .Alerts 0).Fingerprint }}", "fa"],
  ["{{ range .CommonLabels.SortedPairs }}{{ .Name }}={{ .Value }};{{ end }}", "alertname=Disk;team=x;"],
  ['{{ .CommonLabels.Names | join "," }} {{ join "-" .CommonLabels.Values }}', "alertname,team Disk-x"],
  ['{{ range (.CommonLabels.Remove (stringSlice "alertname")).SortedPairs }}{{ .Name }}{{ end }}', "team"],
  ['{{ .CommonLabels.SortedPairs.Names | join "," }}', "alertname,team"],
  ['{{ (index .Alerts 0).StartsAt.Format "Mon 2 Jan 2006 15:04:05 MST" }}', "Mon 2 Mar 2026 10:00:00 UTC"],
  ['{{ (index .Alerts 0).StartsAt | tz "Europe/Paris" | date "15:04 -07:00" }}', "11:00 +01:00"],
  ["{{ since (index .Alerts 0).StartsAt }}", "1m30.5s"],
  ["{{ .GroupLabels | toJson }}", '{"alertname":"Disk"}'],
  ['{{ toUpper "a" }}{{ title "b c" }}{{ trimSpace " d " }}{{ reReplaceAll "x" "y" "xx" }}{{ match "a.c" "abc" }}', "AB Cdyytrue"],
  ['{{ urlUnescape "a%20b+c" }} {{ base64encode "a?>" }} {{ base64decode "YT8-" }}', "a b c YT8- a?>"],
  ['{{ $d := dict "a" 1 "b" "c" }}{{ $d.b }}{{ range append (list 1) 2 }}{{ . }}{{ end }}', "c12"],
  ['{{ template "email.default.subject" . }}', "[FIRING:1] Disk (x)"],
])("%s", (text, expected) => {
  expect(expanded(text)).toBe(expected);
});

test("HTML: text is escaped, and what is said to be safe is not", () => {
  expect(expanded('{{ (index .Alerts 0).Annotations.about }} {{ safeHtml "<b>" }}', [], true)).toBe("&lt;a&gt; <b>");
  const page = expanded('{{ template "email.default.html" . }}', [], true);
  expect(page).toContain("&lt;a&gt;");
  expect(page).toContain('href="http://p/?a=1&amp;b=2"');
  expect(page).toContain("/api/v2/alerts/groups?receiver=team+x");
  expect(page).not.toContain("<a>");
});

test("templates of files replace the built-in ones", () => {
  expect(expanded('{{ template "email.default.subject" . }}', ['{{ define "__subject" }}mine{{ end }}'])).toBe("mine");
});

test.each([
  '{{ query "up" }}',
  "{{ .Nothing }}",
  "{{ .Alerts.Other }}",
  '{{ tz "No/Where" (index .Alerts 0).StartsAt }}',
  "{{ dict 1 }}",
  '{{ template "none" }}',
])("%s is a fault", (text) => {
  expect(() => expanded(text)).toThrow(TemplateFault);
});
