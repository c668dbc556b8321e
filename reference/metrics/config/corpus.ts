/** Configurations and what is wrong with them, for tests and for comparison with other programs. */
export type Example = {
  readonly name: string;
  readonly yaml: string;
  /** Line, field and a part of the message of each problem; none for a valid configuration. */
  readonly problems?: readonly string[];
  /** Why an older Prometheus, 2.42, judges otherwise. */
  readonly older?: string;
};

const job = (lines: string): string => `scrape_configs:\n  - job_name: a\n${lines.replaceAll(/^/gm, "    ")}\n`;
const rule = (lines: string): string => job(`relabel_configs:\n  - ${lines}`);
const write = (lines: string): string => `remote_write:\n  - url: http://h/\n${lines.replaceAll(/^/gm, "    ")}\n`;
const NEW = "the field is newer";

export const EXAMPLES: readonly Example[] = [
  { name: "an empty file", yaml: "" },
  { name: "only a comment", yaml: "# nothing\n" },
  { name: "an empty global", yaml: "global:\n" },
  { name: "an unknown section", yaml: "globl: {}\n", problems: ["1: globl: unknown field; do you mean global?"] },
  {
    name: "an unknown field deep inside",
    yaml: job("static_configs:\n  - target: [b:1]"),
    problems: ["4: scrape_configs[0].static_configs[0].target: unknown field; do you mean targets?"],
  },
  {
    name: "a duration without a unit",
    yaml: "global:\n  scrape_interval: 15\n",
    problems: ['2: global.scrape_interval: "15" is not a duration'],
  },
  {
    name: "a duration with units out of order",
    yaml: "global:\n  scrape_interval: 1s1m\n",
    problems: ['2: global.scrape_interval: "1s1m" is not a duration'],
  },
  { name: "a duration of several units", yaml: "global:\n  scrape_interval: 1m30s\n" },
  { name: "a duration of zero means the default", yaml: "global:\n  scrape_interval: 0s\n" },
  {
    name: "a time-out longer than the interval",
    yaml: "global:\n  scrape_interval: 5s\n  scrape_timeout: 6s\n",
    problems: ["3: global.scrape_timeout: it is longer than the scrape_interval"],
  },
  {
    name: "a job whose time-out is longer than its interval",
    yaml: job("scrape_interval: 5s\nscrape_timeout: 6s"),
    problems: ["4: scrape_configs[0].scrape_timeout: it is longer"],
  },
  { name: "a job whose interval is shorter than the time-out of global", yaml: job("scrape_interval: 5s") },
  { name: "external labels", yaml: "global:\n  external_labels: {a: b, c: 1}\n" },
  { name: "an external label with a dot", yaml: "global:\n  external_labels: {a.b: c}\n", older: "names were plain" },
  {
    name: "an external label that the older rule forbids",
    yaml: "global:\n  metric_name_validation_scheme: legacy\n  external_labels: {a.b: c}\n",
    problems: ['3: global.external_labels: "a.b" is not a label name'],
  },
  {
    name: "two jobs of one name",
    yaml: "scrape_configs:\n  - job_name: a\n  - job_name: a\n",
    problems: ['3: scrape_configs[1].job_name: there is another one named "a"'],
  },
  {
    name: "a job without a name",
    yaml: "scrape_configs:\n  - scrape_interval: 5s\n",
    problems: ["2: scrape_configs[0].job_name: it is missing"],
  },
  {
    name: "a job with an empty name",
    yaml: 'scrape_configs:\n  - job_name: ""\n',
    problems: ["2: scrape_configs[0].job_name: it is missing"],
  },
  { name: "an empty job", yaml: "scrape_configs:\n  -\n", problems: ["2: scrape_configs[0]: the section is empty"] },
  {
    name: "jobs that are a map",
    yaml: "scrape_configs:\n  a: b\n",
    problems: ["2: scrape_configs: a map is not allowed here: give a list"],
  },
  { name: "a flag in older words", yaml: job("honor_labels: yes\nhonor_timestamps: off") },
  {
    name: "an unknown flag",
    yaml: job("honor_labels: maybe"),
    problems: ['3: scrape_configs[0].honor_labels: "maybe" is not true or false'],
  },
  { name: "a negative limit", yaml: job("sample_limit: -1"), problems: ["3: scrape_configs[0].sample_limit: -1 is too small"] },
  {
    name: "a size without a unit",
    yaml: job("body_size_limit: 10"),
    problems: ['3: scrape_configs[0].body_size_limit: "10" is not a size'],
  },
  { name: "a size", yaml: job("body_size_limit: 10MB") },
  {
    name: "another scheme",
    yaml: job("scheme: ftp"),
    problems: ['3: scrape_configs[0].scheme: "ftp" is not http or https'],
    older: "it is found when the target is scraped",
  },
  {
    name: "a target with a path",
    yaml: job("static_configs:\n  - targets: [http://b:1/metrics]"),
    problems: ['4: scrape_configs[0].static_configs: "http://b:1/metrics" is not a host'],
  },
  {
    name: "a target with a path that rules may change",
    yaml: job(
      "static_configs:\n  - targets: [http://b:1/metrics]\nrelabel_configs:\n  - {source_labels: [__address__], regex: 'http://([^/]*)/.*', target_label: __address__}",
    ),
  },
  { name: "protocols", yaml: job("scrape_protocols: [PrometheusProto, PrometheusText0.0.4]"), older: NEW },
  {
    name: "an unknown protocol",
    yaml: job("scrape_protocols: [Text]"),
    problems: ['3: scrape_configs[0].scrape_protocols[0]: "Text" is not one of'],
  },
  {
    name: "a protocol twice",
    yaml: job("scrape_protocols: [PrometheusProto, PrometheusProto]"),
    problems: ["3: scrape_configs[0].scrape_protocols[1]: PrometheusProto is listed twice"],
  },
  { name: "no protocols", yaml: job("scrape_protocols: []"), problems: ["3: scrape_configs[0].scrape_protocols: it is empty"] },
  {
    name: "escaping that the names rule out",
    yaml: job("metric_name_validation_scheme: legacy\nmetric_name_escaping_scheme: allow-utf-8"),
    problems: ["4: scrape_configs[0].metric_name_escaping_scheme: allow-utf-8 needs"],
  },
  { name: "basic authentication", yaml: job("basic_auth: {username: a, password: b}") },
  {
    name: "two ways to authenticate",
    yaml: job("basic_auth: {username: a}\nauthorization: {credentials: b}"),
    problems: ["4: scrape_configs[0].authorization: it cannot be combined with basic_auth"],
  },
  {
    name: "a password twice",
    yaml: job("basic_auth: {username: a, password: b, password_file: c}"),
    problems: ["3: scrape_configs[0].basic_auth.password_file: it cannot be combined with password"],
  },
  {
    name: "the scheme Basic of authorization",
    yaml: job("authorization: {type: basic, credentials: b}"),
    problems: ["3: scrape_configs[0].authorization.type: use basic_auth"],
  },
  {
    name: "a client certificate without its key",
    yaml: job("tls_config: {cert: a}"),
    problems: ["3: scrape_configs[0].tls_config.cert: a client certificate needs"],
  },
  { name: "a version of TLS", yaml: job("tls_config: {min_version: TLS13}") },
  {
    name: "an unknown version of TLS",
    yaml: job("tls_config: {min_version: TLS14}"),
    problems: ['3: scrape_configs[0].tls_config.min_version: "TLS14" is not one of'],
  },
  { name: "no_proxy without a proxy", yaml: job("no_proxy: a"), problems: ["3: scrape_configs[0].no_proxy: it needs proxy_url"] },
  {
    name: "OAuth 2 without an address",
    yaml: job("oauth2: {client_id: a}"),
    problems: ["3: scrape_configs[0].oauth2.token_url: it is missing"],
  },
  {
    name: "a header field that is set elsewhere",
    yaml: job("http_headers: {User-Agent: {values: [a]}}"),
    problems: ["3: scrape_configs[0].http_headers.User-Agent: this header field cannot be set here"],
  },
  {
    name: "a rule with all fields",
    yaml: rule('{source_labels: [a, b], separator: "-", regex: "(x+)", target_label: "c_${1}", replacement: $1, action: Replace}'),
  },
  {
    name: "a rule with an unknown action",
    yaml: rule("action: rename"),
    problems: ['4: scrape_configs[0].relabel_configs[0].action: "rename" is not one of'],
  },
  {
    name: "a rule with a broken pattern",
    yaml: rule("{regex: '(', target_label: a}"),
    problems: ['4: scrape_configs[0].relabel_configs[0].regex: "(" is not a regular expression'],
  },
  {
    name: "a rule with a look-ahead",
    yaml: rule("{regex: 'a(?=b)', target_label: a}"),
    problems: ["4: scrape_configs[0].relabel_configs[0].regex:"],
  },
  {
    name: "a rule without a target",
    yaml: rule("source_labels: [a]"),
    problems: ["4: scrape_configs[0].relabel_configs[0].target_label: the action replace needs a target_label"],
  },
  {
    name: "a hash without a modulus",
    yaml: rule("{source_labels: [a], target_label: b, action: hashmod}"),
    problems: ["4: scrape_configs[0].relabel_configs[0].modulus: the action hashmod needs"],
  },
  {
    name: "a dropped label with a target",
    yaml: rule("{regex: a, target_label: b, action: labeldrop}"),
    problems: ["4: scrape_configs[0].relabel_configs[0].target_label: the action labeldrop uses only regex"],
  },
  {
    name: "a comparison with a pattern",
    yaml: rule("{source_labels: [a], regex: b, target_label: b, action: keepequal}"),
    problems: ["4: scrape_configs[0].relabel_configs[0].regex: the action keepequal uses only"],
  },
  {
    name: "lower case with a replacement",
    yaml: rule("{source_labels: [a], target_label: b, replacement: c, action: lowercase}"),
    problems: ["4: scrape_configs[0].relabel_configs[0].replacement: the action lowercase does not use it"],
  },
  { name: "an empty rule", yaml: rule(""), problems: ["4: scrape_configs[0].relabel_configs[0]: the relabelling rule is empty"] },
  {
    name: "files without names",
    yaml: job("file_sd_configs:\n  - refresh_interval: 5s"),
    problems: ["4: scrape_configs[0].file_sd_configs[0].files: it is empty"],
  },
  {
    name: "files of another kind",
    yaml: job("file_sd_configs:\n  - files: [a.txt]"),
    problems: ['4: scrape_configs[0].file_sd_configs[0].files: "a.txt" does not end in'],
  },
  {
    name: "addresses without a port",
    yaml: job("dns_sd_configs:\n  - {names: [a], type: A}"),
    problems: ["4: scrape_configs[0].dns_sd_configs[0].port: records of type A need a port"],
  },
  { name: "targets from a URL", yaml: job("http_sd_configs:\n  - url: http://h/targets") },
  {
    name: "targets from another scheme",
    yaml: job("http_sd_configs:\n  - url: ftp://h/targets"),
    problems: ["4: scrape_configs[0].http_sd_configs[0].url: a URL with http: or https: is needed"],
  },
  {
    name: "an instance filter without values",
    yaml: job("ec2_sd_configs:\n  - {region: r, filters: [{name: a, values: []}]}"),
    problems: ["4: scrape_configs[0].ec2_sd_configs[0].filters[0].values: it is empty"],
  },
  { name: "remote write without an address", yaml: "remote_write:\n  - name: a\n", problems: ["2: remote_write[0].url: it is missing"] },
  {
    name: "a queue with its shards the wrong way round",
    yaml: write("queue_config: {min_shards: 5, max_shards: 2}"),
    problems: ["3: remote_write[0].queue_config.min_shards: it is greater than max_shards"],
    older: "it is not checked",
  },
  {
    name: "remote write with a reserved field",
    yaml: write("headers: {Host: a}"),
    problems: ["3: remote_write[0].headers.Host: this header field cannot be set here"],
  },
  {
    name: "an older API of alert routers",
    yaml: "alerting:\n  alertmanagers:\n    - {api_version: v3}\n",
    problems: ['3: alerting.alertmanagers[0].api_version: "v3" is not one of v2'],
  },
  { name: "a pattern of rule files across folders", yaml: "rule_files: ['*/a.yml']\n", problems: ['1: rule_files: "*/a.yml" has a *'] },
  { name: "tracing without an address", yaml: "tracing: {insecure: true}\n", problems: ["1: tracing.endpoint: it is missing"] },
  { name: "a key twice", yaml: "global: {}\nglobal: {}\n", problems: ["2: Map keys must be unique"] },
  { name: "text that is not YAML", yaml: "global: [\n", problems: ["2: Flow sequence in block collection must be"] },
  { name: "a merged map", yaml: "global: &g {scrape_interval: 5s}\nscrape_configs:\n  - <<: *g\n    job_name: a\n" },
  { name: "an alias", yaml: "scrape_configs:\n  - job_name: a\n    params: {x: &x [y]}\n  - {job_name: b, params: {x: *x}}\n" },
  {
    name: "a value of another type",
    yaml: 'global:\n  external_labels: {a: !!binary "YQ=="}\n',
    problems: ["2: global.external_labels.a: the tag"],
    older: "it decodes binary text",
  },
];
