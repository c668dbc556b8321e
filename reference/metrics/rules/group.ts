import { Columns, type Labels, Matcher, METRIC_NAME } from "../model/index.ts";
import { QueryFailure, type Work } from "../promql/index.ts";
import type { Appendable, Appender, AppendRefusal, Queryable } from "../storage/index.ts";
import { type Alert, type RestoreTimes, restoredActiveAt } from "./alert-state.ts";
import { alert, alertSamples, type EvaluationContext, LimitExceeded, record, RuleFault, type RuleSample } from "./evaluate.ts";
import { dueAlerts, type Notification, notificationOf } from "./notify.ts";
import { batchesOf } from "./order.ts";
import { type AlertingRule, type Rule, type RuleGroup, ruleKey } from "./rule.ts";

/** Where results go; the rest is as one evaluation needs it. */
export type PassContext = Omit<EvaluationContext, "queryOffsetMs" | "limit"> & { readonly storage: Queryable & Appendable };

/** What is known about a rule. Times are milliseconds since 1970. */
export type RuleState = {
  readonly rule: Rule;
  health: "unknown" | "ok" | "err";
  lastError: string;
  lastEvaluation: number;
  /** Seconds. */
  evaluationTime: number;
  /** By the key of their labels; empty for a recording rule. */
  alerts: ReadonlyMap<string, Alert>;
  /** The series of the last evaluation, by the key of their labels. */
  series: ReadonlyMap<string, Labels>;
  /** Samples that the storage refused in the last evaluation. */
  refused: ReadonlyMap<AppendRefusal, number>;
  /** When each alert was last sent to the routers, by the key of its labels. */
  readonly sent: Map<string, number>;
  /** Whether its alerts are stored; after a restart they wait for `restore`. */
  isRestored: boolean;
  evaluations: number;
  failures: number;
};

/** The rules of one group with their state. It reads no clock: the caller says when. */
export class GroupRun {
  readonly group: RuleGroup;
  readonly states: readonly RuleState[];
  /** The numbers of the rules in batches; those of one batch may run at the same time. */
  readonly batches: readonly (readonly number[])[];
  /** Series of rules that a change of the configuration removed: they end with the next evaluation. */
  #orphans: readonly Labels[] = [];

  /** `before` had the group in the configuration before; rules that stay go on with their state. */
  constructor(group: RuleGroup, { before, isRestored }: { readonly before?: GroupRun | undefined; readonly isRestored: boolean }) {
    this.group = group;
    this.batches = batchesOf(group.rules);
    const known = new Map<string, RuleState[]>();
    for (const state of before?.states ?? []) {
      const same = known.get(ruleKey(state.rule));
      if (same === undefined) known.set(ruleKey(state.rule), [state]);
      else same.push(state);
    }
    this.states = group.rules.map((rule) => {
      const state = known.get(ruleKey(rule))?.shift();
      return { ...(state ?? fresh(isRestored)), rule };
    });
    const gone = [...known.values()].flat().flatMap(({ series }) => [...series.values()]);
    this.#orphans = before === undefined ? [] : [...before.#orphans, ...gone];
  }

  /** Evaluates rule `at` and stores its samples. A failure of the expression is kept in its state; a failure to store is thrown, for `fail`. */
  *evaluate(at: number, context: PassContext): Work<RuleState> {
    const state = this.states[at]!;
    const { queryOffsetMs, limit } = this.group;
    state.lastEvaluation = context.atMs;
    state.evaluations += 1;
    try {
      const samples = yield* this.#samples(state, { ...context, queryOffsetMs, limit });
      this.#store(state, samples, context);
      state.health = "ok";
      state.lastError = "";
    } catch (error) {
      if (!(error instanceof RuleFault || error instanceof QueryFailure)) throw error;
      this.fail(at, error.message);
      if (error instanceof LimitExceeded) state.alerts = new Map();
    }
    return state;
  }

  /** The alerts of rule `at` that the routers are to be told now. Call after its evaluation. */
  notifications(at: number, times: { readonly atMs: number; readonly resendMs: number; readonly externalUrl: string }): Notification[] {
    const { rule, alerts, sent } = this.states[at]!;
    if (rule.is !== "alerting") return [];
    const { intervalMs } = this.group;
    return dueAlerts(alerts, sent, { ...times, intervalMs }).map((one) => notificationOf(one, rule, { ...times, intervalMs }));
  }

  /** The evaluation of rule `at` ended without a result: nothing is stored, and no series ends. */
  fail(at: number, why: string): void {
    const state = this.states[at]!;
    state.health = "err";
    state.lastError = why;
    state.failures += 1;
  }

  *#samples(state: RuleState, context: EvaluationContext): Work<readonly RuleSample[]> {
    const { rule } = state;
    if (rule.is === "recording") return yield* record(rule, context);
    state.alerts = yield* alert(rule, state.alerts, context);
    return state.isRestored ? [...alertSamples(state.alerts.values())] : [];
  }

  #store(state: RuleState, samples: readonly RuleSample[], { storage, atMs }: PassContext): void {
    const time = atMs - this.group.queryOffsetMs;
    const appender = storage.appender();
    const series = new Map<string, Labels>();
    const refused = new Map<AppendRefusal, number>();
    for (const sample of samples) {
      const why = append(appender, sample, time);
      if (why !== undefined) refused.set(why, (refused.get(why) ?? 0) + 1);
      series.set(sample.labels.key, sample.labels);
    }
    for (const [key, labels] of state.series) if (!series.has(key)) appender.appendStale(appender.series(labels), time);
    appender.commit();
    state.series = series;
    state.refused = refused;
  }

  /** Ends the series of rules that are gone. Call after all rules of an evaluation; rules that stay have stored theirs by then. */
  endOrphans({ storage, atMs }: PassContext): void {
    if (this.#orphans.length === 0) return;
    const current = new Set(this.states.flatMap(({ series }) => [...series.keys()]));
    endSeries(
      storage,
      atMs - this.group.queryOffsetMs,
      this.#orphans.filter(({ key }) => !current.has(key)),
    );
    this.#orphans = [];
  }

  /** Ends all series at `at`: the group is gone. Series that another group goes on with have newer samples by then and refuse the mark. */
  end(storage: Appendable, at: number): void {
    const all = [...this.#orphans, ...this.states.flatMap(({ series }) => [...series.values()])];
    endSeries(storage, at - this.group.queryOffsetMs, all);
  }

  /** Gives alerts back the time that they had been active before a restart. Call after two evaluations, when what they depend on is known. */
  restore(storage: Queryable, now: number, times: RestoreTimes): void {
    for (const state of this.states) {
      const { rule } = state;
      if (state.isRestored) continue;
      state.isRestored = true;
      if (rule.is !== "alerting" || rule.forMs < times.gracePeriodMs || state.alerts.size === 0) continue;
      state.alerts = restored(rule, state.alerts, storedAlerts(storage, rule, now, times), now, times);
    }
  }
}

const fresh = (isRestored: boolean): Omit<RuleState, "rule"> => ({
  health: "unknown",
  lastError: "",
  lastEvaluation: 0,
  evaluationTime: 0,
  alerts: new Map(),
  series: new Map(),
  refused: new Map(),
  sent: new Map(),
  isRestored,
  evaluations: 0,
  failures: 0,
});

function append(appender: Appender, { labels, value, histogram }: RuleSample, time: number): AppendRefusal | undefined {
  const series = appender.series(labels);
  return histogram === undefined ? appender.append(series, time, value) : appender.appendHistogram(series, time, histogram);
}

function endSeries(storage: Appendable, time: number, all: readonly Labels[]): void {
  const appender = storage.appender();
  for (const labels of all) appender.appendStale(appender.series(labels), time);
  appender.commit();
}

type Stored = { readonly activeAt: number; readonly lastMs: number };

/** The alerts of a rule that were active before, by the key of their labels. */
function storedAlerts(storage: Queryable, rule: AlertingRule, now: number, { outageToleranceMs }: RestoreTimes): Map<string, Stored> {
  const found = new Map<string, Stored>();
  const start = now - outageToleranceMs;
  const querier = storage.querier(start, now);
  const columns = new Columns();
  try {
    const matchers = [new Matcher(METRIC_NAME, "=", "ALERTS_FOR_STATE"), new Matcher("alertname", "=", rule.name)];
    for (const series of querier.select(matchers, start, now)) {
      columns.clear();
      series.read(columns, start, now);
      const last = columns.length - 1;
      // A stale mark means that the alert had ended.
      if (last < 0 || columns.isStale(last)) continue;
      found.set(series.labels.with(METRIC_NAME, "").key, { activeAt: columns.values[last]! * 1_000, lastMs: columns.times[last]! });
    }
  } finally {
    querier.close();
  }
  return found;
}

// oxlint-disable-next-line max-params -- a rule with what is known of its alerts, and when
function restored(
  { forMs }: AlertingRule,
  alerts: ReadonlyMap<string, Alert>,
  stored: ReadonlyMap<string, Stored>,
  now: number,
  { gracePeriodMs }: RestoreTimes,
): Map<string, Alert> {
  return new Map(
    [...alerts].map(([key, one]) => {
      const before = stored.get(key);
      return [key, before === undefined ? one : { ...one, activeAt: restoredActiveAt(before, now, forMs, gracePeriodMs) }] as const;
    }),
  );
}
