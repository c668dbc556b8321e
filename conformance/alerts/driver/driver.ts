import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../../harness/driver.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import { type Probed, probeSettings, type RunOf, Together } from "../../harness/together.ts";
import { requirePlaces } from "../../harness/subject/program.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import type { Case, Step } from "../vocabulary.ts";
import { ROUTER_FEATURES, SENDER_FEATURES } from "./features.ts";
import { faultOf, inWords } from "./judge.ts";
import type { Performance } from "./record.ts";
import { runSession, type SessionOptions, type SessionResult } from "./session.ts";

const STARTUP_MS = 20_000;
/** Programs at the same time that find out about settings. */
const ABREAST = 4;
const EXAMPLE = {
  router:
    "prometheus-alertmanager --config.file={config} --storage.path={dir} --web.listen-address=127.0.0.1:{port} --cluster.listen-address=",
  sender: "prometheus --config.file={config} --storage.tsdb.path={dir} --web.listen-address=127.0.0.1:{port}",
} as const;

export type AlertsOptions = {
  readonly subject: string | InProcessClient;
  /** How long each thing that a case awaits may take, in milliseconds. */
  readonly waitMs: number;
  readonly startupMs?: number;
};

type Both = { readonly record: Promise<Performance>; readonly control: Promise<Performance> };

/** Performs the cases on a router or a sender. All cases that are asked for at the same time are performed in one run. */
abstract class AlertsDriver implements Driver<Case> {
  abstract readonly role: "server" | "client";
  abstract readonly kind: SessionOptions["kind"];
  /** Settings that it may not know. */
  abstract readonly settings: Probed<readonly Step[]>;
  readonly #options: AlertsOptions;
  readonly #together: Together<readonly Step[], Performance>;
  /** The last performance of each case. */
  readonly #performed = new Map<string, Both>();

  constructor(options: AlertsOptions) {
    this.#options = options;
    this.#together = new Together({ run: (all, patience) => this.#run(all, patience), isShared: false });
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    let complaint = "";
    const features = await probeSettings(this.settings, {
      plain: [],
      abreast: ABREAST,
      isUp: async (all) => {
        const result = await this.#session(all, 1);
        ({ complaint } = result);
        return result.isUp;
      },
      onDown: () => {
        const what =
          this.kind === "router"
            ? "The router does not answer at /-/ready."
            : "The sender does not scrape the target of its configuration.";
        throw new Unreachable(`${what}${complaint === "" ? "" : ` It said: ${complaint}`}`);
      },
    });
    return { features };
  }

  async play(c: Case, patience = 1): Promise<Played> {
    const { record: recorded } = this.#performed.get(c.id) ?? this.#perform(c, patience);
    const record = await recorded;
    const transcript = transcriptOf(record);
    const { stopped, isRefused, isLate, skipped } = record;
    if (skipped !== "") return { is: "skip", reason: skipped, observed: "nothing", transcript };
    if (isRefused) return { is: "unproved", reason: `Nothing was done: ${stopped}.`, observed: "nothing", transcript };
    if (stopped !== "") return { is: "other", reason: `${sentence(stopped)}.`, observed: stopped, timedOut: isLate, transcript };
    const faults: string[] = [];
    for (const [index, { see }] of c.allowed.entries()) {
      const fault = faultOf(see, record);
      if (fault === undefined) return { is: "allowed", index, reason: "", observed: "as required", transcript };
      faults.push(fault);
    }
    return { is: "other", reason: `${sentence(faults[0] ?? "")}.`, observed: faults[0] ?? "", transcript };
  }

  async control(c: Case, patience = 1): Promise<Twin> {
    const record = await this.#perform(c, patience).control;
    const transcript = transcriptOf(record);
    if (record.skipped !== "") return { is: "skip", reason: record.skipped, transcript };
    if (record.stopped === "") return { is: "accepted", reason: "all of it went well", transcript };
    return { is: record.isRefused ? "unproved" : "refused", reason: record.stopped, transcript };
  }

  /** Controls run beside their cases, so each is its own; equal steps are performed once. */
  controlKey({ id }: Case): string {
    return id;
  }
  expected({ allowed }: Case): string[] {
    return allowed.map(({ see }) => inWords(see));
  }
  async close(): Promise<void> {
    await this.#together.close();
  }

  #perform(c: Case, patience: number): Both {
    const found = { record: this.#together.want(c.steps, patience), control: this.#together.want(c.control, patience) };
    // A caller that asks for only one of the two gets the failure there.
    for (const one of [found.record, found.control]) one.catch(() => {});
    this.#performed.set(c.id, found);
    return found;
  }

  async #run(all: readonly (readonly Step[])[], patience: number): Promise<RunOf<Performance>> {
    const { performances, complaint, isUp } = await this.#session(all, patience);
    const said = complaint === "" ? "" : ` (it said: ${complaint})`;
    return {
      records: isUp ? performances : performances.map((one) => ({ ...one, stopped: `${one.stopped}${said}` })),
      isRefused: performances.some(({ isRefused }) => isRefused),
    };
  }

  #session(all: readonly (readonly Step[])[], patience: number): Promise<SessionResult> {
    const { subject, waitMs, startupMs = STARTUP_MS } = this.#options;
    const options: SessionOptions = {
      subject,
      kind: this.kind,
      waitMs: waitMs * patience,
      startupMs: startupMs * patience,
    };
    return runSession(all, options);
  }
}

export class RouterDriver extends AlertsDriver {
  readonly role = "server";
  readonly kind = "router";
  readonly settings = ROUTER_FEATURES;

  constructor(options: AlertsOptions) {
    requirePlaces(options.subject, ["{config}", "{port}"], EXAMPLE.router);
    super(options);
  }
}

export class SenderDriver extends AlertsDriver {
  readonly role = "client";
  readonly kind = "sender";
  readonly settings = SENDER_FEATURES;

  constructor(options: AlertsOptions) {
    requirePlaces(options.subject, ["{config}"], EXAMPLE.sender);
    super(options);
  }
}

const sentence = (text: string): string =>
  text.replace(/^(?:the|there|it|nothing|one|in|at|request) /, (word) => `${word[0]!.toUpperCase()}${word.slice(1)}`);

const transcriptOf = ({ lines, stopped, name }: Performance): TranscriptLine[] => [
  ...lines.map(({ ms, way, means }): TranscriptLine => ({ at: Math.round(ms), way, means })),
  ...(stopped === "" ? [] : [{ at: Math.round(lines.at(-1)?.ms ?? 0), way: "--" as const, means: `${name}: ${stopped}` }]),
];
