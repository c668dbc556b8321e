import { createHash } from "node:crypto";
import type { Budget } from "../../harness/case.ts";
import { costInWords, excess, Meter } from "../../harness/cost.ts";
import type { Driver, Feature, Played, Twin } from "../../harness/driver.ts";
import type { Cost } from "../../harness/result.ts";
import type { Target } from "../../harness/transport.ts";
import { Turns } from "../../harness/turns.ts";
import type { Case } from "../vocabulary.ts";
import { conclude } from "./conclude.ts";
import { outcomeInWords } from "./describe.ts";
import { type Fence, raise } from "./fence.ts";
import { probeServer } from "./probe.ts";
import { Stage } from "./stage.ts";
import { perform } from "./steps.ts";
import { websocketTarget } from "./target.ts";
import { type Acceptance, acceptance } from "./twin.ts";

/** Which server is asked, and how. */
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

/** Performs WebSocket cases on a server: we connect to it, once or more for each case. */
export class ServerDriver implements Driver<Case> {
  readonly role = "server";
  readonly #target: Target;
  readonly #timeout: number;
  readonly #longestWait: number;
  /** Or in words why nothing is measured. */
  readonly #meter: Meter | string;
  readonly #turns = new Turns();

  constructor(options: ServerOptions) {
    this.#target = websocketTarget(options.url, options.verify ?? false);
    this.#timeout = options.timeout;
    this.#longestWait = options.longestWait ?? Number.POSITIVE_INFINITY;
    this.#meter = Meter.of(options.pid);
  }

  probe(): Promise<{ features: ReadonlyMap<string, Feature>; version?: string }> {
    return probeServer(this.#target, this.#timeout);
  }

  play(c: Case): Promise<Played> {
    return this.#turns.take(c.budget !== undefined && typeof this.#meter !== "string", () => this.#perform(c));
  }

  control(c: Case): Promise<Twin> {
    return this.#turns.take(false, async (): Promise<Twin> => {
      const stage = this.#stage(c);
      try {
        let why = await perform(c.control, stage);
        if (why === undefined) why = await raise(fenceOfTwin(c.fence), stage, () => false);
        const found = acceptance(stage);
        const { is, reason }: Acceptance = found.is === "accepted" && why !== undefined ? { is: "refused", reason: why } : found;
        return { is, reason, transcript: stage.recorder.lines };
      } catch (error) {
        return { is: "error", reason: error instanceof Error ? error.message : String(error), transcript: stage.recorder.lines };
      } finally {
        stage.drop();
      }
    });
  }

  controlKey(c: Case): string {
    const parts = [c.control, fenceOfTwin(c.fence), c.over];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  }

  expected(c: Case): string[] {
    return c.allowed.map(outcomeInWords);
  }

  async close(): Promise<void> {}

  #stage({ over }: Pick<Case, "over">): Stage {
    const stage = new Stage(this.#target, this.#timeout, over);
    stage.longestWait = this.#longestWait;
    return stage;
  }

  async #perform(c: Case): Promise<Played> {
    const stage = this.#stage(c);
    try {
      const spent = c.group === "abuse" ? this.#measure(stage) : undefined;
      const stop = await perform(c.steps, stage);
      const concluded = await conclude(c.fence, c.allowed, stage, stop);
      const cost = spent?.(c.budget);
      const harm = c.group === "abuse" && concluded.is === "allowed" ? await this.#harm(c, stage, cost) : undefined;
      const played = harm === undefined ? concluded : ({ is: "other", reason: harm, observed: concluded.observed } as const);
      return { ...played, transcript: stage.recorder.lines, ...(cost === undefined ? {} : { cost }) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { is: "error", reason, observed: "nothing", transcript: stage.recorder.lines };
    } finally {
      stage.drop();
    }
  }

  /** What an attack did although it was stopped. */
  async #harm({ over, budget }: Case, stage: Stage, cost: Cost | undefined): Promise<string | undefined> {
    const after = this.#stage(over === undefined ? {} : { over });
    try {
      const why = await raise("new", after, () => false);
      stage.recorder.remark(after.fenced ? "a new connection is served" : `a new connection is not served: ${why ?? "it ended"}`);
      if (!after.fenced) return "It stopped the attack, but a new connection was not served afterwards.";
    } catch (error) {
      stage.recorder.remark(`a new connection is not taken: ${error instanceof Error ? error.message : String(error)}`);
      return "It stopped the attack, but a new connection was not taken afterwards.";
    } finally {
      after.drop();
    }
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
}

/** A control is always asked after: that is what makes it one. */
const fenceOfTwin = (fence: Case["fence"]): Fence => (fence === undefined || fence === "none" ? "ping" : fence);
