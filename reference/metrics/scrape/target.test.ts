import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Labels } from "../model/index.ts";
import { DEFAULT_RELABEL, type RelabelConfig, Relabelling, type Target, targetOf } from "./index.ts";

const JOB = { job_name: "j", metrics_path: "/metrics", scheme: "http", params: {}, scrape_interval: 15_000, scrape_timeout: 10_000 };
const durations = {
  read: (text: string) => (/^\d+ms$/.test(text) ? Number.parseInt(text, 10) : ("invalid" as const)),
  write: (ms: number) => `${ms}ms`,
};
const find = (
  labels: Record<string, string>,
  job: Partial<typeof JOB & { params: Record<string, string[]> }> = {},
  ...rules: Partial<RelabelConfig>[]
) =>
  targetOf(
    Labels.of(labels),
    { ...JOB, ...job },
    new Relabelling(
      rules.map((one) => ({ ...DEFAULT_RELABEL, ...one })),
      { md5: (octets) => createHash("md5").update(octets).digest() },
    ),
    durations,
  );
const target = (...given: Parameters<typeof find>): Target => find(...given) as Target;

describe("targets", () => {
  test("an address gets the labels job and instance", () => {
    const { url, labels, intervalMs, timeoutMs } = target({ __address__: "h:1", env: "x" });
    expect(url).toBe("http://h:1/metrics");
    expect(labels.toJSON()).toEqual({ env: "x", instance: "h:1", job: "j" });
    expect([intervalMs, timeoutMs]).toEqual([15_000, 10_000]);
  });
  test("what is discovered wins over the job, and what rules set over both", () => {
    const { url, labels } = target(
      { __address__: "h:1", __scheme__: "https", __metrics_path__: "/m", job: "k" },
      {},
      { target_label: "instance", replacement: "i" },
    );
    expect(url).toBe("https://h:1/m");
    expect(labels.toJSON()).toEqual({ instance: "i", job: "k" });
  });
  test("parameters: a label replaces the first value", () => {
    const { url } = target(
      { __address__: "h:1" },
      { params: { module: ["a", "b"], x: ["y z"] } },
      { target_label: "__param_module", replacement: "c" },
    );
    expect(url).toBe("http://h:1/metrics?module=c&module=b&x=y+z");
  });
  test("rules may set the interval", () => {
    expect(target({ __address__: "h:1" }, {}, { target_label: "__scrape_interval__", replacement: "60000ms" }).intervalMs).toBe(60_000);
  });
  test("names that begin with two underscores are gone, and shown among the discovered ones", () => {
    const { labels, discovered } = target({ __address__: "h:1", __meta_x: "y" });
    expect(labels.has("__meta_x")).toBe(false);
    expect(discovered.toJSON()).toMatchObject({ __address__: "h:1", __meta_x: "y", __scrape_interval__: "15000ms", job: "j" });
  });
  test("the same target twice has the same key; other labels, another", () => {
    expect(target({ __address__: "h:1" }).key).toBe(target({ __address__: "h:1", __meta_a: "b" }).key);
    expect(target({ __address__: "h:1" }).key).not.toBe(target({ __address__: "h:1", a: "b" }).key);
  });
  test.each<[string, Parameters<typeof find>, string]>([
    ["rules drop it", [{ __address__: "h:1" }, {}, { action: "drop", source_labels: ["job"], regex: "j" }], ""],
    ["it has no address", [{ a: "b" }], "no address"],
    ["its address is a URL", [{ __address__: "http://h:1" }], "is not a host"],
    ["its address has spaces", [{ __address__: "h h" }], "does not make a URL"],
    ["its time-out is longer than its interval", [{ __address__: "h:1", __scrape_timeout__: "15001ms" }], "longer"],
    ["its interval is not one", [{ __address__: "h:1", __scrape_interval__: "soon" }], "__scrape_interval__"],
  ])("nothing is scraped if %s", (_, given, fault) => {
    const dropped = find(...given);
    expect("url" in dropped).toBe(false);
    expect((dropped as { fault?: string }).fault ?? "").toContain(fault);
  });
});
