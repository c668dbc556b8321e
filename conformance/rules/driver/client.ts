import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../../harness/driver.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import { type RunOf, Together } from "../../harness/together.ts";
import { placesBeside, requirePlaces } from "../../harness/subject/program.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { nameOf } from "../../scrape/driver/record.ts";
import type { Case, Sight, Step } from "../vocabulary.ts";
import { FEATURES } from "./features.ts";
import { RULES } from "./rules.ts";
import type { CaseRecord } from "./record.ts";
import { runSession, type SessionResult } from "./session.ts";

/** A case that does not go on for so long is over; a program may take so long until it evaluates rules. */
const STILL_MS = 20_000;
const STARTUP_MS = 30_000;
const DEFAULT_API = "http://127.0.0.1:{port}";

export type RulesOptions = {
  readonly client: string | InProcessClient;
  readonly api: string | undefined;
  readonly stillMs?: number;
  readonly startupMs?: number;
};

/** Performs the cases on a metrics server. All cases that are asked for at the same time are rule files of one run. */
export class RulesDriver implements Driver<Case> {
  readonly role = "client";
  readonly #options: RulesOptions;
  readonly #together: Together<Step, CaseRecord>;
  /** The last performance of each case. */
  readonly #performed = new Map<string, Promise<CaseRecord>>();

  constructor(options: RulesOptions) {
    const { client, api } = options;
    requirePlaces(client, placesBeside(api));
    this.#options = options;
    this.#together = new Together({
      run: (steps, patience) => this.#records(steps, patience),
      isShared: api !== undefined && !api.includes("{port}"),
    });
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const probes = Object.entries(FEATURES);
    const all = await this.#session(
      probes.map(([, { step }]) => step),
      1,
    );
    const base = all.hasEvaluated ? all : await this.#session([PLAIN], 1);
    if (!base.hasEvaluated) {
      const said = base.complaint === "" ? "" : ` It said: ${base.complaint}`;
      throw new Unreachable(`The server evaluates no rule of its configuration, or shows none at /api/v1/rules.${said}`);
    }
    const features = new Map<string, Feature>();
    for (const [at, [name, { step, how, has }]] of probes.entries()) {
      const record = all.hasEvaluated ? all.records[at]! : (await this.#session([step], 1)).records[0]!;
      features.set(name, { has: record.stopped === "" && has(record), how });
    }
    return { features };
  }

  async play(c: Case): Promise<Played> {
    const record = await (this.#performed.get(c.id) ?? this.#perform(c, 1));
    const transcript = transcriptOf(record);
    const [step] = c.steps;
    const count = step!.stages.length + (step!.restarted?.length ?? 0);
    if (record.passed < count) {
      if (record.isRefused) return { is: "unproved", reason: `${record.stopped}.`, observed: "nothing", transcript };
      const reason = `Stage ${record.passed + 1} of ${count} did not end: ${record.stopped}`;
      return { is: "other", reason: `${reason}.`, observed: reason, timedOut: true, transcript };
    }
    let reason = "";
    for (const [index, { see }] of c.allowed.entries()) {
      const fault = RULES[see.rule]!(record, see.words ?? []);
      if (fault === undefined) return { is: "allowed", index, reason: "", observed: "as required", transcript };
      reason ||= fault;
    }
    return { is: "other", reason: `Seen: ${reason}.`, observed: reason, transcript };
  }

  async control(c: Case, patience = 1): Promise<Twin> {
    const record = await this.#perform(c, patience);
    const isAccepted = record.passed >= c.control[0]!.stages.length;
    return {
      is: isAccepted ? "accepted" : record.isRefused ? "unproved" : "refused",
      reason: isAccepted ? "its rules are evaluated" : `its rules come to nothing: ${record.stopped}`,
      transcript: transcriptOf(record),
    };
  }

  /** Every case is its own control. */
  controlKey({ id }: Case): string {
    return id;
  }
  expected({ allowed }: Case): string[] {
    return allowed.map(({ see }) => inWords(see));
  }
  async close(): Promise<void> {
    await this.#together.close();
  }

  #perform(c: Case, patience: number): Promise<CaseRecord> {
    const record = this.#together.want(c.steps[0]!, patience);
    record.catch(() => {});
    this.#performed.set(c.id, record);
    return record;
  }

  async #records(steps: readonly Step[], patience: number): Promise<RunOf<CaseRecord>> {
    const { records, complaint, isRefused } = await this.#session(steps, patience);
    const said = complaint === "" ? "" : ` (it said: ${complaint})`;
    return { records: records.map((one) => (one.stopped === "" ? one : { ...one, stopped: `${one.stopped}${said}` })), isRefused };
  }

  #session(steps: readonly Step[], patience: number): Promise<SessionResult> {
    const { client, api = DEFAULT_API, stillMs = STILL_MS, startupMs = STARTUP_MS } = this.#options;
    return runSession(steps, { client, api, stillMs: stillMs * patience, startupMs: startupMs * patience });
  }
}

const PLAIN: Step = {
  do: "evaluate",
  groups: [{ name: "plain", rules: [{ record: "plain", expr: "vector(1)" }] }],
  stages: [{ until: { stored: "plain" } }],
};

const inWords = ({ rule, words = [] }: Sight): string => `${rule.replaceAll("-", " ")}${words.length > 0 ? ` (${words.join(", ")})` : ""}`;

function transcriptOf({ series, shown, answers, passed, stopped }: CaseRecord): TranscriptLine[] {
  const stored = series.map((one): TranscriptLine => {
    const labels = Object.entries(one.labels).flatMap(([name, value]) => (name === "__name__" ? [] : [`${name}="${value}"`]));
    const values = one.points.slice(0, 12).map(({ time, value }) => `${value} @${time}`);
    return { at: 0, way: "--", means: `stored: ${nameOf(one)}{${labels.join(",")}} ${values.join(" ")}` };
  });
  const stages = shown.map((one, at): TranscriptLine => ({
    at: 0,
    way: "<-",
    means: `after stage ${at + 1}: ${JSON.stringify(one).slice(0, 2_000)}`,
  }));
  const asked = answers.map(({ path, status, body }): TranscriptLine => ({
    at: 0,
    way: "<-",
    means: `${path}: ${status} ${JSON.stringify(body)?.slice(0, 1_000)}`,
  }));
  return [...stages, ...stored, ...asked, { at: 0, way: "--", means: `${passed} stages are over${stopped === "" ? "" : `; ${stopped}`}` }];
}
