import { createHash } from "node:crypto";
import type { Budget } from "../../harness/case.ts";
import { costInWords, excess, Meter } from "../../harness/cost.ts";
import { type Driver, type Feature, type Played, type Twin } from "../../harness/driver.ts";
import type { Cost } from "../../harness/result.ts";
import { dialPatiently, type Target, targetOf } from "../../harness/transport.ts";
import { Turns } from "../../harness/turns.ts";
import { get, handshake, send } from "../phrases.ts";
import type { Case, Outcome } from "../vocabulary.ts";
import { conclude } from "./conclude.ts";
import { outcomeInWords } from "./describe.ts";
import { refusingResponses } from "./judge.ts";
import { probeServer } from "./probe.ts";
import { follow } from "./connection.ts";
import { Stage } from "./stage.ts";
import { perform } from "./steps.ts";

export type ServerOptions = {
  readonly url: string;
  /** The longest silence, in milliseconds, that is waited for. */
  readonly timeout: number;
  /** Refuse certificates that are not trusted. */
  readonly verify?: boolean;
  /** The subject's process: what abuse costs it is measured. */
  readonly pid?: number;
  /** Cuts `wait` steps short, in milliseconds: for subjects that are known to do nothing, however long one waits. */
  readonly longestWait?: number;
};

const ACCEPTED: Outcome = { see: { see: "accepted" } };

/** Performs HTTP/2 cases on a server: we connect to it, once a case. */
export class ServerDriver implements Driver<Case> {
  readonly role = "server";
  readonly #target: Target;
  readonly #timeout: number;
  readonly #longestWait: number;
  /** Or in words why nothing is measured. */
  readonly #meter: Meter | string;
  readonly #turns = new Turns();

  constructor(options: ServerOptions) {
    this.#longestWait = options.longestWait ?? Number.POSITIVE_INFINITY;
    this.#target = targetOf(options.url, options.verify ?? false);
    this.#timeout = options.timeout;
    this.#meter = Meter.of(options.pid);
  }

  probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    return probeServer(this.#target, this.#timeout);
  }

  play(c: Case): Promise<Played> {
    return this.#turns.take(c.budget !== undefined && typeof this.#meter !== "string", () => this.#perform(c, c.allowed));
  }

  async control(c: Case): Promise<Twin> {
    const refusing = refusingResponses(c.allowed).map((see): Outcome => ({ see }));
    // A refusing answer first, so that it is recognised before what it would otherwise pass for.
    const twin: Case = { ...c, steps: c.control, fence: c.fence === "none" ? "ping" : (c.fence ?? "request") };
    const played = await this.#turns.take(false, () => this.#perform(twin, [...refusing, ACCEPTED], true));
    const { transcript } = played;
    if (played.is === "error" || played.is === "skip") return { is: played.is, reason: played.reason, transcript };
    const accepted = played.is === "allowed" && played.index === refusing.length;
    return { is: accepted ? "accepted" : "refused", reason: played.observed, transcript };
  }

  controlKey(c: Case): string {
    const parts = [c.control, c.fence === "none" ? "ping" : (c.fence ?? "request"), refusingResponses(c.allowed)];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  }

  expected(c: Case): string[] {
    return c.allowed.map(outcomeInWords);
  }

  async close(): Promise<void> {}

  /** Whether a new connection gets an answer: a server that survives an attack serves the others. */
  async #serves(after: Stage): Promise<boolean> {
    const stage = new Stage("server", this.#target, this.#timeout);
    try {
      const socket = await dialPatiently(this.#target, this.#timeout);
      stage.attach(follow(socket, stage));
      const stop = await perform([handshake, send(get(1)), { do: "await", see: { see: "response", stream: 1, complete: true } }], stage);
      after.recorder.remark(
        stop === undefined && !stage.over ? "a new connection is served" : `a new connection is not served: ${stop ?? "it ended"}`,
      );
      return stop === undefined && stage.sees({ see: "response", stream: 1, complete: true });
    } catch (error) {
      after.recorder.remark(`a new connection is not taken: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    } finally {
      if (stage.connected) stage.wire.drop();
    }
  }

  /** What an attack did although it was stopped. */
  async #harm(stage: Stage, cost: Cost | undefined, budget: Budget | undefined): Promise<string | undefined> {
    if (!(await this.#serves(stage))) return "It stopped the attack, but a new connection was not served afterwards.";
    return cost === undefined || budget === undefined ? undefined : excess(cost, budget);
  }

  /** Measures from here to the call of what it returns; the figures, or why there are none, are written into the transcript. */
  #measure({ recorder }: Stage): ((budget: Budget | undefined) => Cost | undefined) | undefined {
    const spent = typeof this.#meter === "string" ? this.#meter : (this.#meter.begin() ?? "the process of the subject is gone");
    if (typeof spent === "string") {
      recorder.remark(`not measured: ${spent}`);
      return undefined;
    }
    return (budget) => {
      const cost = spent();
      recorder.remark(cost === undefined ? "not measured: the process of the subject is gone" : costInWords(cost, budget));
      return cost;
    };
  }

  async #perform(c: Case, allowed: readonly Outcome[], twin = false): Promise<Played> {
    const stage = new Stage("server", this.#target, this.#timeout);
    stage.twin = twin;
    stage.longestWait = this.#longestWait;
    try {
      const socket = await dialPatiently(this.#target, this.#timeout);
      stage.attach(follow(socket, stage));
      const spent = c.group === "abuse" && !twin ? this.#measure(stage) : undefined;
      const stop = await perform(c.steps, stage);
      const concluded = await conclude(c, allowed, stage, stop);
      const cost = spent?.(c.budget);
      const harm = c.group === "abuse" && concluded.is === "allowed" ? await this.#harm(stage, cost, c.budget) : undefined;
      const { observed } = concluded;
      const played = harm === undefined ? concluded : ({ is: "other", reason: harm, observed } as const);
      return { ...played, transcript: stage.recorder.lines, ...(cost === undefined ? {} : { cost }) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { is: "error", reason, observed: "nothing", transcript: stage.recorder.lines };
    } finally {
      if (stage.connected) stage.wire.drop();
    }
  }
}
