import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, portOf } from "../../peers/index.ts";
import { type Certificate, loopbackCertificate } from "../../harness/subject/certificate.ts";
import { closed } from "../../harness/subject/closed.ts";
import { type Program, startProgram } from "../../harness/subject/program.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import type { Step } from "../vocabulary.ts";
import { queried } from "./api.ts";
import { configOf } from "./config.ts";
import { type JobRecord, type Series, timesOf } from "./record.ts";
import { Target } from "./target.ts";

/** One run of a scraper with many jobs, each of which has a target that goes through its stages. */

/** Pauses between questions about what is stored. */
const POLL_MS = 100;
/** A good page that was fetched so often, and is not shown for a while, is not stored: what is stored may be shown some seconds later. */
const MOST_FETCHES = 10;

export type SessionOptions = {
  readonly client: string | InProcessClient;
  /** Where queries go, with {port}. */
  readonly api: string;
  /** The configuration, with {jobs}. */
  readonly template: string | undefined;
  /** The longest time in which a job does not go on. */
  readonly stillMs: number;
  /** How long after a scrape its samples may not be shown yet. */
  readonly shownMs: number;
  /** The longest time until the first request. */
  readonly startupMs: number;
  readonly intervalMs: number;
};

export type SessionResult = { readonly records: readonly JobRecord[]; readonly complaint: string; readonly hasScraped: boolean };

/** Runs the jobs to their ends. */
export async function runSession(steps: readonly Step[], options: SessionOptions): Promise<SessionResult> {
  const session = new Session(steps, options);
  try {
    return await session.run();
  } finally {
    await session.close();
  }
}

class Session {
  readonly #steps: readonly Step[];
  readonly #options: SessionOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), "touchstone-scraper-"));
  readonly #targets: Target[] = [];
  readonly #elsewhere = createServer((request, response) => {
    const number = Number(/^\/(\d+)/.exec(request.url ?? "")?.[1]);
    const target = this.#targets[number];
    if (target === undefined) response.writeHead(404).end();
    else target.takeElsewhere(request, response);
  });
  readonly #start = performance.now();
  readonly #stopped = new Map<number, string>();
  #program: Program | undefined;
  #hasEnded = false;
  /** When each target last went on. */
  readonly #movedAt: number[] = [];
  /** When the stage of each began. */
  readonly #stageAt: number[] = [];
  #base = "";

  constructor(steps: readonly Step[], options: SessionOptions) {
    this.#steps = steps;
    this.#options = options;
  }

  async run(): Promise<SessionResult> {
    const { client, api, template, intervalMs } = this.#options;
    const certificate = this.#steps.some(({ isTls }) => isTls) ? await loopbackCertificate() : undefined;
    await this.#listen(certificate);
    const port = String(await freePort());
    this.#base = api.replaceAll("{port}", port);
    const config = join(this.#folder, "scraper.yml");
    const jobs = this.#steps.map((step, at) => ({ step, name: `job-${at}`, target: this.#targets[at]!.address, dir: this.#dir(at) }));
    writeFileSync(config, configOf(jobs, { intervalMs, template }));
    this.#program = startProgram(client, { config, dir: join(this.#folder, "data"), port });
    void this.#program.ended.finally(() => (this.#hasEnded = true));
    await this.#stages();
    const records = await Promise.all(this.#steps.map((step, at) => this.#record(step, at)));
    const complaint = this.#program.complaint();
    return { records, complaint, hasScraped: this.#hasScraped };
  }

  async close(): Promise<void> {
    await this.#program?.stop();
    await Promise.all([...this.#targets.map((one) => one.close()), closed(this.#elsewhere)]);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  get #hasScraped(): boolean {
    return this.#targets.some(({ asked }) => asked.length > 0);
  }
  #dir(at: number): string {
    return join(this.#folder, String(at));
  }

  async #listen(certificate: Certificate | undefined): Promise<void> {
    const now = (): number => performance.now() - this.#start;
    for (const [at, step] of this.#steps.entries()) {
      const onAnswered = (): void => this.#move(at);
      this.#targets.push(new Target({ step, certificate: step.isTls === true ? certificate : undefined, now, onAnswered }));
    }
    await Promise.all(this.#targets.map((one) => one.listen()));
    this.#elsewhere.listen(0, "127.0.0.1");
    await once(this.#elsewhere, "listening");
    for (const [at, { files = {} }] of this.#steps.entries()) {
      this.#targets[at]!.standsElsewhere(`http://localhost:${portOf(this.#elsewhere)}/${at}`);
      mkdirSync(this.#dir(at));
      for (const [name, content] of Object.entries(files))
        writeFileSync(join(this.#dir(at), name), content.replaceAll("{certificate}", certificate?.cert ?? ""));
    }
  }

  /** Moves all targets through their stages until none moves any more. */
  async #stages(): Promise<void> {
    for (const at of this.#steps.keys()) this.#begin(at);
    const isDone = (at: number): boolean => this.#stopped.has(at) || this.#targets[at]!.stage >= this.#steps[at]!.stages.length;
    const waits = (at: number): boolean => this.#steps[at]!.stages[this.#targets[at]!.stage]?.until === "others";
    const all = this.#steps.map((_, at) => at);
    while (!all.every(isDone)) {
      // What was fetched before the question can be in its answer.
      const fetched = this.#targets.map(({ answered }) => answered);
      const shown = await queried(this.#base, "stage");
      for (const at of all) if (!isDone(at) && !waits(at) && (await this.#isOver(at, shown, fetched[at]!))) this.#next(at);
      if (all.every((at) => isDone(at) || waits(at))) for (const at of all.filter((one) => !isDone(one))) this.#next(at);
      if (this.#hasEnded) return this.#stopAll("the scraper has ended");
      for (const at of all) if (!isDone(at) && !waits(at)) this.#stopIfStill(at);
      await new Promise((resolve) => void setTimeout(resolve, POLL_MS));
    }
  }

  async #isOver(at: number, shown: readonly Series[] | undefined, fetched: number): Promise<boolean> {
    const target = this.#targets[at]!;
    const { until } = this.#steps[at]!.stages[target.stage]!;
    if (typeof until === "number") return target.answered >= until;
    if (until === "gone") return (await queried(this.#base, `{case="${this.#label(at)}"}`))?.length === 0;
    const own = shown?.filter(({ labels }) => labels["case"] === this.#label(at)) ?? [];
    if (own.some(({ points }) => points.some(({ value }) => value === target.stage + 1))) return true;
    const isLate = performance.now() - this.#stageAt[at]! > this.#options.shownMs;
    if (shown !== undefined && fetched >= MOST_FETCHES && isLate)
      this.#stopped.set(at, `its page was fetched ${fetched} times and is not stored`);
    return false;
  }

  #begin(at: number): void {
    this.#stageAt[at] = performance.now();
    this.#move(at);
  }
  #move(at: number): void {
    this.#movedAt[at] = performance.now();
  }
  /** Nothing has come of the stage for too long. */
  #stopIfStill(at: number): void {
    const { stillMs, startupMs } = this.#options;
    const mostMs = this.#hasScraped ? stillMs : startupMs;
    if (performance.now() - this.#movedAt[at]! <= mostMs) return;
    this.#stopped.set(at, `nothing came of it in ${Math.round(mostMs / 1_000)} s`);
  }

  #next(at: number): void {
    this.#targets[at]!.next();
    this.#begin(at);
    if (this.#steps[at]!.stages[this.#targets[at]!.stage]?.leaves === true) writeFileSync(join(this.#dir(at), "targets.json"), "[]");
  }
  #stopAll(why: string): void {
    for (const [at, { stages }] of this.#steps.entries())
      if (this.#targets[at]!.stage < stages.length && !this.#stopped.has(at)) this.#stopped.set(at, why);
  }
  #label(at: number): string {
    return `job-${at}`;
  }

  async #record(step: Step, at: number): Promise<JobRecord> {
    const target = this.#targets[at]!;
    const selector = `{case="${this.#label(at)}"}`;
    const series = (await queried(this.#base, `${selector}[1h]`)) ?? [];
    const last = Math.max(...step.stages.flatMap((_, stage) => timesOf(series, stage + 1)));
    const alive = Number.isFinite(last) ? ((await queried(this.#base, selector, last)) ?? []) : [];
    return {
      job: this.#label(at),
      target: target.address,
      asked: [...target.asked],
      series,
      alive: alive.map(({ labels }) => labels),
      passed: target.stage,
      stopped: this.#stopped.get(at) ?? "",
      isRefused: this.#hasEnded && !this.#hasScraped,
    };
  }
}
