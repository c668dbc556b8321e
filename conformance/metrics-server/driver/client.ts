import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../../harness/driver.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import { requirePlaces } from "../../harness/subject/program.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { type RunOf, Together } from "../../harness/together.ts";
import type { Case, Sight } from "../vocabulary.ts";
import { FEATURES } from "./features.ts";
import type { Answer, CaseRecord } from "./record.ts";
import { RULES } from "./rules.ts";
import { runSession, type SessionResult, type Wanted } from "./session.ts";

/** The longest until servers show their targets, and until a change shows. */
const STARTUP_MS = 30_000;
const UNTIL_MS = 10_000;

export type ServerOptions = { readonly client: string | InProcessClient; readonly startupMs?: number; readonly untilMs?: number };

/** Performs the cases on a metrics server. All cases that are asked for at the same time are requests of one run. */
export class ServerDriver implements Driver<Case> {
  readonly role = "client";
  readonly #options: ServerOptions;
  readonly #together: Together<Wanted, CaseRecord>;
  /** The last performance of each case. */
  readonly #performed = new Map<string, Promise<CaseRecord>>();

  constructor(options: ServerOptions) {
    requirePlaces(options.client, ["{config}", "{port}"]);
    this.#options = options;
    this.#together = new Together({ run: (all, patience): Promise<RunOf<CaseRecord>> => this.#session(all, patience), isShared: false });
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const probes = Object.entries(FEATURES);
    const { records, isRefused, complaint } = await this.#session(
      probes.map(([, { step }]) => ({ step, control: step })),
      1,
    );
    if (isRefused)
      throw new Unreachable(
        `The server does not show the targets of its configuration.${complaint === "" ? "" : ` It said: ${complaint}`}`,
      );
    return { features: new Map(probes.map(([name, { has, how }], at) => [name, { has: has(records[at]!.answers), how }])) };
  }

  async play(c: Case): Promise<Played> {
    const record = await (this.#performed.get(c.id) ?? this.#perform(c, 1));
    const transcript = transcriptOf(record);
    if (record.stopped !== "") return { is: "unproved", reason: `${record.stopped}.`, observed: "nothing", transcript };
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
    const bad = record.twin.find(({ status }) => status < 200 || status >= 300);
    const isOwn = JSON.stringify(c.steps) === JSON.stringify(c.control);
    const isAccepted = record.stopped === "" && (isOwn || (record.twin.length > 0 && bad === undefined));
    return {
      is: isAccepted ? "accepted" : record.stopped === "" ? "refused" : "unproved",
      reason: isAccepted ? "the server answers" : record.stopped || `the answer to ${bad?.path ?? "the request"} is ${bad?.status ?? 0}`,
      transcript: transcriptOf({ ...record, answers: record.twin }),
    };
  }

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
    const record = this.#together.want({ step: c.steps[0]!, control: c.control[0]! }, patience);
    record.catch(() => {});
    this.#performed.set(c.id, record);
    return record;
  }

  #session(all: readonly Wanted[], patience: number): Promise<SessionResult> {
    const { client, startupMs = STARTUP_MS, untilMs = UNTIL_MS } = this.#options;
    return runSession(all, { client, startupMs: startupMs * patience, untilMs: untilMs * patience });
  }
}

const inWords = ({ rule, words = [] }: Sight): string => `${rule.replaceAll("-", " ")}${words.length > 0 ? ` (${words.join(", ")})` : ""}`;

const transcriptOf = ({ answers, stopped }: Pick<CaseRecord, "answers" | "stopped">): TranscriptLine[] => [
  ...answers.map(({ path, status, contentType, text }: Answer): TranscriptLine => ({
    at: 0,
    way: "<-",
    means: `${path}: ${status} ${contentType} ${text.slice(0, 1_000)}`,
  })),
  ...(stopped === "" ? [] : [{ at: 0, way: "--", means: stopped } as const]),
];
