import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { testRules } from "./check-rules.ts";
import { serveMetrics } from "./index.ts";
import { freePort } from "./testing.ts";

/** Debian's prometheus and we evaluate the same rules over the same target, and show and store the same. */

const PROMETHEUS = "/usr/bin/prometheus";
const isHere = existsSync(PROMETHEUS);
if (!isHere) console.log("Rules are not compared with prometheus: it is not installed (on Debian: apt-get install prometheus).");

const folder = mkdtempSync(join(tmpdir(), "touchstone-rules-"));
let peer: ChildProcess | undefined;
let target: Server | undefined;
afterAll(() => {
  peer?.kill("SIGKILL");
  target?.close();
  rmSync(folder, { recursive: true, force: true });
});

const RULES = `groups:
- name: fast
  interval: 1s
  limit: 10
  rules:
  - {record: "job:a:sum", expr: "sum by (job) (a)", labels: {l: x}}
  - {record: "job:a:twice", expr: "job:a:sum * 2"}
  - {record: dup, expr: a, labels: {i: same}}
  - {record: text, expr: "'x'"}
  - alert: High
    expr: a > 1
    labels: {severity: "{{ if gt $value 2.0 }}page{{ else }}info{{ end }}"}
    annotations: {summary: "{{ $labels.i }} is {{ $value | humanize }} in {{ $externalLabels.region }}", sum: '{{ query "job:a:sum" | first | value }}'}
  - {alert: Slow, expr: "a > 1", for: 10m}
  - {alert: Never, expr: "a > 100"}
  - {alert: Many, expr: "vector(1) or on () a or label_replace(a, 'j', '$1', 'i', '(.*)')"}
- name: more
  interval: 1s
  rules:
  - {record: up_copy, expr: up}
`;

type Answer = { readonly data: { readonly groups: Record<string, unknown>[] } };
/** The rules without times, and without what older versions lack or have more: fields, and groups of which a filter leaves nothing. */
async function rulesOf(url: string, filter = ""): Promise<unknown> {
  const { data } = (await (await fetch(`${url}api/v1/rules${filter}`)).json()) as Answer;
  const dropped = new Set(["evaluationTime", "lastEvaluation", "activeAt", "keepFiringFor"]);
  return JSON.parse(
    JSON.stringify(
      data.groups.filter(({ rules }) => (rules as unknown[]).length > 0),
      (name, value: unknown) => {
        if (dropped.has(name) || (name === "labels" && JSON.stringify(value) === "{}")) return undefined;
        if (name === "alerts" && Array.isArray(value)) return value.map((one) => JSON.stringify(one, sorted)).sort();
        return value;
      },
    ),
  );
}
const sorted = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => name !== "activeAt")
          .sort(),
      )
    : value;

async function recorded(url: string): Promise<string[]> {
  const expr = '{__name__=~"job:.*|dup|text|up_copy|ALERTS"}';
  const { data } = (await (await fetch(`${url}api/v1/query?query=${encodeURIComponent(expr)}`)).json()) as {
    data: { result: { metric: Record<string, string>; value: [number, string] }[] };
  };
  return data.result.map(({ metric, value }) => `${JSON.stringify(Object.entries(metric).sort())} ${value[1]}`).sort();
}

test.runIf(isHere)(
  "two servers with the same rule files show the same rules and alerts, and store the same series",
  async () => {
    target = createServer(
      (_, response) => void response.setHeader("content-type", "text/plain").end('a{i="1"} 1\na{i="2"} 2\na{i="3"} 3456\n'),
    );
    const [theirs, ours, scraped] = [await freePort(), await freePort(), await freePort()];
    target.listen(scraped, "127.0.0.1");
    // Version 2.42 has neither query_offset nor keep_firing_for.
    writeFileSync(join(folder, "some.rules"), RULES);
    const file = join(folder, "metrics.yml");
    writeFileSync(
      file,
      `global: {scrape_interval: 1s, scrape_timeout: 900ms, evaluation_interval: 30s, external_labels: {region: eu}}
rule_files: ["*.rules"]
scrape_configs: [{job_name: t, static_configs: [{targets: ["127.0.0.1:${scraped}"]}]}]
`,
    );
    peer = spawn(
      PROMETHEUS,
      [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, "theirs")}`, `--web.listen-address=127.0.0.1:${theirs}`],
      { stdio: "ignore" },
    );
    await using server = await serveMetrics({
      directory: join(folder, "ours"),
      port: ours,
      graceMs: 100,
      scrape: { file, onNotice: () => {} },
    });
    const other = `http://127.0.0.1:${theirs}/`;
    await expect
      .poll(
        () =>
          recorded(other).then(
            (all) => all.length,
            () => 0,
          ),
        { timeout: 30_000, interval: 500 },
      )
      .toBe(12);
    await expect.poll(() => recorded(server.url), { interval: 500 }).toEqual(await recorded(other));
    expect(await rulesOf(server.url)).toEqual(await rulesOf(other));
    for (const filter of ["?type=alert", "?type=record"]) expect(await rulesOf(server.url, filter)).toEqual(await rulesOf(other, filter));
  },
  90_000,
);

/** A file of unit tests, each of whose tests passes or fails as promtool says. */
const TESTS = `rule_files: [unit.rules]
evaluation_interval: 1m
tests:
- interval: 1m
  input_series:
  - {series: 'up{job="a",instance="1"}', values: '0x15'}
  - {series: 'up{job="b",instance="2"}', values: '1+0x6 0x8'}
  - {series: 'n{job="a"}', values: '10+10x2 30+20x5 _x2 stale 5'}
  alert_rule_test:
  - eval_time: 10m
    alertname: Down
    exp_alerts:
    - exp_labels: {severity: page, instance: "1", job: a}
      exp_annotations: {summary: "1 of a is down: 0"}
  - {eval_time: 3m, alertname: Down}
  promql_expr_test:
  - {expr: "n > 5", eval_time: 4m, exp_samples: [{labels: 'n{job="a"}', value: 50}]}
  - {expr: "sum:n", eval_time: 150s, exp_samples: [{labels: 'sum:n', value: 30}]}
  - {expr: "n", eval_time: 11m, exp_samples: []}
  - {expr: "1 + 1", eval_time: 0m, exp_samples: [{labels: '{}', value: 2}]}
`;
const UNIT_RULES = `groups:
- name: g
  rules:
  - {record: "sum:n", expr: sum(n)}
  - alert: Down
    expr: up == 0
    for: 5m
    labels: {severity: page}
    annotations: {summary: "{{ $labels.instance }} of {{ $labels.job }} is down: {{ $value }}"}
`;
const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

test.runIf(hasPromtool).each([
  ["as written", TESTS],
  ["another annotation", TESTS.replace("is down: 0", "is down: 1")],
  ["another label", TESTS.replace("severity: page, i", "severity: info, i")],
  ["an alert too many", TESTS.replace("{eval_time: 3m, alertname: Down}", "{eval_time: 5m, alertname: Down}")],
  ["another value", TESTS.replace("value: 50", "value: 51")],
  ["a sample too many", TESTS.replace('{expr: "n", eval_time: 11m', '{expr: "n", eval_time: 12m')],
  ["a bad expression", TESTS.replace('sum:n", eval', 'sum(", eval')],
  ["a rule file that is not there", TESTS.replace("unit.rules", "other.rules")],
  ["a longer interval", TESTS.replace("evaluation_interval: 1m", "evaluation_interval: 7m")],
  ["the time of a stale mark", TESTS.replace("eval_time: 11m", "eval_time: 10m")],
])("unit tests of rules, %s: promtool and we agree", (_, text) => {
  const file = join(folder, "unit.yml");
  writeFileSync(join(folder, "unit.rules"), UNIT_RULES);
  writeFileSync(file, text);
  const theirs = spawnSync("promtool", ["test", "rules", file]).status;
  const silent = [vi.spyOn(console, "log"), vi.spyOn(console, "error")].map((one) => one.mockImplementation(() => {}));
  const before = process.exitCode;
  testRules([file]);
  const ours = process.exitCode ?? 0;
  process.exitCode = before;
  for (const one of silent) one.mockRestore();
  expect(ours).toBe(theirs);
});
