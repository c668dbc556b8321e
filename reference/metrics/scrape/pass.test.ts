import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Columns, Labels, Matcher, METRIC_NAME } from "../model/index.ts";
import { MemoryStorage } from "../storage/index.ts";
import { DEFAULT_RELABEL, formatOf, type Outcome, type RelabelConfig, Relabelling, TargetPass } from "./index.ts";
import type { PassOptions } from "./pass.ts";

const md5 = (octets: Uint8Array): Uint8Array => createHash("md5").update(octets).digest();
const rules = (...list: Partial<RelabelConfig>[]): Relabelling =>
  new Relabelling(
    list.map((one) => ({ ...DEFAULT_RELABEL, ...one })),
    { md5 },
  );

const OPTIONS: PassOptions = {
  target: Labels.of({ job: "j", instance: "h:1" }),
  honor_labels: false,
  honor_timestamps: true,
  track_timestamps_staleness: false,
  metric_relabel: rules(),
  scheme: "utf8",
  label_limit: 0,
  label_name_length_limit: 0,
  label_value_length_limit: 0,
  sample_limit: 0,
  body_size_limit: 0,
  extra_scrape_metrics: false,
  isNative: false,
  isAlwaysClassic: false,
  timeoutMs: 10_000,
};
const REPORTS = new Set([
  "up",
  "scrape_duration_seconds",
  "scrape_samples_scraped",
  "scrape_samples_post_metric_relabeling",
  "scrape_series_added",
]);

/** A target with its storage: scrapes come every 10 s of virtual time. */
class Bench {
  readonly storage = new MemoryStorage();
  readonly pass: TargetPass;
  at = 0;

  constructor(options: Partial<PassOptions> = {}) {
    this.pass = new TargetPass({ ...OPTIONS, ...options });
  }
  scrape(text: string, format: "text" | "openmetrics" = "text"): Outcome {
    this.at += 10_000;
    return this.pass.store(this.storage, { octets: Buffer.from(text), format }, this.at, 250);
  }
  fail(error: string): Outcome {
    this.at += 10_000;
    return this.pass.store(this.storage, { error }, this.at, 250);
  }
  /** Samples as `value@seconds` by series; `stale` marks an end. Job and instance are left out. */
  stored(isReport = false): Record<string, string> {
    const querier = this.storage.querier();
    const all: Record<string, string> = {};
    for (const series of querier.select([new Matcher(METRIC_NAME, "!=", "")], -Infinity, Infinity)) {
      if (REPORTS.has(series.labels.metric) !== isReport) continue;
      const columns = new Columns();
      series.read(columns, -Infinity, Infinity);
      const samples = Array.from(
        { length: columns.length },
        (_, row) => `${columns.isStale(row) ? "stale" : columns.values[row]}@${columns.times[row]! / 1_000}`,
      );
      all[series.labels.without(new Set(["job", "instance"])).toString()] = samples.join(" ");
    }
    return all;
  }
}

describe("samples", () => {
  test("values get the time of the scrape, and the labels of the target", () => {
    const bench = new Bench();
    expect(bench.scrape('a 1\nb{x="y"} 2\n')).toMatchObject({ error: undefined, scraped: 2, kept: 2, added: 2 });
    bench.scrape('a 3\nb{x="y"} 4\n');
    expect(bench.stored()).toEqual({ a: "1@10 3@20", 'b{x="y"}': "2@10 4@20" });
    const [series] = bench.storage.querier().select([new Matcher(METRIC_NAME, "=", "a")], 0, 1e9);
    expect(series?.labels.toJSON()).toEqual({ __name__: "a", job: "j", instance: "h:1" });
  });
  test("timestamps of the page are honoured, and those series are not marked when they go", () => {
    const bench = new Bench();
    bench.scrape("a 1 5000\nb 1\n");
    bench.scrape("b 1\n");
    expect(bench.stored()).toEqual({ a: "1@5", b: "1@10 1@20" });
  });
  test("timestamps may be ignored", () => {
    const bench = new Bench({ honor_timestamps: false });
    bench.scrape("a 1 5000\n");
    bench.scrape("b 1\n");
    expect(bench.stored()).toEqual({ a: "1@10 stale@20", b: "1@20" });
  });
  test("the end of series with timestamps may be tracked", () => {
    const bench = new Bench({ track_timestamps_staleness: true });
    bench.scrape("a 1 5000\n");
    bench.scrape("b 1\n");
    expect(bench.stored()["a"]).toBe("1@5 stale@20");
  });
  test("OpenMetrics: timestamps are in seconds", () => {
    const bench = new Bench();
    bench.scrape("a 1 5.5\n# EOF\n", "openmetrics");
    expect(bench.stored()).toEqual({ a: "1@5.5" });
  });
});

describe("exemplars", () => {
  const page = (line: string): string => `# TYPE c counter\n${line}\n# EOF\n`;
  const kept = (bench: Bench): unknown[] =>
    [...bench.storage.exemplars.select([[new Matcher("job", "=", "j")]], 0, 1e9)].map(({ series, exemplars }) => [
      series.metric,
      exemplars.map(({ labels, value, time }) => [labels.get("trace"), value, time]),
    ]);

  test("are kept with the labels of the stored series, and the time of the scrape if they have none", () => {
    const bench = new Bench({
      metric_relabel: rules({ source_labels: ["__name__"], regex: "c_total", target_label: "__name__", replacement: "d" }),
    });
    bench.scrape(page('c_total 5 # {trace="a"} 0.5 7.25'), "openmetrics");
    bench.scrape(page('c_total 6 # {trace="b"} 0.75'), "openmetrics");
    expect(kept(bench)).toEqual([
      [
        "d",
        [
          ["a", 0.5, 7_250],
          ["b", 0.75, 20_000],
        ],
      ],
    ]);
  });

  test("of a page that is not stored, of dropped series and from far ahead are not", () => {
    const bench = new Bench({ sample_limit: 1, metric_relabel: rules({ action: "drop", source_labels: ["x"], regex: "1" }) });
    bench.scrape(page('c_total{a="1"} 5 # {trace="a"} 1\nc_total{a="2"} 5 # {trace="a"} 1'), "openmetrics");
    bench.scrape(page('c_total{x="1"} 5 # {trace="a"} 1'), "openmetrics");
    bench.scrape(page('c_total 5 # {trace="a"} 1 9999'), "openmetrics");
    expect(kept(bench)).toEqual([]);
  });
});

describe("labels that the target has, too", () => {
  test("are renamed", () => {
    const bench = new Bench();
    bench.scrape('a{job="x",exported_job="y"} 1\n');
    expect(bench.stored()).toEqual({ 'a{exported_exported_job="x", exported_job="y"}': "1@10" });
  });
  test("stay where labels are honoured; an empty one keeps the target's away", () => {
    const bench = new Bench({ honor_labels: true });
    bench.scrape('a{job="x"} 1\nb{job=""} 1\n');
    const all = [...bench.storage.querier().select([new Matcher(METRIC_NAME, "=~", "a|b")], 0, 1e9)].map(({ labels }) => labels.get("job"));
    expect(all.sort()).toEqual(["", "x"]);
  });
});

describe("relabelling of samples", () => {
  test("dropped samples are counted before and after", () => {
    const bench = new Bench({ metric_relabel: rules({ source_labels: ["__name__"], regex: "b.*", action: "drop" }) });
    expect(bench.scrape("a 1\nb1 1\nb2 1\n")).toMatchObject({ scraped: 3, kept: 1, added: 1 });
    expect(bench.scrape("a 1\nb1 1\nb2 1\n")).toMatchObject({ scraped: 3, kept: 1, added: 0 });
    expect(bench.stored()).toEqual({ a: "1@10 1@20" });
  });
  test("it sees the labels of the target", () => {
    const bench = new Bench({ metric_relabel: rules({ source_labels: ["instance"], target_label: "host" }) });
    bench.scrape("a 1\n");
    expect(bench.stored()).toEqual({ 'a{host="h:1"}': "1@10" });
  });
  test("two series that become one: the second sample is refused and counted", () => {
    const bench = new Bench({ metric_relabel: rules({ regex: "x", action: "labeldrop" }) });
    expect([...bench.scrape('a{x="1"} 1\na{x="2"} 2\n').refused]).toEqual([["duplicate sample for timestamp", 1]]);
    expect(bench.stored()).toEqual({ a: "1@10" });
  });
  test("a sample without a name fails the scrape", () => {
    const bench = new Bench({ metric_relabel: rules({ regex: "__name__", action: "labeldrop" }) });
    expect(bench.scrape("a 1\n").error).toContain("no metric name");
  });
});

describe("staleness", () => {
  test("a series that goes is marked once, and continues when it comes back", () => {
    const bench = new Bench();
    bench.scrape("a 1\nb 1\n");
    bench.scrape("a 1\n");
    bench.scrape("a 1\n");
    bench.scrape("a 1\n");
    expect(bench.scrape("a 1\nb 2\n")).toMatchObject({ added: 1 });
    expect(bench.stored()).toEqual({ a: "1@10 1@20 1@30 1@40 1@50", b: "1@10 stale@20 2@50" });
  });
  test("a series that comes back at once is not added again", () => {
    const bench = new Bench();
    bench.scrape("a 1\nb 1\n");
    bench.scrape("a 1\n");
    expect(bench.scrape("a 1\nb 2\n").added).toBe(0);
  });
  test("a failed scrape marks all series, and the next failure none", () => {
    const bench = new Bench();
    bench.scrape("a 1\n");
    expect(bench.fail("refused")).toMatchObject({ error: "refused", scraped: 0 });
    bench.fail("refused");
    expect(bench.scrape("a 2\n").added).toBe(0);
    expect(bench.stored()).toEqual({ a: "1@10 stale@20 2@40" });
  });
  test("a malformed page stores nothing, marks all series, and never a new one", () => {
    const bench = new Bench();
    bench.scrape("a 1\n");
    expect(bench.scrape("a 2\nb 1\nc{\n").error).toBeDefined();
    expect(bench.stored()).toEqual({ a: "1@10 stale@20" });
  });
  test("a target that ends: its series, and those about it", () => {
    const bench = new Bench();
    bench.scrape("a 1\n");
    bench.pass.end(bench.storage, 15_000);
    expect(bench.stored()).toEqual({ a: "1@10 stale@15" });
    expect(bench.stored(true)["up"]).toBe("1@10 stale@15");
  });
});

describe("limits fail the whole scrape", () => {
  test("samples: those that rules drop do not count, and the total is reported", () => {
    const bench = new Bench({ sample_limit: 2, metric_relabel: rules({ source_labels: ["__name__"], regex: "x", action: "drop" }) });
    expect(bench.scrape("a 1\nb 1\nx 1\n").error).toBeUndefined();
    expect(bench.scrape("a 1\nb 1\nc 1\nx 1\n")).toMatchObject({
      error: expect.stringContaining("sample_limit of 2") as string,
      scraped: 4,
      kept: 3,
    });
    expect(bench.stored()).toEqual({ a: "1@10 stale@20", b: "1@10 stale@20" });
  });
  test.each<[string, Partial<PassOptions>, string, string]>([
    ["octets of the page", { body_size_limit: 4 }, "a 1\n", "a 11\n"],
    ["labels of a series, with its name and those of the target", { label_limit: 4 }, 'a{x="1"} 1\n', 'a{x="1",y="2"} 1\n'],
    ["octets of a label name", { label_name_length_limit: 8 }, 'a{éééé="1"} 1\n', 'a{ééééé="1"} 1\n'],
    ["octets of a label value", { label_value_length_limit: 4 }, 'a{x="éé"} 1\n', 'a{x="ééé"} 1\n'],
  ])("%s", (_, options, good, bad) => {
    const bench = new Bench(options);
    expect([
      bench.scrape(good.replaceAll("éééé=", '"éééé"=').replaceAll("ééééé=", '"ééééé"=')).error,
      bench.scrape(bad.replaceAll(/(é+)=/g, '"$1"=')).error === undefined,
    ]).toEqual([undefined, false]);
  });
});

test("an empty label is none, and does not count", () => {
  const bench = new Bench({ label_limit: 3 });
  expect(bench.scrape('a{x=""} 1\n').error).toBeUndefined();
  expect(bench.stored()).toEqual({ a: "1@10" });
});

describe("samples that the storage refuses are counted, and the rest is stored", () => {
  test("older than the last", () => {
    const bench = new Bench();
    bench.scrape("a 1 9000\nb 1\n");
    expect([...bench.scrape("a 2 8000\nb 2\n").refused]).toEqual([["out of order sample", 1]]);
    expect(bench.stored()).toEqual({ a: "1@9", b: "1@10 2@20" });
  });
  test("more than ten minutes ahead", () => {
    const bench = new Bench();
    expect([...bench.scrape("a 1 610001\nb 1 610000\n").refused]).toEqual([["too far ahead", 1]]);
    expect(bench.stored()).toEqual({ b: "1@610" });
  });
});

describe("series about the scrape", () => {
  test("of a good and a failed one", () => {
    const bench = new Bench();
    bench.scrape("a 1\nb 1\n");
    bench.fail("no answer");
    expect(bench.stored(true)).toEqual({
      up: "1@10 0@20",
      scrape_duration_seconds: "0.25@10 0.25@20",
      scrape_samples_scraped: "2@10 0@20",
      scrape_samples_post_metric_relabeling: "2@10 0@20",
      scrape_series_added: "2@10 0@20",
    });
  });
  test("more of them where the job asks for them", () => {
    const bench = new Bench({ extra_scrape_metrics: true, sample_limit: 9 });
    bench.scrape("a 1\n");
    expect(bench.stored()).toMatchObject({ scrape_timeout_seconds: "10@10", scrape_sample_limit: "9@10", scrape_body_size_bytes: "4@10" });
  });
  test("the size of a page that is too large is -1, and that of any other failure 0", () => {
    const bench = new Bench({ extra_scrape_metrics: true, body_size_limit: 4 });
    bench.scrape("a 11\n");
    bench.fail("no answer");
    bench.scrape("a }\n");
    expect(bench.stored()).toMatchObject({ scrape_body_size_bytes: "-1@10 0@20 0@30" });
  });
});

test("a page in another order, and in another format, continues its series", () => {
  const bench = new Bench();
  bench.scrape("a 1\nb 1\nc 1\n");
  expect(bench.scrape("c 2\na 2\nb 2\n").added).toBe(0);
  expect(bench.scrape("b 3\nc 3\na 3\n# EOF\n", "openmetrics").added).toBe(0);
  expect(bench.stored()).toEqual({ a: "1@10 2@20 3@30", b: "1@10 2@20 3@30", c: "1@10 2@20 3@30" });
});

test.each<[string | undefined, string | undefined, string | undefined]>([
  ["text/plain; version=0.0.4", undefined, "text"],
  ["text/plain", undefined, "text"],
  ["application/openmetrics-text; version=1.0.0; charset=utf-8", undefined, "openmetrics"],
  ["application/json", undefined, undefined],
  [undefined, undefined, undefined],
  [undefined, "OpenMetricsText1.0.0", "openmetrics"],
  ["text/html", "PrometheusText0.0.4", "text"],
])("Content-Type %s with the fallback %s is %s", (type, fallback, format) => {
  expect(formatOf(type, fallback)).toBe(format);
});
