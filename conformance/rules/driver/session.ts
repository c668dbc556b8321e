import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, portOf } from "../../peers/index.ts";
import type { RunOf } from "../../harness/together.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { queried } from "../../scrape/driver/api.ts";
import { type Program, startProgram } from "../../harness/subject/program.ts";
import type { Series } from "../../scrape/driver/record.ts";
import { closed } from "../../harness/subject/closed.ts";
import type { Group, Stage, Step, Until } from "../vocabulary.ts";
import type { ApiAlert, ApiAnswer, ApiGroup, CaseRecord, Shown } from "./record.ts";

/** One run of a metrics server with the rule files of many cases, and one target that has the inputs of all. */

const POLL_MS = 100;
const SCRAPES_MS = 200;
/** Rules are evaluated this often, unless their group says otherwise. */
const EVALUATION_MS = 250;
const LONGEST_MS = 10_000;
/** What `$externalLabels` has. */
const EXTERNAL = { origin: "touchstone" } as const;

export type SessionOptions = {
  readonly client: string | InProcessClient;
  /** Where queries go, with {port}. */
  readonly api: string;
  /** The longest time in which a case does not go on, and the longest until the server answers. */
  readonly stillMs: number;
  readonly startupMs: number;
};
export type SessionResult = RunOf<CaseRecord> & { readonly complaint: string; readonly hasEvaluated: boolean };

type Life = {
  readonly step: Step;
  readonly name: string;
  readonly files: readonly [string, string];
  stages: readonly Stage[];
  stage: number;
  movedAt: number;
  readonly inputs: Map<string, number>;
  readonly shown: Shown[];
  /** Evaluations that were seen in this stage, and the one before it. */
  evaluations: Set<string>;
  answers: ApiAnswer[];
  series: readonly Series[];
  alive: readonly Series[];
  stopped: string;
};

/** Runs the cases to their ends. */
export async function runSession(steps: readonly Step[], options: SessionOptions): Promise<SessionResult> {
  const session = new Session(steps, options);
  try {
    return await session.run();
  } finally {
    await session.close();
  }
}

class Session {
  readonly #options: SessionOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), "touchstone-rules-"));
  readonly #lives: readonly Life[];
  readonly #target = createServer(
    (_, response) => void response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(this.#page()),
  );
  readonly #began = Date.now() / 1_000;
  #program: Program | undefined;
  #hasEnded = false;
  #hasEvaluated = false;
  #restarted = 0;
  #base = "";
  #port = "";

  constructor(steps: readonly Step[], options: SessionOptions) {
    this.#options = options;
    this.#lives = steps.map((step, at): Life => ({
      step,
      name: `case-${at}`,
      files: [join(this.#folder, `case-${at}.json`), join(this.#folder, `case-${at}-more.json`)],
      stages: step.stages,
      stage: 0,
      movedAt: performance.now(),
      inputs: new Map(),
      shown: [],
      evaluations: new Set(),
      answers: [],
      series: [],
      alive: [],
      stopped: "",
    }));
  }

  async run(): Promise<SessionResult> {
    this.#target.listen(0, "127.0.0.1");
    await once(this.#target, "listening");
    this.#port = String(await freePort());
    this.#base = this.#options.api.replaceAll("{port}", this.#port);
    this.#writeFiles();
    this.#start();
    await this.#stages(this.#lives);
    const again = this.#lives.filter(({ step, stopped }) => step.restarted !== undefined && stopped === "");
    if (again.length > 0) {
      await this.#program?.stop();
      this.#restarted = Date.now() / 1_000;
      this.#start();
      for (const life of again) this.#begin(life, [...life.step.stages, ...life.step.restarted!], life.stage);
      await this.#stages(again);
    }
    const isRefused = this.#hasEnded && !this.#hasEvaluated;
    const records = this.#lives.map((life): CaseRecord => ({
      files: life.files,
      shown: life.shown,
      series: life.series,
      alive: life.alive.map(({ labels }) => labels),
      answers: life.answers,
      passed: life.stage,
      stopped: life.stopped,
      isRefused,
      began: this.#began,
      restarted: this.#restarted,
    }));
    return { records, isRefused, complaint: this.#program?.complaint() ?? "", hasEvaluated: this.#hasEvaluated };
  }

  async close(): Promise<void> {
    await this.#program?.stop();
    await closed(this.#target);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #writeFiles(): void {
    mkdirSync(join(this.#folder, "data"));
    for (const life of this.#lives) {
      const fileOf = (groups: readonly Group[]): string => JSON.stringify({ groups: groups.map((group) => groupOf(group, life.name)) });
      writeFileSync(life.files[0], fileOf(life.step.groups));
      if (life.step.more !== undefined) writeFileSync(life.files[1], fileOf(life.step.more));
    }
    const config = {
      global: { scrape_interval: `${SCRAPES_MS}ms`, evaluation_interval: `${EVALUATION_MS}ms`, external_labels: EXTERNAL },
      rule_files: this.#lives.flatMap(({ files, step }) => (step.more === undefined ? [files[0]] : files)),
      scrape_configs: [
        {
          job_name: "inputs",
          scrape_timeout: `${SCRAPES_MS}ms`,
          honor_labels: true,
          static_configs: [{ targets: [`127.0.0.1:${portOf(this.#target)}`] }],
        },
      ],
    };
    writeFileSync(join(this.#folder, "rules.yml"), JSON.stringify(config, undefined, 1));
  }

  #start(): void {
    const { client } = this.#options;
    this.#hasEnded = false;
    const program = startProgram(client, { config: join(this.#folder, "rules.yml"), dir: join(this.#folder, "data"), port: this.#port });
    this.#program = program;
    void program.ended.finally(() => {
      if (this.#program === program) this.#hasEnded = true;
    });
  }

  #page(): string {
    const lines = this.#lives.flatMap(({ name, inputs }) =>
      [...inputs].map(([input, value]) => `input{case="${name}",name="${input}"} ${value}\n`),
    );
    return `# TYPE input gauge\n${lines.join("")}`;
  }

  /** Moves all cases through their stages until none goes on. */
  async #stages(lives: readonly Life[]): Promise<void> {
    for (const life of lives) this.#begin(life, life.stages, life.stage);
    const isOpen = ({ stopped, stage, stages }: Life): boolean => stopped === "" && stage < stages.length;
    const began = performance.now();
    while (lives.some(isOpen)) {
      const shown = await this.#look();
      if (shown !== undefined) {
        this.#hasEvaluated ||= shown.groups.some(({ rules }) => rules.some(({ health }) => health !== "unknown"));
        for (const life of lives.filter(isOpen)) if (this.#isOver(life, shown)) await this.#end(life, shown);
      }
      if (this.#hasEnded) for (const life of lives.filter(isOpen)) life.stopped = "the server has ended";
      for (const life of lives.filter(isOpen)) {
        const mostMs = this.#hasEvaluated ? this.#options.stillMs : this.#options.startupMs;
        const since = Math.max(life.movedAt, began);
        if (performance.now() - since > mostMs) life.stopped = `nothing came of it in ${Math.round(mostMs / 1_000)} s`;
      }
      await new Promise((resolve) => void setTimeout(resolve, POLL_MS));
    }
    // What did not get to its end may still show why.
    for (const life of lives) if (life.stopped !== "") await this.#collect(life);
  }

  #begin(life: Life, stages: readonly Stage[], stage: number): void {
    life.stages = stages;
    life.stage = stage;
    life.movedAt = performance.now();
    life.evaluations = new Set();
    for (const [name, value] of Object.entries(stages[stage]?.inputs ?? {})) {
      if (value === null) life.inputs.delete(name);
      else life.inputs.set(name, value);
    }
  }

  async #end(life: Life, { groups, alerts }: Look): Promise<void> {
    life.shown.push({
      groups: groups.filter(({ file }) => life.files.includes(file)),
      alerts: alerts.filter(({ labels }) => labels["case"] === life.name),
    });
    const isLast = life.stage + 1 === life.stages.length;
    if (isLast) await this.#collect(life);
    this.#begin(life, life.stages, life.stage + 1);
  }

  async #collect(life: Life): Promise<void> {
    const selector = `{case="${life.name}"}`;
    const [file, more] = life.files.map(encodeURIComponent);
    life.answers = [];
    for (const path of life.step.asks ?? []) {
      const token = (life.answers.at(-1)?.body as { data?: { groupNextToken?: string } } | undefined)?.data?.groupNextToken ?? "";
      const filled = path.replaceAll("{file}", file!).replaceAll("{more}", more!).replaceAll("{token}", encodeURIComponent(token));
      life.answers.push(await asked(this.#base, filled));
    }
    life.series = (await queried(this.#base, `${selector}[1h]`)) ?? [];
    life.alive = (await queried(this.#base, selector)) ?? [];
  }

  /** What the API shows now; undefined without an answer. */
  async #look(): Promise<Look | undefined> {
    const [rules, alerts, series] = await Promise.all([
      asked(this.#base, "/rules"),
      asked(this.#base, "/alerts"),
      queried(this.#base, '{case!="",__name__!="input"}'),
    ]);
    if (rules.status !== 200 || alerts.status !== 200 || series === undefined) return undefined;
    const groups = (rules.body as { data?: { groups?: readonly ApiGroup[] } }).data?.groups ?? [];
    return { groups, alerts: (alerts.body as { data?: { alerts?: readonly ApiAlert[] } }).data?.alerts ?? [], series };
  }

  #isOver(life: Life, look: Look): boolean {
    const rules = look.groups.filter(({ file }) => life.files.includes(file)).flatMap((group) => group.rules);
    const evaluation = rules[0]?.lastEvaluation ?? "";
    life.evaluations.add(evaluation);
    const until: Until = life.stages[life.stage]!.until;
    if ("alert" in until) return rules.some(({ name, state }) => name === until.alert && state === until.is);
    if ("rule" in until) return rules.some(({ name, health }) => name === until.rule && health === until.health);
    if ("evaluated" in until) return life.evaluations.size > until.evaluated;
    const own = look.series.filter(({ labels }) => labels["case"] === life.name);
    const named = own.filter(({ labels }) => labels["__name__"] === ("stored" in until ? until.stored : until.gone));
    if ("gone" in until) return named.length === 0 && life.evaluations.size > 2;
    return named.some(({ points }) => until.value === undefined || points.some(({ value }) => value === until.value));
  }
}

type Look = Shown & { readonly series: readonly Series[] };

/** The group with the label of its case in every rule. */
function groupOf({ rules, ...group }: Group, name: string): Group {
  const fill = (text: string): string => text.replaceAll("{case}", name).replaceAll("{inputs}", `case="${name}"`);
  return {
    ...group,
    rules: rules.map((rule) => ({
      ...rule,
      expr: fill(rule.expr),
      labels: { ...rule.labels, case: name },
      ...(rule.annotations !== undefined && {
        annotations: Object.fromEntries(Object.entries(rule.annotations).map(([key, text]) => [key, fill(text)])),
      }),
    })),
  };
}

async function asked(base: string, path: string): Promise<ApiAnswer> {
  try {
    const response = await fetch(`${base.replace(/\/$/, "")}/api/v1${path}`, { signal: AbortSignal.timeout(LONGEST_MS) });
    return { path, status: response.status, body: await response.json() };
  } catch {
    return { path, status: 0, body: undefined };
  }
}
