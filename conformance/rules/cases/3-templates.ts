import { made } from "./phrases.ts";

/** Templates of labels and annotations. */

export const cases = [
  made({
    id: "template-value",
    covers: "templates.alerts/value",
    title: "The variable $value is the value of the element.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "{{ $value }}" } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "3"],
  }),
  made({
    id: "template-value-field",
    covers: "templates.alerts/fields",
    title: "The field .Value is the value of the element.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "{{ .Value }}" } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "3"],
  }),
  made({
    id: "template-labels",
    covers: "templates.alerts/labels",
    title: "The variable $labels has the labels of the element.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "{{ $labels.name }}" } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "a"],
  }),
  made({
    id: "template-labels-field",
    covers: "templates.alerts/fields",
    title: "The field .Labels has the labels of the element.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "{{ .Labels.name }}" } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "a"],
  }),
  made({
    id: "template-external-labels",
    covers: "templates.alerts/external-labels",
    title: "The variable $externalLabels has the external labels.",
    groups: [
      { name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "{{ $externalLabels.origin }}" } }] },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "touchstone"],
  }),
  made({
    id: "template-in-labels",
    covers: "templates.alerts/in-labels",
    title: "A label can be a template.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', labels: { of: "{{ $labels.name }}-{{ $value }}" } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-labels", "Own", "of=a-3"],
  }),
  made({
    id: "template-plain",
    covers: "templates.alerts/labels",
    title: "Text around templates stays as it is.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "a {{ $value }} b" } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "a 3 b"],
  }),
  made({
    id: "template-upper",
    covers: "templates.functions/strings",
    title: "The function toUpper makes upper case.",
    groups: [
      { name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "{{ $labels.name | toUpper }}" } }] },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "A"],
  }),
  made({
    id: "template-lower",
    covers: "templates.functions/strings",
    title: "The function toLower makes lower case.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: '{{ "ABC" | toLower }}' } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "abc"],
  }),
  made({
    id: "template-title",
    covers: "templates.functions/strings",
    title: "The function title capitalises words.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: '{{ title "two words" }}' } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "Two Words"],
  }),
  made({
    id: "template-match",
    covers: "templates.functions/strings",
    title: "The function match searches for a pattern.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: '{{ match "a.*" "xabc" }}' } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "true"],
  }),
  made({
    id: "template-replace",
    covers: "templates.functions/strings",
    title: "The function reReplaceAll replaces every match.",
    groups: [
      {
        name: "a",
        rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: '{{ reReplaceAll "(.)b" "${1}c" "abab" }}' } }],
      },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "acac"],
  }),
  made({
    id: "template-strip-port",
    covers: "templates.functions/strings",
    title: "The function stripPort leaves the host.",
    groups: [
      { name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: '{{ "host:9090" | stripPort }}' } }] },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "host"],
  }),
  made({
    id: "template-printf",
    covers: "templates.functions/go",
    title: "The function printf formats a number.",
    groups: [
      { name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: '{{ printf "%.2f" $value }}' } }] },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "3.00"],
  }),
  made({
    id: "template-if",
    covers: "templates.functions/go",
    title: "The function if chooses by a comparison.",
    groups: [
      {
        name: "a",
        rules: [
          { alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "{{ if gt $value 2.0 }}high{{ else }}low{{ end }}" } },
        ],
      },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "high"],
  }),
  made({
    id: "template-range",
    covers: "templates.functions/go",
    title: "The function range goes through the results of a query.",
    groups: [
      {
        name: "a",
        rules: [
          { alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: '{{ range query "vector(4)" }}<{{ .Value }}>{{ end }}' } },
        ],
      },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "<4>"],
  }),
  made({
    id: "template-variable",
    covers: "templates.functions/go",
    title: "Variables can be declared.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: '{{ $x := "y" }}{{ $x }}' } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "y"],
  }),
  made({
    id: "template-query",
    covers: "templates.functions/queries",
    title: "The function query shows what is stored.",
    groups: [
      {
        name: "a",
        rules: [
          {
            alert: "Own",
            expr: 'input{{inputs},name="a"}',
            annotations: { text: "{{ with query `input{{inputs}}` }}{{ . | first | value }}{{ end }}" },
          },
        ],
      },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "3"],
  }),
  made({
    id: "template-query-label",
    covers: "templates.functions/queries",
    title: "The function label shows a label of a result.",
    groups: [
      {
        name: "a",
        rules: [
          {
            alert: "Own",
            expr: 'input{{inputs},name="a"}',
            annotations: { text: '{{ with query `input{{inputs}}` }}{{ . | first | label "name" }}{{ end }}' },
          },
        ],
      },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "a"],
  }),
  made({
    id: "template-humanize",
    covers: "templates.functions/numbers",
    level: "SHOULD",
    title: "The function humanize writes metric prefixes.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "{{ humanize 1234567.0 }}" } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "1.235M"],
  }),
  made({
    id: "template-humanize-1024",
    covers: "templates.functions/numbers",
    level: "SHOULD",
    title: "The function humanize1024 writes binary prefixes.",
    groups: [
      { name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "{{ humanize1024 1048576.0 }}" } }] },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "1Mi"],
  }),
  made({
    id: "template-humanize-duration",
    covers: "templates.functions/numbers",
    level: "SHOULD",
    title: "The function humanizeDuration writes a duration.",
    groups: [
      { name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "{{ humanizeDuration 3661.0 }}" } }] },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "1h 1m 1s"],
  }),
  made({
    id: "template-humanize-percentage",
    covers: "templates.functions/numbers",
    level: "SHOULD",
    title: "The function humanizePercentage writes a percentage.",
    groups: [
      { name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "{{ humanizePercentage 0.125 }}" } }] },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "12.5%"],
  }),
  made({
    id: "template-humanize-timestamp",
    covers: "templates.functions/numbers",
    level: "SHOULD",
    title: "The function humanizeTimestamp writes a time.",
    groups: [
      { name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "{{ humanizeTimestamp 0.0 }}" } }] },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "1970-01-01 00:00:00 +0000 UTC"],
  }),
  made({
    id: "template-missing-label",
    covers: "templates.alerts/labels",
    title: "A label that is not there is empty.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "<{{ $labels.nothing }}>" } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "<>"],
  }),
  made({
    id: "template-sort-by-label",
    covers: "templates.functions/queries",
    title: "The function sortByLabel sorts results.",
    groups: [
      {
        name: "a",
        rules: [
          {
            alert: "Own",
            expr: 'input{{inputs},name="a"}',
            annotations: {
              text: '{{ range sortByLabel "n" (query `label_replace(vector(2), "n", "b", "", "") or label_replace(vector(1), "n", "a", "", "")`) }}{{ .Labels.n }}{{ end }}',
            },
          },
        ],
      },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "ab"],
  }),
  made({
    id: "template-parse-duration",
    covers: "templates.functions/strings",
    title: "The function parseDuration makes seconds of a duration.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: '{{ parseDuration "1h" }}' } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "3600"],
  }),
  made({
    id: "template-strip-domain",
    covers: "templates.functions/strings",
    title: "The function stripDomain leaves the host and the port.",
    groups: [
      {
        name: "a",
        rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: '{{ "host.example.org:80" | stripDomain }}' } }],
      },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "host:80"],
  }),
  made({
    id: "template-to-time",
    covers: "templates.functions/numbers",
    level: "SHOULD",
    title: "The function toTime makes a time that has the methods of one.",
    groups: [
      { name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "{{ (toTime 0.0).UTC.Year }}" } }] },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "1970"],
  }),
  made({
    id: "template-length",
    covers: "templates.functions/go",
    title: "The function len counts results.",
    groups: [
      { name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: '{{ len (query "vector(1)") }}' } }] },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "1"],
  }),
  made({
    id: "template-index",
    covers: "templates.functions/go",
    title: "The function index finds a label.",
    groups: [
      { name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: '{{ index $labels "name" }}' } }] },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "a"],
  }),
  made({
    id: "template-and",
    covers: "templates.functions/go",
    title: "The function and combines conditions.",
    groups: [
      {
        name: "a",
        rules: [
          {
            alert: "Own",
            expr: 'input{{inputs},name="a"}',
            annotations: { text: "{{ if and (gt $value 1.0) (lt $value 5.0) }}in{{ end }}" },
          },
        ],
      },
    ],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "in"],
  }),
  made({
    id: "template-trimmed",
    covers: "templates.functions/go",
    title: "Hyphens in the braces trim the text around them.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: 'input{{inputs},name="a"}', annotations: { text: "a {{- $value -}} b" } }] }],
    stages: [{ inputs: { a: 3 }, until: { alert: "Own", is: "firing" } }],
    see: ["shows-annotation", "Own", "text", "a3b"],
  }),
  made({
    id: "template-error-fires",
    covers: "templates.errors/goes-on",
    level: "SHOULD",
    title: "An alert whose annotation cannot be expanded fires.",
    groups: [{ name: "a", rules: [{ alert: "Own", expr: "vector(1)", annotations: { text: "{{ first (query `absent(vector(1))`) }}" } }] }],
    stages: [{ until: { alert: "Own", is: "firing" } }, { until: { evaluated: 2 } }],
    see: ["shows-state", "Own", "firing"],
  }),
];
