import type { QueryTask, RunQuery } from "../../metrics/api/index.ts";
import { pretty } from "../../metrics/promql/index.ts";
import type { Rule, RuleGroup } from "../../metrics/rules/index.ts";
import { LineLog, messageOf } from "./line-log.ts";

/** The last time that a Date can have, on both sides of 1970. */
const MOST_DATE_MS = 8.64e15;

/** A line of the log: the names are those that readers of such logs know. */
type Line = {
  readonly params: { readonly end: string; readonly query: string; readonly start: string; readonly step: number };
  readonly error?: string;
  readonly stats?: unknown;
  readonly httpRequest?: { readonly clientIP: string; readonly method: string; readonly path: string };
  readonly ruleGroup?: { readonly file: string; readonly name: string };
};

/** Every evaluated expression as a line of JSON, in the file of `global.query_log_file` (Prometheus docs, configuration/configuration.md, `global`). */
export class QueryLog {
  readonly #now: () => number;
  readonly #file: LineLog;

  constructor(now: () => number, notice: (message: string) => void) {
    this.#now = now;
    this.#file = new LineLog("query_log_file", "queries", notice);
  }

  get isEnabled(): boolean {
    return this.#file.isEnabled;
  }
  /** Lines that could not be written. */
  get failures(): number {
    return this.#file.failures;
  }

  /** Opens the file anew: it may have been moved away. Without a path nothing is logged. */
  reopen(path: string | undefined): void {
    this.#file.reopen(path);
  }
  close(): void {
    this.#file.close();
  }

  /** The same evaluation, which is logged when it ends. */
  logging(run: RunQuery): RunQuery {
    return async (task) => {
      if (!this.isEnabled) return run(task);
      try {
        const done = await run(task);
        const { totalSamples, peakSamples } = done.result;
        const samples = task.countSamples ? { totalQueryableSamples: totalSamples, peakSamples } : { peakSamples };
        this.#write({ ...asked(task), stats: { timings: done.timings, samples } });
        return done;
      } catch (error) {
        this.#write({ ...asked(task), error: messageOf(error) });
        throw error;
      }
    };
  }

  /** A rule that was evaluated; undefined if that did not fail. */
  rule(rule: Rule, { file, name, at, seconds, error }: RuleGroupLine): void {
    if (!this.isEnabled) return;
    const time = iso(at);
    this.#write({
      params: { end: time, query: pretty(rule.expr), start: time, step: 0 },
      ...(error !== undefined && { error }),
      stats: { timings: { execTotalTime: seconds } },
      ruleGroup: { file, name },
    });
  }

  #write(line: Line): void {
    this.#file.write({ time: new Date(this.#now()).toISOString(), msg: "promql query logged", ...line });
  }
}

type RuleGroupLine = Pick<RuleGroup, "file" | "name"> & {
  readonly at: number;
  readonly seconds: number;
  readonly error?: string | undefined;
};

/** Times beyond those that a Date can have stay milliseconds. */
const iso = (ms: number): string => (Math.abs(ms) <= MOST_DATE_MS ? new Date(ms).toISOString() : String(ms));

function asked({ expr, startMs, endMs, stepMs, asked: by }: QueryTask): Line {
  return {
    params: { end: iso(endMs), query: by?.text ?? pretty(expr), start: iso(startMs), step: Math.trunc(stepMs / 1_000) },
    ...(by !== undefined && { httpRequest: { clientIP: by.clientAddress ?? "", method: by.method, path: by.path } }),
  };
}
