/** The templates that every router has, under the names that configurations ask for. */
export const DEFAULT_TEMPLATES = `
{{- define "__alertmanager" }}Touchstone{{ end -}}
{{- define "__alertmanagerURL" }}{{ .ExternalURL }}/api/v2/alerts/groups?receiver={{ .Receiver | urlquery }}{{ end -}}
{{- define "__subject" }}[{{ .Status | toUpper }}{{ if eq .Status "firing" }}:{{ .Alerts.Firing | len }}{{ end }}]
  {{- range .GroupLabels.SortedPairs }} {{ .Value }}{{ end }}
  {{- with .CommonLabels.Remove .GroupLabels.Names }}{{ if .Values }} ({{ join " " .Values }}){{ end }}{{ end }}{{ end -}}
{{- define "__text_alert_list" }}{{ range . }}
{{ range .Labels.SortedPairs }}{{ .Name }}: {{ .Value }}
{{ end }}{{ range .Annotations.SortedPairs }}{{ .Name }}: {{ .Value }}
{{ end }}{{ if .GeneratorURL }}{{ .GeneratorURL }}
{{ end }}{{ end }}{{ end -}}
{{- define "email.default.subject" }}{{ template "__subject" . }}{{ end -}}
{{- define "email.default.text" }}{{ if .Alerts.Firing }}Firing: {{ .Alerts.Firing | len }}
{{ template "__text_alert_list" .Alerts.Firing }}{{ end }}
{{- if .Alerts.Resolved }}Resolved: {{ .Alerts.Resolved | len }}
{{ template "__text_alert_list" .Alerts.Resolved }}{{ end }}
{{ template "__alertmanagerURL" . }}
{{ end -}}
{{- define "__html_alert_list" }}{{ range . }}<table style="border-left:4px solid {{ if eq .Status "firing" }}#c62828{{ else }}#2e7d32{{ end }};margin:0 0 16px;padding-left:8px">
{{ range .Labels.SortedPairs }}<tr><th align="left">{{ .Name }}</th><td>{{ .Value }}</td></tr>
{{ end }}{{ range .Annotations.SortedPairs }}<tr><th align="left">{{ .Name }}</th><td><em>{{ .Value }}</em></td></tr>
{{ end }}{{ if .GeneratorURL }}<tr><td colspan="2"><a href="{{ .GeneratorURL }}">Source</a></td></tr>
{{ end }}</table>
{{ end }}{{ end -}}
{{- define "email.default.html" }}<!doctype html>
<html><head><meta charset="utf-8"><title>{{ template "__subject" . }}</title></head>
<body style="font-family:sans-serif">
{{ if .Alerts.Firing }}<h2>Firing: {{ .Alerts.Firing | len }}</h2>
{{ template "__html_alert_list" .Alerts.Firing }}{{ end }}
{{- if .Alerts.Resolved }}<h2>Resolved: {{ .Alerts.Resolved | len }}</h2>
{{ template "__html_alert_list" .Alerts.Resolved }}{{ end }}
<p><a href="{{ template "__alertmanagerURL" . }}">Alerts of this receiver</a></p>
</body></html>
{{ end -}}
`;
