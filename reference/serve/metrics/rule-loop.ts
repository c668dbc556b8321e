import { QueryFailure, type QueryOptions } from "../../metrics/promql/index.ts";
import {
  groupKey,
  GroupRun,
  type Notification,
  type PassContext,
  RESEND_MS,
  RESTORE_TIMES,
  type RuleGroup,
  Slots,
} from "../../metrics/rules/index.ts";
import type { Labels } from "../../metrics/model/index.ts";
import type { Appendable, Queryable } from "../../metrics/storage/index.ts";
import type { OtherStorages } from "./queries.ts";
import type { QueryLog } from "./query-log.ts";
import { runInSlices } from "./work.ts";

/** What all groups share. */
export type RuleLoopOptions = {
  readonly storage: Queryable & Appendable;
  readonly engine: QueryOptions;
  readonly now: () => number;
  /** The longest time of one rule. */
  readonly timeoutMs: number;
  readonly externalUrl: string;
  readonly externalLabels: () => Labels;
  /** How often an alert that goes on is sent again; once a minute by default. */
  readonly resendMs?: number;
  /** One line about something that an operator should know. */
  readonly onNotice: (message: string) => void;
  readonly queryLog?: QueryLog;
  /** Storages of other servers that rules read, as queries do. */
  readonly others?: OtherStorages;
  /** What the alert routers are to be told. */
  readonly onNotifications: (notifications: readonly Notification[]) => void;
};

/** Rules of one batch that are evaluated at the same time. */
const CONCURRENT = 4;
/** Timers cannot wait longer. */
const MOST_WAIT_MS = 2 ** 31 - 1;

/** Evaluates one group at its times until it is stopped. */
export class RuleLoop {
  readonly run: GroupRun;
  readonly #options: RuleLoopOptions;
  readonly #slots: Slots;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #passes = 0;
  /** Of the last evaluation: its time, and how long it took. */
  lastEvaluation = 0;
  lastSeconds = 0;
  /** Of all evaluations. */
  totalSeconds = 0;
  ruleSeconds = 0;

  /** `before` evaluated the group under the configuration before; without it, and unless `isRestored`, alerts of an earlier process are restored. */
  constructor(
    group: RuleGroup,
    options: RuleLoopOptions,
    { before, isRestored }: { readonly before: RuleLoop | undefined; readonly isRestored: boolean },
  ) {
    this.#options = options;
    this.run = new GroupRun(group, { before: before?.run, isRestored });
    if (before !== undefined) {
      this.#passes = before.#passes;
      this.lastEvaluation = before.lastEvaluation;
      this.lastSeconds = before.lastSeconds;
      this.totalSeconds = before.totalSeconds;
      this.ruleSeconds = before.ruleSeconds;
    }
    this.#slots = new Slots(groupKey(group), group.intervalMs, options.now());
    this.#wait();
  }

  get key(): string {
    return groupKey(this.run.group);
  }
  /** Times that were due, and those without an evaluation because the one before took too long. */
  get iterations(): number {
    return this.#slots.begun + this.#slots.missed;
  }
  get missed(): number {
    return this.#slots.missed;
  }

  /** Ends the evaluations; one in progress is given up. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    await this.#running;
  }

  #wait(): void {
    if (this.#stop.signal.aborted) return;
    const { intervalMs } = this.run.group;
    const ms = Math.max(1, this.#slots.next - this.#options.now());
    // A clock that goes back must not make the wait longer than an interval.
    this.#timer = setTimeout(() => this.#tick(), Math.min(ms, intervalMs, MOST_WAIT_MS)).unref();
  }

  /** The next evaluation begins when this one has ended: what it misses is counted. */
  #tick(): void {
    const { now, onNotice } = this.#options;
    const missed = this.#slots.missed;
    const at = this.#slots.begin(now());
    if (this.#slots.missed > missed)
      onNotice(
        `rule group ${this.run.group.name}: ${this.#slots.missed - missed} evaluations missed, because the one before took too long`,
      );
    if (at === undefined) return this.#wait();
    this.#running = this.#pass(at).finally(() => {
      this.#running = undefined;
      this.#wait();
    });
    return undefined;
  }

  async #pass(atMs: number): Promise<void> {
    const { storage, engine, externalLabels, externalUrl, now, onNotice } = this.#options;
    const context: PassContext = { storage, engine, atMs, externalLabels: externalLabels(), externalUrl };
    const began = performance.now();
    for (const batch of this.run.batches) {
      const waiting = [...batch];
      const worker = async (): Promise<void> => {
        for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) await this.#rule(at, context);
      };
      await Promise.all(Array.from({ length: Math.min(CONCURRENT, batch.length) }, worker));
    }
    if (this.#stop.signal.aborted) return;
    try {
      this.run.endOrphans(context);
      this.#passes += 1;
      // After the first evaluation, what alerts depend on may not be known yet.
      if (this.#passes >= 2) this.run.restore(storage, now(), RESTORE_TIMES);
    } catch (error) {
      onNotice(`rule group ${this.run.group.name}: ${messageOf(error)}`);
    }
    this.lastEvaluation = atMs;
    this.lastSeconds = (performance.now() - began) / 1_000;
    this.totalSeconds += this.lastSeconds;
  }

  /** The storage, with what others have of the rule's past. A template that asks something else sees this server alone. */
  async #storageFor(at: number, { storage, atMs }: PassContext, deadline: number): Promise<PassContext["storage"]> {
    const { others, onNotice } = this.#options;
    const { group, states } = this.run;
    const { rule } = states[at]!;
    const time = atMs - group.queryOffsetMs;
    const task = { expr: rule.expr, startMs: time, endMs: time, stepMs: 0, lookbackMs: undefined, signal: this.#stop.signal };
    if (others?.isAsked(task) !== true) return storage;
    const gathered = await others.gather(task, deadline);
    for (const { message } of gathered.warnings) onNotice(`rule group ${group.name}, rule ${rule.name}: ${message}`);
    return { querier: (from, to) => gathered.storage.querier(from, to), appender: () => storage.appender() };
  }

  async #rule(at: number, context: PassContext): Promise<void> {
    const { timeoutMs, externalUrl, resendMs = RESEND_MS, onNotice, onNotifications, queryLog } = this.#options;
    const { group, states } = this.run;
    const before = states[at]!.lastError;
    const began = performance.now();
    let isKnown = false;
    try {
      const from = { ...context, storage: await this.#storageFor(at, context, began + timeoutMs) };
      const { health } = await runInSlices(this.run.evaluate(at, from), began + timeoutMs, this.#stop.signal);
      isKnown = health === "ok";
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      // Anything but a query that ends is a fault of the storage: alerts are sent even if they cannot be stored.
      isKnown = !(error instanceof QueryFailure);
      this.run.fail(at, isKnown ? `its samples could not be stored: ${messageOf(error)}` : messageOf(error));
    }
    const state = states[at]!;
    state.evaluationTime = (performance.now() - began) / 1_000;
    this.ruleSeconds += state.evaluationTime;
    queryLog?.rule(state.rule, {
      ...group,
      at: context.atMs - group.queryOffsetMs,
      seconds: state.evaluationTime,
      error: state.health === "err" ? state.lastError : undefined,
    });
    if (state.health === "err" && state.lastError !== before)
      onNotice(`rule group ${group.name}, rule ${state.rule.name}: ${state.lastError}`);
    for (const [why, count] of state.refused)
      onNotice(`rule group ${group.name}, rule ${state.rule.name}: ${count} samples refused: ${why}`);
    const due = isKnown ? this.run.notifications(at, { atMs: context.atMs, resendMs, externalUrl }) : [];
    if (due.length > 0) onNotifications(due);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
