import { createHash } from "node:crypto";
import type { Budget, Case, Role } from "../case.ts";
import { costInWords, excess, Meter } from "../subject/cost.ts";
import type { Driver, Feature, Played, Twin } from "../driver.ts";
import type { Cost } from "../result.ts";
import type { Stage, Stop } from "./stage.ts";
import { Turns } from "../turns.ts";

type AnyCase = Case<unknown, unknown>;

/** The outcome of a performance. */
export type Conclusion = Omit<Played, "transcript" | "cost">;
/** Whether the subject accepted the control; `reason` is a clause that says what went wrong. */
export type Acceptance = Omit<Twin, "transcript">;
/** The result of a probe. */
export type Probed = { readonly features: ReadonlyMap<string, Feature>; readonly version?: string };

/** What one protocol adds to the driver for one role of the subject: its stage, its steps, and how its sights decide. */
export interface ConnectionProtocol<C extends AnyCase, S extends Stage<never>, R extends Role = Role> {
  readonly role: R;
  /** Performances never overlap. */
  readonly alone?: boolean;
  probe(): Promise<Probed>;
  /** Sets the stage for the steps of the case or of its control: connects to the subject, or starts it. */
  open(c: C, part: "case" | "control"): Promise<S> | S;
  perform(steps: C["steps"], stage: S): Promise<Stop>;
  /** Fences, and decides between the allowed outcomes. */
  conclude(c: C, stage: S, stop: Stop): Promise<Conclusion>;
  /** Fences, and decides whether the control was accepted. */
  accepts(c: C, stage: S, stop: Stop): Promise<Acceptance>;
  /** The key of a control: controls with equal keys are performed once per run. */
  controlKey(c: C): readonly unknown[];
  outcomeInWords(outcome: C["allowed"][number]): string;
  /** Tries a good exchange on a new stage; returns why it failed. With it, abuse is measured and its harm judged. */
  serves?(stage: S): Promise<Stop>;
  close?(): Promise<void>;
}

/** Runs `perform` for each step until one stops, or until `isOver`. */
export async function performAll<Step>(
  steps: readonly Step[],
  perform: (step: Step) => Promise<Stop>,
  isOver: () => boolean = () => false,
): Promise<Stop> {
  for (const step of steps) {
    const stop = await perform(step);
    if (stop !== undefined || isOver()) return stop;
  }
  return undefined;
}

/** Performs cases over connections, for any protocol: each case and each control on its own stage. */
export class ConnectionDriver<C extends AnyCase, S extends Stage<never>, R extends Role = Role> implements Driver<C> {
  readonly role: R;
  readonly #protocol: ConnectionProtocol<C, S, R>;
  /** Or the reason why nothing is measured. */
  readonly #meter: Meter | string;
  readonly #turns = new Turns();

  /** `pid` is the process of the subject, if known. */
  constructor(protocol: ConnectionProtocol<C, S, R>, pid?: number) {
    this.role = protocol.role;
    this.#protocol = protocol;
    this.#meter = Meter.of(pid);
  }

  probe(): Promise<Probed> {
    return this.#protocol.probe();
  }

  play(c: C, patience = 1): Promise<Played> {
    const isMeasured = c.budget !== undefined && this.#meter instanceof Meter;
    return this.#turns.take(this.#protocol.alone === true || isMeasured, () =>
      this.#on({ c, part: "case", patience }, async (stage): Promise<Omit<Played, "transcript">> => {
        const judgesHarm = c.group === "abuse" && this.#protocol.serves !== undefined;
        const spent = judgesHarm ? this.#measure(stage) : undefined;
        const stop = await this.#protocol.perform(c.steps, stage);
        const concluded = await this.#protocol.conclude(c, stage, stop);
        const cost = spent?.(c.budget);
        const harm = judgesHarm && concluded.is === "allowed" ? await this.#harm(c, stage, cost) : undefined;
        const { observed, details } = concluded;
        return {
          ...(harm === undefined ? concluded : { is: "other", reason: harm, observed, ...(details === undefined ? {} : { details }) }),
          ...(cost === undefined ? {} : { cost }),
          timedOut: stage.timedOut,
        };
      }),
    );
  }

  control(c: C, patience = 1): Promise<Twin> {
    return this.#turns.take(this.#protocol.alone === true, () =>
      this.#on({ c, part: "control", patience }, async (stage) =>
        this.#protocol.accepts(c, stage, await this.#protocol.perform(c.control, stage)),
      ),
    );
  }

  controlKey(c: C): string {
    return createHash("sha256")
      .update(JSON.stringify([c.control, ...this.#protocol.controlKey(c)]))
      .digest("hex");
  }

  expected(c: C): string[] {
    return c.allowed.map((outcome) => this.#protocol.outcomeInWords(outcome));
  }

  async close(): Promise<void> {
    await this.#protocol.close?.();
  }

  /** Works on a new stage; anything thrown is an error of the harness. */
  async #on<Found>(
    { c, part, patience }: { readonly c: C; readonly part: "case" | "control"; readonly patience: number },
    work: (stage: S) => Promise<Found>,
  ) {
    let stage: S | undefined;
    try {
      stage = await this.#protocol.open(c, part);
      stage.timeout *= patience;
      return { ...(await work(stage)), transcript: stage.recorder.lines };
    } catch (error) {
      return { is: "error", reason: messageOf(error), observed: "nothing", transcript: stage?.recorder.lines ?? [] } as const;
    } finally {
      await stage?.drop();
    }
  }

  /** The harm that an attack did although it was stopped. */
  async #harm(c: C, { recorder }: S, cost: Cost | undefined): Promise<Stop> {
    let after: S | undefined;
    try {
      after = await this.#protocol.open(c, "control");
      const why = await this.#protocol.serves?.(after);
      recorder.remark(why === undefined ? "a new connection is served" : `a new connection is not served: ${why}`);
      if (why !== undefined) return "It stopped the attack, but a new connection was not served afterwards.";
    } catch (error) {
      recorder.remark(`a new connection is not accepted: ${messageOf(error)}`);
      return "It stopped the attack, but a new connection was not served afterwards.";
    } finally {
      await after?.drop();
    }
    return cost === undefined || c.budget === undefined ? undefined : excess(cost, c.budget);
  }

  /** Measures until the function that it returns is called. The figures, or why there are none, go into the transcript. */
  #measure({ recorder }: S): ((budget: Budget | undefined) => Cost | undefined) | undefined {
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

/** The message of anything thrown. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
