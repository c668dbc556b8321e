import { createHash } from "node:crypto";
import { Columns, Labels, Matcher, METRIC_NAME } from "../../../reference/metrics/model/index.ts";
import type { PassOptions } from "../../../reference/metrics/scrape/pass.ts";
import { formatOf } from "../../../reference/metrics/scrape/read.ts";
import {
  DEFAULT_RELABEL,
  isLabelName,
  patternFault,
  RELABEL_ACTIONS,
  type RelabelConfig,
  relabelFault,
  Relabelling,
  Schedule,
  TargetPass,
  targetOf,
} from "../../../reference/metrics/scrape/index.ts";
import { MemoryStorage } from "../../../reference/metrics/storage/index.ts";
import { Chance } from "./chance.ts";
import { vectorsOf } from "./exposition-pages.ts";
import { outcome } from "./text.ts";

const LIVES = { pages: pagesLife, relabel: relabelLife, target: targetLife, schedule: scheduleLife } as const;

/** One life of a scraped target, of relabelling, of a target as it is found, or of a schedule. */
export function live(seed: number): string {
  const chance = new Chance(seed);
  return LIVES[chance.weighed({ pages: 4, relabel: 3, target: 2, schedule: 1 })](chance);
}

const md5 = (octets: Uint8Array): Uint8Array => createHash("md5").update(octets).digest();
const LABEL_NAMES = ["a", "b", "job", "instance", "__name__", "__tmp", "exported_a", "é", "x.y"] as const;
const LABEL_VALUES = ["", "foo", "bar", "Foo;bar", "İß", "a/b", "10"] as const;
const REGEXES = ["(.*)", "foo", "f(.*)", "(?P<n>fo)o", "(foo|bar)", "a.*", "(.*);(.*)", "", ".+", "__.*", "(x)?(.*)", "[a-z]+"] as const;
const REPLACEMENTS = ["$1", "", "x", "${1}-$2", "$n", "$$1", "${1", "$1_x", "exported_$1", "é$0", "$9"] as const;

const ruleOf = (chance: Chance): RelabelConfig => ({
  ...DEFAULT_RELABEL,
  action: chance.any(RELABEL_ACTIONS) ?? "replace",
  source_labels: Array.from({ length: chance.below(3) }, () => chance.one(LABEL_NAMES)),
  ...(chance.once(2) && { separator: chance.one(["-", "", ";"]) }),
  ...(chance.once(2) && { regex: chance.one(REGEXES) }),
  ...(chance.once(2) && { replacement: chance.one(REPLACEMENTS) }),
  ...(!chance.once(5) && { target_label: chance.one(["a", "d", "${1}_x", "job", "", "é", "$n", "1a"]) }),
  modulus: chance.one([0n, 0n, 7n, 1_000n]),
});
const labelsOf = (chance: Chance): Labels =>
  Labels.of(Array.from({ length: chance.between(0, 6) }, () => [chance.one(LABEL_NAMES), chance.one(LABEL_VALUES)] as const));
const scheme = (chance: Chance): "legacy" | "utf8" => (chance.once(3) ? "legacy" : "utf8");

function relabelLife(chance: Chance): string {
  const lines: string[] = [];
  for (let left = 8; left > 0; left--) {
    const names = scheme(chance);
    const rules = Array.from({ length: chance.between(1, 3) }, () => ruleOf(chance));
    lines.push(...rules.map((rule) => JSON.stringify([rule.action, relabelFault(rule, names)])));
    const regex = chance.one(["(", "a{2}", "[", "\\d+", "a**"]);
    lines.push(`${regex} ${patternFault(regex)} ${isLabelName(chance.one(["a", "1a", "é", "", "a-b", "_"]), names)}`);
    const sound = rules.filter((rule) => relabelFault(rule, names) === undefined);
    const relabelling = new Relabelling(sound, { md5, scheme: names });
    for (let times = 3; times > 0; times--) {
      const labels = labelsOf(chance);
      lines.push(
        `${labels} ${relabelling.apply(labels)} ${relabelling
          .steps(labels)
          .map(({ output, keep }) => `${output} ${keep}`)
          .join("; ")}`,
      );
    }
  }
  return lines.join("\n");
}

const durations = {
  read: (text: string) => (/^\d+ms$/.test(text) ? Number.parseInt(text, 10) : ("invalid" as const)),
  write: (ms: number) => `${ms}ms`,
};
function targetLife(chance: Chance): string {
  const lines: string[] = [];
  for (let left = 8; left > 0; left--) {
    const found = Labels.of([
      ...(chance.once(8)
        ? []
        : [["__address__", chance.one(["h:1", "h", "[::1]:80", "h/x", "a b", "", "h:99999", "H:80", "é:1"])] as const]),
      ...(chance.once(3) ? [["__scheme__", chance.one(["https", "ftp", "http"])] as const] : []),
      ...(chance.once(3) ? [["__metrics_path__", chance.one(["/m", "m", "/m?a=b", ""])] as const] : []),
      ...(chance.once(3) ? [["__param_module", chance.one(["x y", "z", "ä"])] as const] : []),
      ...(chance.once(3) ? [["__scrape_interval__", chance.one(["0ms", "5000ms", "x"])] as const] : []),
      ...(chance.once(3) ? [["__scrape_timeout__", chance.one(["0ms", "5000ms", "6000ms", "x"])] as const] : []),
      ...(chance.once(3) ? [[chance.one(["instance", "job", "__meta_a", "env"]), chance.one(LABEL_VALUES)] as const] : []),
    ]);
    const job = {
      job_name: "j",
      metrics_path: chance.one(["/metrics", "m"]),
      scheme: "http",
      params: chance.one<Record<string, readonly string[]>>([{}, { module: ["a", "b"], x: ["y z"] }, { a: [] }, { b: ["1"], a: ["&"] }]),
      scrape_interval: 15_000,
      scrape_timeout: 10_000,
    };
    const rules = new Relabelling(chance.once(2) ? [] : [ruleOf(chance)].filter((rule) => relabelFault(rule, "utf8") === undefined), {
      md5,
    });
    lines.push(JSON.stringify(targetOf(found, job, rules, durations)));
  }
  return lines.join("\n");
}

const CONTENT_TYPES = [
  "text/plain; version=0.0.4",
  "text/plain",
  "text/plain; version=9",
  "TEXT/PLAIN;x",
  "application/openmetrics-text; version=1.0.0",
  "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited",
  "text/html",
  "",
  "text/plainx",
] as const;
const FALLBACKS = [
  "PrometheusProto",
  "OpenMetricsText0.0.1",
  "OpenMetricsText1.0.0",
  "PrometheusText0.0.4",
  "PrometheusText1.0.0",
  "nope",
] as const;

function scheduleLife(chance: Chance): string {
  const interval = chance.one([100, 10_000, 60_000]);
  let now = chance.below(10 * interval);
  const schedule = new Schedule(`t${chance.below(50)}`, interval, now);
  const lines = [String(schedule.next)];
  for (let step = 14; step > 0; step--) {
    now = chance.once(2)
      ? schedule.next + chance.between(-1, 3)
      : now + chance.one([0, 1, interval - 1, interval, 2 * interval + 5, 50 * interval, -interval, -3 * interval]);
    lines.push(`${now} ${schedule.begin(now)} ${schedule.next} ${schedule.missed}`);
    if (!chance.once(3)) schedule.end();
  }
  for (let left = 4; left > 0; left--)
    lines.push(
      String(formatOf(chance.once(6) ? undefined : chance.one(CONTENT_TYPES), chance.once(2) ? undefined : chance.one(FALLBACKS))),
    );
  return lines.join("\n");
}

const LINES = [
  "a 1",
  "a 2",
  "b 3",
  'a{x="1"} 1',
  'a{x="2"} 2',
  'a{job="own"} 3',
  'a{instance=""} 4',
  'a{job="own",exported_job="x"} 5',
  "c 1 5000",
  "c 2 9999999999",
  'd{é="x"} 1',
  "# TYPE a counter",
  "# HELP a about",
  "a NaN",
  "b +Inf",
  "!",
  'e{l="long long value"} 1',
  'long_metric_name{a="1",b="2",c="3"} 1',
  "a 1 -5",
] as const;
const OPEN_LINES = [
  "a 1",
  'a{x="1"} 2',
  "b 3 5.5",
  "# TYPE e counter",
  'e_total 1 # {t="1"} 2',
  'e_total{x="1"} 1 # {t="2"} 3 6.5',
  "# UNIT b b",
  'e_total 2 # {t="3"} 2 99999999',
  "!",
] as const;
const WIRES = vectorsOf<{ wire: string }>("exposition-protobuf").map(({ wire }) => new Uint8Array(Buffer.from(wire, "hex")));

const optionsOf = (chance: Chance): PassOptions => ({
  target: Labels.of({ job: "j", instance: "h:1", ...(chance.once(4) && { x: "t" }) }),
  honor_labels: chance.once(2),
  honor_timestamps: !chance.once(3),
  track_timestamps_staleness: chance.once(3),
  metric_relabel: new Relabelling(chance.once(2) ? [] : [ruleOf(chance)].filter((rule) => relabelFault(rule, "utf8") === undefined), {
    md5,
  }),
  scheme: scheme(chance),
  label_limit: chance.one([0, 0, 4, 5]),
  label_name_length_limit: chance.one([0, 0, 8, 12]),
  label_value_length_limit: chance.one([0, 0, 4, 14]),
  sample_limit: chance.one([0, 0, 1, 3]),
  body_size_limit: chance.one([0, 0, 20, 60]),
  extra_scrape_metrics: chance.once(2),
  isNative: chance.once(2),
  isAlwaysClassic: chance.once(2),
  timeoutMs: 10_000,
});

function pagesLife(chance: Chance): string {
  const storage = new MemoryStorage();
  storage.exemplars.capacity = chance.one([0, 5, 5]);
  let pass = new TargetPass(optionsOf(chance));
  const lines: string[] = [];
  let at = 10_000;
  for (let step = chance.between(3, 9); step > 0; step--) {
    at += chance.one([10_000, 10_000, 10_000, 0, -5_000]);
    const duration = chance.below(500);
    const action = chance.weighed({ page: 8, open: 2, wire: 2, fail: 2, other: 1, end: 0.5 });
    if (action === "other") pass = new TargetPass(optionsOf(chance), pass);
    else if (action === "end") pass.end(storage, at);
    else if (action === "fail")
      lines.push(shown(pass.store(storage, { error: "away", ...(chance.once(2) && { isTooLarge: true }) }, at, duration)));
    else
      lines.push(
        outcome(() => shown(pass.store(storage, pageOf(chance, action), at, duration))),
        JSON.stringify([...pass.metadata]),
      );
  }
  return [
    ...lines,
    ...samplesIn(storage),
    JSON.stringify([...storage.exemplars.select([[new Matcher(METRIC_NAME, "!=", "")]], 0, 1e15)]),
  ].join("\n");
}

function pageOf(chance: Chance, kind: "page" | "open" | "wire") {
  if (kind === "wire") return { octets: chance.any(WIRES) ?? new Uint8Array(), format: "protobuf" as const };
  const lines = Array.from({ length: chance.between(0, 5) }, () => (kind === "page" ? chance.one(LINES) : chance.one(OPEN_LINES)));
  return kind === "page"
    ? { octets: Buffer.from(lines.map((line) => `${line}\n`).join("")), format: "text" as const }
    : { octets: Buffer.from([...lines, "# EOF", ""].join("\n")), format: "openmetrics" as const };
}

const shown = ({ refused, ...more }: ReturnType<TargetPass["store"]>): string => JSON.stringify({ ...more, refused: [...refused] });

function* samplesIn(storage: MemoryStorage): Generator<string> {
  for (const series of storage.querier().select([new Matcher(METRIC_NAME, "!=", "")], -1e15, 1e15)) {
    const columns = new Columns();
    series.read(columns, -1e15, 1e15);
    const values = Array.from(
      { length: columns.length },
      (_, row) =>
        `${columns.times[row]}:${columns.isStale(row) ? "stale" : (JSON.stringify(columns.histograms?.[row]) ?? columns.values[row])}`,
    );
    yield `${series.labels} ${values.join(" ")}`;
  }
}
