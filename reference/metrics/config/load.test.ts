import { describe, expect, test } from "vitest";
import { EXAMPLES } from "./corpus.ts";
import { describeProblem, loadConfig, loadScrapeConfigs, loadTargets, configText, type Config } from "./index.ts";

function load(yaml: string, environment: Record<string, string> = {}): Config {
  const { config, problems } = loadConfig(yaml, { file: "/etc/metrics/metrics.yml", environment });
  expect(problems).toEqual([]);
  return config!;
}
const firstJob = (yaml: string) => load(yaml).scrape_configs[0]!;

describe("the corpus", () => {
  test.each(EXAMPLES)("$name", ({ yaml, problems = [] }) => {
    const loaded = loadConfig(yaml, { file: "m.yml" });
    expect(loaded.problems.map((one) => describeProblem(one))).toEqual(problems.map((part) => expect.stringContaining(`m.yml:${part}`)));
    expect(loaded.config === undefined).toBe(problems.length > 0);
  });
});

describe("defaults", () => {
  test("an empty file has the published ones", () => {
    const { global, scrape_configs } = load("");
    expect(global).toMatchObject({
      scrape_interval: 60_000,
      scrape_timeout: 10_000,
      evaluation_interval: 60_000,
      metric_name_validation_scheme: "utf8",
    });
    expect(scrape_configs).toEqual([]);
  });
  test("a job has those of global, and its own", () => {
    const job = firstJob("global: {scrape_interval: 5s, sample_limit: 7}\nscrape_configs: [{job_name: a}]");
    expect(job).toMatchObject({
      scrape_interval: 5_000,
      scrape_timeout: 5_000,
      sample_limit: 7,
      metrics_path: "/metrics",
      scheme: "http",
      honor_timestamps: true,
    });
    expect(job.scrape_protocols[0]).toBe("OpenMetricsText1.0.0");
  });
  test("native histograms ask for the format that has them first", () => {
    expect(firstJob("scrape_configs: [{job_name: a, scrape_native_histograms: true}]").scrape_protocols[0]).toBe("PrometheusProto");
  });
  test("older names imply their escaping", () => {
    expect(firstJob("scrape_configs: [{job_name: a, metric_name_validation_scheme: legacy}]").metric_name_escaping_scheme).toBe(
      "underscores",
    );
  });
  test("a queue that is named partly keeps the other defaults", () => {
    expect(load("remote_write: [{url: 'http://h/', queue_config: {max_shards: 3}}]").remote_write[0]?.queue_config).toMatchObject({
      max_shards: 3,
      capacity: 10_000,
    });
  });
});

describe("values", () => {
  test("external labels: variables of the environment, and $$", () => {
    const { global } = load("global: {external_labels: {a: 'x-${HOST}', b: $HOST, c: $$HOST, d: $NONE}}", { HOST: "h1" });
    expect(global.external_labels).toEqual({ a: "x-h1", b: "h1", c: "$HOST", d: "" });
  });
  test("a relative path begins in the directory of the file", () => {
    const { files } = loadConfig("rule_files: [a.yml, /b.yml]", { file: "/etc/metrics/metrics.yml" });
    expect(files).toEqual([
      { path: "/etc/metrics/a.yml", line: 1, field: "rule_files[0]", use: "rules" },
      { path: "/b.yml", line: 1, field: "rule_files[1]", use: "rules" },
    ]);
  });
  test.each([
    ["10MB", 10_485_760],
    ["1GB512MB", 1_610_612_736],
    ["1KiB", 1_024],
    ["0", 0],
  ])("the size %s is %i octets", (written, octets) => {
    expect(firstJob(`scrape_configs: [{job_name: a, body_size_limit: ${written}}]`).body_size_limit).toBe(octets);
  });
  test("a leading zero means octal", () => {
    expect(firstJob("scrape_configs: [{job_name: a, sample_limit: 010}]").sample_limit).toBe(8);
  });
  test("the keys of a map replace merged ones", () => {
    expect(
      firstJob("global: &g {scrape_interval: 5s, sample_limit: 3}\nscrape_configs:\n  - {<<: *g, job_name: a, sample_limit: 4}"),
    ).toMatchObject({ scrape_interval: 5_000, sample_limit: 4 });
  });
  test("aliases cannot repeat a part without end", () => {
    const many = Array.from(
      { length: 9 },
      (_, at) => `  l${at + 1}: &l${at + 1} [${Array.from({ length: 10 }, () => `*l${at}`).join(", ")}]`,
    ).join("\n");
    const { problems } = loadConfig(`x:\n  l0: &l0 [a]\n${many}\nscrape_configs: *l9\n`, { file: "m.yml" });
    expect(problems.length).toBeLessThanOrEqual(100);
  });
});

describe("agent mode", () => {
  test("sections of rules, alerts and queries are refused", () => {
    const { problems } = loadConfig("rule_files: [a.yml]\nalerting: {}\nremote_read: [{url: 'http://h/'}]", {
      file: "m.yml",
      isAgent: true,
    });
    expect(problems.map(({ field }) => field).sort()).toEqual(["alerting", "remote_read", "rule_files"]);
  });
});

describe("notices", () => {
  test("every setting without an effect is named with its place", () => {
    const { notices } = loadConfig(
      "remote_write:\n  - {url: http://h/, sigv4: {}, round_robin_dns: true}\nscrape_configs:\n  - job_name: a\n    native_histogram_bucket_limit: 100\n",
      {
        file: "m.yml",
      },
    );
    expect(notices.map((one) => describeProblem(one))).toEqual([
      "m.yml:2: remote_write[0].round_robin_dns: it has no effect yet",
      "m.yml:2: remote_write[0].sigv4: it is not supported yet: nothing is sent to this receiver",
      expect.stringContaining("m.yml:5: scrape_configs[0].native_histogram_bucket_limit: it has no effect yet"),
    ]);
  });
  test("a configuration that is acted on has none", () => {
    const yaml =
      "global: {external_labels: {a: b}}\nscrape_configs: [{job_name: a, basic_auth: {username: u, password: p}, static_configs: [{targets: ['h:1']}]}]";
    expect(loadConfig(yaml, { file: "m.yml" }).notices).toEqual([]);
  });
});

describe("what is shown", () => {
  const shown = configText(
    load("scrape_configs: [{job_name: a, basic_auth: {username: u, password: hunter2}}]\nremote_write: [{url: 'http://u:hunter2@h/'}]"),
  );
  test("secrets are hidden, also those in URLs", () => {
    expect(shown).not.toContain("hunter2");
    expect(shown).toContain("password: <secret>");
    expect(shown).toContain("http://u:<secret>@h/");
  });
  test("defaults are shown, with units", () => {
    expect(shown).toContain("scrape_interval: 1m");
    expect(shown).toContain("metrics_path: /metrics");
  });
  test("it is a configuration again", () => {
    const { problems } = loadConfig(shown, { file: "again.yml" });
    expect(problems).toEqual([]);
  });
});

describe("other files", () => {
  test("jobs of another file take the defaults of global, and may not repeat a name", () => {
    const { global } = load("global: {scrape_interval: 5s}");
    const { jobs, problems } = loadScrapeConfigs("scrape_configs: [{job_name: a}, {job_name: b}]", "more.yml", global, new Set(["b"]));
    expect(jobs[0]?.scrape_interval).toBe(5_000);
    expect(problems.map((one) => describeProblem(one))).toEqual(['more.yml:1: scrape_configs[1].job_name: there is another one named "b"']);
  });
  test("targets: JSON and YAML", () => {
    expect(loadTargets('[{"targets":["a:1","b:2"],"labels":{"env":"x"}}]', "t.json").groups).toEqual([
      { targets: ["a:1", "b:2"], labels: { env: "x" } },
    ]);
    expect(loadTargets("- targets: [a:1]\n", "t.yml").groups).toEqual([{ targets: ["a:1"], labels: {} }]);
  });
  test("targets: a fault is named with its place", () => {
    expect(loadTargets("- target: [a:1]\n", "t.yml").problems.map((one) => describeProblem(one))).toEqual([
      "t.yml:1: [0].target: unknown field; do you mean targets?",
    ]);
  });
});
