import {
  describeFault,
  evaluateInstant,
  evaluateRange,
  finish,
  parse,
  QueryFailure,
  type QueryResult,
} from "../../reference/metrics/promql/index.ts";
import { MemoryStorage } from "../../reference/metrics/storage/index.ts";
import { judge, judgeFailure } from "./judge.ts";
import type { Evaluation, Load, Script } from "./script.ts";

/** A case and its mistake, if any. */
export type CaseResult = { readonly id: string; readonly line: number; readonly problem: string | undefined };

/** Appends the rows of a load to a storage. */
export function store(storage: MemoryStorage, { gapMs, rows }: Load): void {
  const appender = storage.appender();
  for (const { labels, samples } of rows) {
    const series = appender.series(labels);
    for (const [at, sample] of samples.entries()) {
      if (sample?.is === "float") appender.append(series, at * gapMs, sample.value);
      else if (sample?.is === "histogram") appender.appendHistogram(series, at * gapMs, sample.value);
      else if (sample?.is === "stale") appender.appendStale(series, at * gapMs);
    }
  }
  appender.commit();
}

/** The result of an expression on a storage, or the message of its failure. */
export function ask(storage: MemoryStorage, { expr: text, when }: Pick<Evaluation, "expr" | "when">): QueryResult | string {
  const expr = parse(text);
  if (expr.is === "fault") return describeFault(text, expr);
  try {
    return finish(when.is === "instant" ? evaluateInstant(storage, expr, when.atMs) : evaluateRange(storage, expr, when));
  } catch (error) {
    if (error instanceof QueryFailure) return error.message;
    throw error;
  }
}

/** Runs a script on our own engine. */
export function runScript({ steps }: Script): CaseResult[] {
  let storage = new MemoryStorage();
  const results: CaseResult[] = [];
  for (const step of steps) {
    if (step.is === "clear") storage = new MemoryStorage();
    else if (step.is === "load") store(storage, step);
    else {
      const result = ask(storage, step);
      results.push({
        id: step.id,
        line: step.line,
        problem: typeof result === "string" ? judgeFailure(step, result) : verdict(step, result),
      });
    }
  }
  return results;
}

const verdict = (step: Evaluation, result: QueryResult): string | undefined =>
  step.demands.fail === undefined ? judge(step, result) : "it should fail, but has a result";
