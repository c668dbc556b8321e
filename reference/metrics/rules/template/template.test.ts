import { describe, expect, test } from "vitest";
import { finish, type Work } from "../../promql/index.ts";
import { parseTemplate } from "./parse.ts";
import { expand } from "./run.ts";
import { labelsValue, sampleValue, Struct, TemplateFault, type Value } from "./values.ts";

/** Expansions with some values, as promtool 2.42 prints them. */
const EXPANSIONS: readonly (readonly [template: string, byValue: Readonly<Record<string, string>>])[] = [
  ["{{ $value }}", { "1": "1", "1234567": "1.234567e+06", "-2.5": "-2.5", NaN: "NaN" }],
  [
    "{{ $labels.instance }} of {{ .Labels.job }} {{ .Value }} {{ $externalLabels.region }} {{ .ExternalURL }}",
    {
      "1": "h:0 of j0 1 eu http://x.example/p",
      "1234567": "h:0 of j0 1.234567e+06 eu http://x.example/p",
      "-2.5": "h:0 of j0 -2.5 eu http://x.example/p",
      NaN: "h:0 of j0 NaN eu http://x.example/p",
    },
  ],
  [
    "{{ humanize $value }} {{ $value | humanize1024 }} {{ humanizeDuration $value }} {{ humanizePercentage $value }} {{ humanizeTimestamp $value }}",
    {
      "1": "1 1 1s 100% 1970-01-01 00:00:01 +0000 UTC",
      "1234567": "1.235M 1.177Mi 14d 6h 56m 7s 1.235e+08% 1970-01-15 06:56:07 +0000 UTC",
      "-2.5": "-2.5 -2.5 -2.5s -250% 1969-12-31 23:59:57.5 +0000 UTC",
      NaN: "NaN NaN NaN NaN% NaN",
    },
  ],
  [
    '{{ printf "%.2f|%5.1f|%-8s|%q|%05d|%x|%e|%g|%v|%t|%%" $value $value "a" "q\\"x" 42 255 $value $value $value true }}',
    {
      "1": '1.00|  1.0|a       |"q\\"x"|00042|ff|1.000000e+00|1|1|true|%',
      "1234567": '1234567.00|1234567.0|a       |"q\\"x"|00042|ff|1.234567e+06|1.234567e+06|1.234567e+06|true|%',
      "-2.5": '-2.50| -2.5|a       |"q\\"x"|00042|ff|-2.500000e+00|-2.5|-2.5|true|%',
      NaN: 'NaN|  NaN|a       |"q\\"x"|00042|ff|NaN|NaN|NaN|true|%',
    },
  ],
  [
    "{{ if gt $value 2.0 }}big{{ else if eq $value 1.0 }}one{{ else }}small{{ end }}",
    { "1": "one", "1234567": "big", "-2.5": "small", NaN: "big" },
  ],
  [
    '{{ range query "q" | sortByLabel "b" }}{{ .Labels.b }};{{ else }}none{{ end }}{{ range query "absent_thing" }}x{{ else }}none{{ end }}',
    { "1": "y;z;none" },
  ],
  [
    '{{ title "hello wide world" }} {{ toUpper "abc" }} {{ "ABC" | toLower }} {{ match "^a.c$" "abc" }} {{ reReplaceAll "(.)b" "$1$1-" "abcb" }}',
    { "1": "Hello Wide World ABC abc true aa-cc-" },
  ],
  ['{{ define "x" }}[{{ . }}]{{ end }}{{ template "x" $labels.job }}{{ template "x" 3 }}', { "1": "[j0][3]" }],
  ['{{- /* comment */ -}}   trimmed   {{- " a " -}}   end', { "1": "trimmed a end" }],
  [
    '{{ len "abc" }} {{ index $labels "job" }} {{ slice "abcdef" 1 3 }} {{ print 1 2 "a" "b" 3 }} {{ println "x" }} {{ html "<a&b>" }} {{ urlquery "a b&c" }} {{ not true }} {{ and 1 0 2 }} {{ or 0 "" "z" }}',
    { "1": "3 j0 bc 1 2ab3 x\n &lt;a&amp;b&gt; a+b%26c false 0 z" },
  ],
  ['{{ eq 1 1 }} {{ ne "a" "b" }} {{ lt 1 2 }} {{ le 2 2 }} {{ ge 1 2 }} {{ eq "a" "b" "a" }}', { "1": "true true true true false true" }],
  [
    '{{ stripPort "a.b:80" }} {{ stripDomain "a.b.c:80" }} {{ stripPort "[::1]:80" }} {{ stripDomain "1.2.3.4:5" }} {{ parseDuration "1h30m" }} {{ graphLink "up{a=\\"b\\"} > 1" }} {{ tableLink "up" }}',
    { "1": "a.b a:80 ::1 1.2.3.4:5 5400 /graph?g0.expr=up%7Ba%3D%22b%22%7D+%3E+1&g0.tab=0 /graph?g0.expr=up&g0.tab=1" },
  ],
  ["{{ $labels.missing }}|{{ .Labels.missing }}|", { "1": "||" }],
  [
    "{{ 1.5 }} {{ 1e6 }} {{ 1000000.0 }} {{ 0x1F }} {{ 'a' }} {{ 123456789.0 }} {{ 1e-5 }} {{ 0.0001 }} {{ 1e21 }} {{ true }} {{ \"\\u00e9\\n\\t\" }} {{ `raw\\n` }}",
    { "1": "1.5 1e+06 1e+06 31 97 1.23456789e+08 1e-05 0.0001 1e+21 true é\n\t raw\\n" },
  ],
  [
    '{{ if and (gt $value 1.0) (match "a" "abc") }}yes{{ end }}{{ if not (eq $labels.job "x") }} notx{{ end }}',
    { "1": " notx", "1234567": "yes notx", "-2.5": " notx", NaN: "yes notx" },
  ],
  [
    '{{ humanize 0.0 }} {{ humanize 1234.0 }} {{ humanize 0.00123 }} {{ humanize 999999.0 }} {{ humanize 1e30 }} {{ humanize -1234567.0 }} {{ humanize "1e9" }} {{ humanize 2 }}',
    { "1": "0 1.234k 1.23m 1000k 1e+06Y -1.235M 1G 2" },
  ],
  ['{{ humanize1024 0.0 }} {{ humanize1024 1048576.0 }} {{ humanize1024 -2000.0 }} {{ humanize1024 "1" }}', { "1": "0 1Mi -1.953ki 1" }],
  [
    "{{ humanizeDuration 0.0 }} {{ humanizeDuration 0.0123 }} {{ humanizeDuration 1.5 }} {{ humanizeDuration 59.99 }} {{ humanizeDuration 61.0 }} {{ humanizeDuration 3661.0 }} {{ humanizeDuration 90061.5 }} {{ humanizeDuration -3661.0 }} {{ humanizeDuration -0.5 }}",
    { "1": "0s 12.3ms 1.5s 59.99s 1m 1s 1h 1m 1s 1d 1h 1m 1s -1h 1m 1s -500ms" },
  ],
  [
    "{{ humanizePercentage 0.12345 }} {{ humanizePercentage 2.0 }} {{ humanizeTimestamp 1435065584.128 }} {{ humanizeTimestamp 0.0 }} {{ humanizeTimestamp -1.5 }} {{ humanizeTimestamp 1435065584.0 }}",
    {
      "1": "12.35% 200% 2015-06-23 13:19:44.128 +0000 UTC 1970-01-01 00:00:00 +0000 UTC 1969-12-31 23:59:58.5 +0000 UTC 2015-06-23 13:19:44 +0000 UTC",
    },
  ],
  [
    '{{ printf "%.0f %.0f %.0f %.1f %.3g %.10g %6.2f|%-6.2f|%+d %+.1f" 0.5 1.5 2.5 0.25 1234.5 1234.5 3.14159 3.14159 5 5.0 }}',
    { "1": "0 2 2 0.2 1.23e+03 1234.5   3.14|3.14  |+5 +5.0" },
  ],
  [
    '{{ printf "%d" $value }} {{ printf "%s" $value }} {{ printf "%s" 5 }} {{ printf "%d" }} {{ printf "x" 1 }}',
    {
      "1": "%!d(float64=1) %!s(float64=1) %!s(int=5) %!d(MISSING) x%!(EXTRA int=1)",
      "1234567": "%!d(float64=1.234567e+06) %!s(float64=1.234567e+06) %!s(int=5) %!d(MISSING) x%!(EXTRA int=1)",
      "-2.5": "%!d(float64=-2.5) %!s(float64=-2.5) %!s(int=5) %!d(MISSING) x%!(EXTRA int=1)",
      NaN: "%!d(float64=NaN) %!s(float64=NaN) %!s(int=5) %!d(MISSING) x%!(EXTRA int=1)",
    },
  ],
  ["{{ range $k, $v := $labels }}{{ $k }}={{ $v }};{{ end }}", { "1": "__name__=m;instance=h:0;job=j0;" }],
  ['{{ with $x := "v" }}{{ $x }}{{ . }}{{ end }}{{ with "" }}a{{ else }}b{{ end }}', { "1": "vvb" }],
  ['{{ block "blk" $labels.job }}<{{ . }}>{{ end }}', { "1": "<j0>" }],
  ['{{ args 1 "b" }} {{ safeHtml "<b>" }}', { "1": "map[arg0:1 arg1:b] <b>" }],
  ['{{ $labels.job | printf "%s-%s" "x" }} {{ "a" | eq "a" }}', { "1": "x-j0 true" }],
  ['{{ strvalue (query "q" | first) }}|', { "1": "|" }],
  ['{{ js "it\'s <x>" }}', { "1": "it\\'s \\u003Cx\\u003E" }],
];

/** Templates that fail when they are expanded. */
const FAULTS: readonly (readonly [template: string, message: string])[] = [
  ['{{ template "nope" }}', 'template "nope" not defined'],
  ['{{ humanize "abc" }}', ""],
  ["{{ .Nope }}", "can't evaluate field Nope"],
  ['{{ first (query "absent_thing") }}', "first() called on vector with no elements"],
  ['{{ query "sum(" }}', "unclosed left parenthesis"],
  ["{{ gt $value 1 }}", "incompatible types for comparison"],
  ["{{ toUpper 1 }}", ""],
];

const labels = labelsValue(
  new Map([
    ["__name__", "m"],
    ["instance", "h:0"],
    ["job", "j0"],
  ]),
);
const external = labelsValue(new Map([["region", "eu"]]));
const URL = "http://x.example/p";
const SERIES = [
  sampleValue(
    new Map([
      ["a", "1"],
      ["b", "z"],
    ]),
    7,
  ),
  sampleValue(
    new Map([
      ["a", "2"],
      ["b", "y"],
    ]),
    1e6,
  ),
];

// oxlint-disable-next-line require-yield -- the answers are known
function* query(text: string): Work<readonly Value[]> {
  if (text === "sum(") throw new TemplateFault("1:5: parse error: unclosed left parenthesis");
  return text === "q" ? SERIES : [];
}

function expanded(template: string, value: number): string {
  const fields = new Map<string, Value>([
    ["Labels", labels],
    ["ExternalLabels", external],
    ["ExternalURL", URL],
    ["Value", value],
  ]);
  const variables = { $labels: labels, $externalLabels: external, $externalURL: URL, $value: value };
  const parsed = parseTemplate(template, Object.keys(variables));
  return finish(expand(parsed, { dot: new Struct("data", fields), variables, query, nowMs: 90_000, externalUrl: URL }));
}

describe("templates", () => {
  test.each(EXPANSIONS)("%s", (template, byValue) => {
    for (const [value, text] of Object.entries(byValue)) expect(expanded(template, Number(value))).toBe(text);
  });

  test.each(FAULTS)("%s fails when it is expanded", (template, message) => {
    expect(() => expanded(template, 1)).toThrow(message);
    expect(() => expanded(template, 1)).toThrow(TemplateFault);
  });

  test.each([
    ['{{ range $i, $x := query "q" }}{{ $i }}={{ $x.Labels.a }}:{{ .Value }},{{ end }}', "0=1:7,1=2:1e+06,"],
    ['{{ $x := 5 }}{{ $x = 6 }}{{ range $y := query "q" }}{{ $x = $y.Value }}{{ end }}{{ $x }}', "1e+06"],
    ['{{ range query "q" }}{{ if eq .Labels.a "1" }}{{ continue }}{{ end }}{{ .Labels.a }}{{ break }}{{ end }}', "2"],
    ['{{ (index (query "q") 0).Value }} {{ (query "q" | first).Labels.a }}', "7 1"],
    ["{{ externalURL }} {{ pathPrefix }} {{ now }}", "http://x.example/p /p 90"],
    [
      "{{ toTime 1435065584.128 }} {{ toDuration 90 }} {{ toDuration 1.5 }} {{ toDuration 0.25 }}",
      "2015-06-23 13:19:44.128 +0000 UTC 1m30s 1.5s 250ms",
    ],
    [
      "{{ with (toTime 1435065584.128).UTC }}{{ .Year }} {{ .Month }} {{ .Day }} {{ .YearDay }} {{ .Weekday }} {{ .Hour }}:{{ .Minute }}:{{ .Second }}{{ end }}",
      "2015 June 23 174 Tuesday 13:19:44",
    ],
    ["{{ if false }}a{{ else if true }}b{{ else }}c{{ end }}", "b"],
    ["{{ with false }}a{{ else with 5 }}{{ . }}{{ end }}", "5"],
    ["{{ range 3 }}{{ . }}{{ end }}", "012"],
    ["a {{- 1 -}} b", "a1b"],
  ])("%s is %s", (template, text) => {
    expect(expanded(template, 1)).toBe(text);
  });

  test.each([
    ["{{ toDuration 0 }} {{ toDuration 0.0015 }} {{ toDuration 0.0000015 }} {{ toDuration 0.000000001 }}", "0s 1.5ms 1.5µs 1ns"],
    ["{{ toDuration 0.001 }} {{ toDuration 0.000001 }} {{ toDuration 1e-10 }} {{ toDuration -0.25 }}", "1ms 1µs 0s -250ms"],
    ["{{ toDuration 59.999 }} {{ toDuration 60 }} {{ toDuration 61.5 }} {{ toDuration 3599 }}", "59.999s 1m0s 1m1.5s 59m59s"],
    ["{{ toDuration 3600 }} {{ toDuration 3661.25 }} {{ toDuration 90061 }} {{ toDuration -3661 }}", "1h0m0s 1h1m1.25s 25h1m1s -1h1m1s"],
    ['{{ with "" }}a{{ else with "b" }}{{ . }}{{ end }}{{ with "" }}a{{ else with "" }}b{{ else }}c{{ end }}', "bc"],
  ])("durations as text, and chained with: %s is %s", (template, text) => {
    expect(expanded(template, 1)).toBe(text);
  });

  test("a time that 64 bits of nanoseconds cannot hold fails", () => {
    expect(() => expanded("{{ humanizeTimestamp 1e300 }}", 1)).toThrow("out of range");
  });

  test.each([
    ["{{ nope }}", 'function "nope" not defined'],
    ["{{ $nope }}", 'undefined variable "$nope"'],
    ["{{ if true }}{{ $x := 1 }}{{ end }}{{ $x }}", 'undefined variable "$x"'],
    ["{{ if true }}", "{{if}} has no {{end}}"],
    ["{{ end }}", "unexpected"],
    ["{{ else }}", "unexpected"],
    ["{{ break }}", "{{break}} outside {{range}}"],
    ["{{ 1", "unclosed action"],
    ['{{ "a }}', "unterminated quoted string"],
    ["{{ (1 }}", "unclosed left paren"],
    ["{{ }}", "missing value for command"],
    ["{{/* a", "unclosed comment"],
    ["{{ 1 | 2 }}", "only a function can follow |"],
    ['{{ $a, $b := query "q" }}', "too many declarations"],
    ["{{ template x }}", "unexpected"],
  ])("%s is refused", (template, message) => {
    expect(() => parseTemplate(template, ["$labels", "$value"])).toThrow(message);
  });

  test("a fault names the line in the template", () => {
    expect(() => parseTemplate("a\nb {{ nope }}")).toThrow(expect.objectContaining({ line: 2 }) as Error);
  });

  test.each<[string, string]>([
    ['{{ define "x" }}{{ template "x" }}{{ end }}{{ template "x" }}', "deep"],
    ["{{ range 99999 }}{{ range 99999 }}{{ end }}a{{ end }}", "more than"],
    ['{{ define "x" }}{{ . }}{{ . }}{{ end }}{{ range 99999 }}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{{ end }}', "longer than"],
    ['{{ printf "%9999d" 1 }}', "width"],
    [`{{ match "${"a".repeat(2_000)}" "a" }}`, "longer than"],
  ])("%.60s ends at a limit", (template, message) => {
    expect(() => expanded(template, 1)).toThrow(message);
  });
  test("nesting ends at a limit", () => {
    expect(() => parseTemplate("{{ if true }}".repeat(1_000))).toThrow("deeper");
    expect(() => parseTemplate(`{{ ${"(".repeat(1_000)} }}`)).toThrow("deeper");
  });
});
