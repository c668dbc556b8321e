import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Measures } from "../lib/alternate.ts";
import type { BenchGroup } from "../lib/result.ts";
import { SPREAD } from "../lib/rows.ts";
import type { Say, Size } from "../lib/size.ts";
import { Fleet } from "./data/fleet.ts";
import { Texts, timeOf } from "./data/texts.ts";
import { contenders, cpuOf, inTurn, rowsOf, withFolder } from "./measure.ts";
import { ask, type MetricsProcess } from "./servers/process.ts";
import { type Begin, configured } from "./servers/configured.ts";
import { remoteWrite, startPrometheus } from "./servers/prometheus.ts";

/** Samples of each series: five minutes, the window of the rates. */
const STEPS = 21;
/** Rules store at the present: a sample that is much older would be refused. */
const BEGIN_MS = Date.now() - timeOf(STEPS, 0);
const AT = timeOf(STEPS - 1, BEGIN_MS) / 1_000;
/** Evaluations before the measure, and in it. */
const WARM_UP = 3;
const STEADY = 8;
const INTERVAL_S = 2;
const LOOK_MS = 500;
/** A server that does not evaluate its rules. */
const LONGEST_MS = 600_000;

const REQUESTS = "http_server_requests_total";
const BUCKETS = "http_server_request_duration_seconds_bucket";
const GAUGE = "process_resident_memory_bytes";
/** The rules of each measure. They read the past at a fixed time, so that nothing needs to be scraped beside them. */
const RULES = {
  aggregate: [
    { record: "job_status:http_requests:rate5m", expr: `sum by (job, status) (rate(${REQUESTS}[5m] @ ${AT}))` },
    { record: "job:http_latency:p99", expr: `histogram_quantile(0.99, sum by (job, le) (rate(${BUCKETS}[5m] @ ${AT})))` },
    { record: "job:memory_bytes:max", expr: `max by (job) (${GAUGE} @ ${AT})` },
  ],
  record: [{ record: "series:http_requests:rate5m", expr: `rate(${REQUESTS}[5m] @ ${AT})` }],
  alert: [
    {
      alert: "MemoryIsHigh",
      expr: `${GAUGE}{container=~"worker-container-[0-4]"} @ ${AT} > 0`,
      for: "1h",
      labels: { severity: "page" },
      annotations: { summary: "{{ $labels.instance }} of {{ $labels.job }} uses {{ $value | humanize1024 }}B." },
    },
  ],
} as const;
type Kind = keyof typeof RULES;
const KINDS = Object.keys(RULES) as Kind[];

/** Evaluating rules: aggregations, a rule that stores a series for each series, and alerts with a text each. */
export async function ruleGroups(size: Size, say: Say): Promise<BenchGroup[]> {
  const texts = new Texts(new Fleet(size.series), BEGIN_MS);
  const { count } = texts.fleet;
  const measure = (begin: Begin) => async (): Promise<Measures> => {
    const measures: Record<string, number> = {};
    for (const kind of KINDS) measures[kind] = await evaluating(begin, texts, kind);
    return measures;
  };
  const taken = await inTurn(contenders(measure(configured), measure(startPrometheus)), Math.min(3, size.rounds), "rules", say);
  const note = `${count} series with ${STEPS} samples, a group every ${INTERVAL_S} s; CPU time of the whole process with its log, evaluations ${WARM_UP + 1} to ${WARM_UP + STEADY}; ${SPREAD}`;
  const group = (kind: Kind, title: string): BenchGroup => ({
    id: `metrics/rules-${kind}`,
    title: `${title}, CPU time per evaluation of the group`,
    unit: "ms",
    better: "lower",
    rows: rowsOf(taken, kind),
    note,
  });
  return [
    group("aggregate", `Three recording rules that aggregate ${count * 0.68} series`),
    group("record", `A recording rule that stores ${count / 10} series`),
    group("alert", `An alerting rule with ${count / 20} pending alerts`),
  ];
}

/** CPU time of a process for each evaluation, in milliseconds. */
async function evaluating(begin: Begin, texts: Texts, kind: Kind): Promise<number> {
  return withFolder(async (folder) => {
    const file = join(folder, "rules.yml");
    // JSON is YAML, too.
    writeFileSync(file, JSON.stringify({ groups: [{ name: kind, interval: `${INTERVAL_S}s`, rules: RULES[kind] }] }));
    const running = await begin(join(folder, "data"), `rule_files: [${JSON.stringify(file)}]\n`);
    try {
      await remoteWrite(running.origin, texts, { endStep: STEPS, together: STEPS });
      const known = await passes(running, kind, 0);
      const from = await passes(running, kind, known.passes + WARM_UP);
      const to = await passes(running, kind, from.passes + STEADY);
      return (to.cpu - from.cpu) / 1_000 / (to.passes - from.passes);
    } finally {
      await running.kill();
    }
  });
}

/** Waits until the group has been evaluated so often; its evaluations, and the CPU time at their end. Throws if one fails. */
async function passes({ origin, pid, name }: MetricsProcess, kind: Kind, least: number): Promise<{ passes: number; cpu: number }> {
  const last = performance.now() + LONGEST_MS;
  for (;;) {
    const page = (await ask(origin, "/metrics")).body.toString();
    const total = (metric: string): number => Number(new RegExp(`^${metric}\\{rule_group="[^"]*"\\} (\\S+)$`, "m").exec(page)?.[1] ?? 0);
    if (total("prometheus_rule_evaluation_failures_total") > 0) throw new Error(`${name} fails to evaluate the rules of ${kind}.`);
    const done = total("prometheus_rule_evaluations_total") / RULES[kind].length;
    if (done >= least) return { passes: done, cpu: cpuOf(pid) };
    if (performance.now() > last) throw new Error(`${name} has evaluated the rules of ${kind} ${done} times, not ${least}.`);
    await pause(LOOK_MS);
  }
}
