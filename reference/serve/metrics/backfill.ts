import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { realFiles } from "../../io/index.ts";
import { readTime } from "../../metrics/api/index.ts";
import { describeProblem } from "../../metrics/config/index.ts";
import { Columns, compareLabels, compareText, Labels, METRIC_NAME } from "../../metrics/model/index.ts";
import { readDuration } from "../../metrics/promql/index.ts";
import { groupKey, type RuleGroup, slotFrom } from "../../metrics/rules/index.ts";
import { type BlockMeta, ChunkBatch, encodeRows, type SeriesContent, ulid, writeBlock } from "../../metrics/tsdb/index.ts";
import { readRules } from "./config-files.ts";
import { numberOf } from "./query-answer.ts";
import { send, target } from "./query-run.ts";

/** The parsed options of `metrics backfill-rules`; times and durations are still text. */
export type BackfillOptions = {
  readonly start: string;
  readonly end?: string;
  readonly url: string;
  readonly output: string;
  readonly evalInterval: string;
};

const HOUR = 3_600_000;
/** The milliseconds of a block. */
const RANGE = 2 * HOUR;
/** By default the newest hours are left out: the server's own head has them. */
const RECENT = 3 * HOUR;

type Recording = {
  readonly name: string;
  readonly query: string;
  readonly labels: Labels;
  readonly intervalMs: number;
  /** The key of its group, which sets the times of evaluation. */
  readonly group: string;
};

/**
 * Evaluates recording rules at times of the past on a server, and writes blocks of the results (Prometheus docs, storage.md, "Backfilling for
 * Recording Rules"). Prints each block. Returns the exit status: 1 if the rules are invalid or a query fails, 2 for wrong options.
 */
export async function backfillRules(files: readonly string[], options: BackfillOptions): Promise<number> {
  const fail = (message: string, status: 1 | 2): number => {
    console.error(`touchstone metrics backfill-rules: ${message}`);
    return status;
  };
  const evaluationIntervalMs = readDuration(options.evalInterval);
  if (typeof evaluationIntervalMs !== "number" || evaluationIntervalMs === 0)
    return fail(`--eval-interval "${options.evalInterval}" is not a duration: write 15s or 1m`, 2);
  const startMs = readTime(options.start);
  const endMs = options.end === undefined ? Date.now() - RECENT : readTime(options.end);
  if (startMs === undefined || endMs === undefined)
    return fail("--start and --end are times: write 2026-01-02T03:04:05Z or seconds since 1970", 2);
  if (endMs <= startMs) return fail("--end is not after --start; by default it is three hours ago", 2);
  const read = files.map((file) => readRules(file, { evaluationIntervalMs, queryOffsetMs: 0, scheme: "utf8" }));
  const problems = read.flatMap((one) => one.problems);
  if (problems.length > 0) return fail(`nothing is written:\n${problems.map(describeProblem).join("\n")}`, 1);
  const rules = read.flatMap(({ groups }) => groups).flatMap(recordingRules);
  if (rules.length === 0) return fail("the files have no recording rule", 1);
  try {
    const url = target("range", options.url);
    for await (const { meta, from, to } of backfill(rules, { url, startMs, endMs, output: options.output })) {
      const range = `${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
      console.log(
        meta === undefined
          ? `${range}: no sample`
          : `${range}: ${meta.stats.numSamples} samples of ${meta.stats.numSeries} series in ${options.output}/${meta.ulid}`,
      );
    }
    return 0;
  } catch (error) {
    return fail((error as Error).message, 1);
  }
}

function recordingRules(group: RuleGroup): Recording[] {
  const { rules, intervalMs } = group;
  const common = { intervalMs, group: groupKey(group) };
  return rules.flatMap((rule) => (rule.is === "recording" ? [{ name: rule.name, query: rule.query, labels: rule.labels, ...common }] : []));
}

type Period = { readonly url: URL; readonly startMs: number; readonly endMs: number; readonly output: string };
type Written = { readonly from: number; readonly to: number; readonly meta: BlockMeta | undefined };

/** Writes a block for every two hours of a period, ends included. Rules do not see what other rules bring. Rejects if a query fails. */
async function* backfill(rules: readonly Recording[], { url, startMs, endMs, output }: Period): AsyncGenerator<Written> {
  mkdirSync(output, { recursive: true });
  for (let begin = startMs - (startMs % RANGE); begin <= endMs; begin += RANGE) {
    const [from, to] = [Math.max(startMs, begin), Math.min(endMs, begin + RANGE - 1)];
    const series = new Map<string, { readonly labels: Labels; readonly columns: Columns }>();
    for (const rule of rules) for (const one of await evaluated(rule, url, from, to)) add(series, one, rule);
    const sorted = [...series.values()].sort((a, b) => compareLabels(a.labels, b.labels));
    const symbols = [...new Set(sorted.flatMap(({ labels }) => labels.flat))].sort(compareText);
    const times = sorted.flatMap(({ columns }) => [columns.times[0]!, columns.times[columns.length - 1]!]);
    const about = { ulid: ulid(Date.now(), randomBytes(16)), minTime: Math.min(...times), maxTime: Math.max(...times) + 1 };
    yield { from, to, meta: times.length === 0 ? undefined : writeBlock(realFiles, output, { symbols, series: chunked(sorted) }, about) };
  }
}

type Found = { readonly metric: Readonly<Record<string, string>>; readonly samples: readonly (readonly [number, string])[] };

/** What a rule has within a range at the times at which a server evaluates its group. */
async function evaluated({ name, query, intervalMs, group }: Recording, url: URL, from: number, to: number): Promise<Found[]> {
  const first = slotFrom(group, intervalMs, from);
  if (first > to) return [];
  const asked = new URLSearchParams({ query, start: String(first / 1_000), end: String(to / 1_000), step: String(intervalMs / 1_000) });
  const { answer } = await send(url, asked);
  if (answer.status !== "success" || answer.data?.resultType !== "matrix")
    throw new Error(`the rule ${name} cannot be evaluated: ${answer.error ?? "the answer is no matrix"}`);
  return answer.data.result.map(({ metric, values = [], histograms = [] }) => {
    if (histograms.length > 0)
      throw new Error(`the rule ${name} has native histograms, which the query API does not give exactly: leave it out`);
    return { metric, samples: values };
  });
}

function add(
  series: Map<string, { readonly labels: Labels; readonly columns: Columns }>,
  { metric, samples }: Found,
  rule: Recording,
): void {
  const labels = Labels.of({ ...metric, ...rule.labels.toJSON(), [METRIC_NAME]: rule.name });
  const key = JSON.stringify(labels.flat);
  if (series.has(key)) throw new Error(`the rule ${rule.name} brings the series ${labels.toString()} twice`);
  const columns = new Columns();
  for (const [time, value] of samples) columns.push(Math.round(time * 1_000), numberOf(value));
  if (columns.length > 0) series.set(key, { labels, columns });
}

function* chunked(series: readonly { readonly labels: Labels; readonly columns: Columns }[]): Generator<SeriesContent> {
  const chunks = new ChunkBatch();
  for (const { labels, columns } of series) {
    chunks.clear();
    encodeRows(columns, 0, chunks);
    yield { labels, chunks };
  }
}
