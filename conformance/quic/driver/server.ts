import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  performAll,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import { concludeFenced, sentence } from "../../harness/connection/fenced.ts";
import { brokenProperty, decide } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { WrongUse } from "../../harness/driver.ts";
import { type ServerOptions, type Spoken, type Target, targetOf } from "../../harness/subject/transport.ts";
import type { Case, Outcome, Step } from "../vocabulary.ts";
import { observedInWords, outcomeInWords } from "./describe.ts";
import { raise } from "./fence.ts";
import { probeServer } from "./probe.ts";
import { closedIn, isTerminal } from "./sights.ts";
import { QuicStage } from "./stage.ts";
import { perform } from "./steps.ts";

const QUIC: Spoken = { name: "QUIC", clear: "HTTP/1.1 or HTTP/2 in clear text", alpn: "h3", byDefault: false };

/** QUIC on a server: a raw connection a case. */
class QuicServer implements ConnectionProtocol<Case, QuicStage> {
  readonly role = "server";
  readonly outcomeInWords = outcomeInWords;
  readonly #options: ServerOptions;
  readonly #target: Target;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#target = targetOf(options.url, options.verify ?? false, QUIC);
    if (this.#target.scheme === "http")
      throw new WrongUse(`QUIC has no clear text: write https://${this.#target.authority}${this.#target.path}`);
  }

  probe(): Promise<Probed> {
    return probeServer(this.#target, this.#options);
  }
  open(): QuicStage {
    return new QuicStage(this.#target, this.#options);
  }
  perform(steps: readonly Step[], stage: QuicStage): Promise<Stop> {
    return performAll(
      steps,
      (step) => perform(step, stage),
      () => stage.skip !== undefined,
    );
  }
  conclude(c: Case, stage: QuicStage, stop: Stop): Promise<Conclusion> {
    return this.#conclude(c.allowed, c.fence ?? "ping", stage, stop);
  }

  async accepts(_: Case, stage: QuicStage, stop: Stop): Promise<Acceptance> {
    const { is, reason, observed } = await this.#conclude(ACCEPTED, "ping", stage, stop);
    if (is === "error" || is === "skip" || is === "unproved") return { is, reason };
    return { is: is === "allowed" ? "accepted" : "refused", reason: observed };
  }
  controlKey(): readonly unknown[] {
    return [];
  }
  async serves(stage: QuicStage): Promise<Stop> {
    return (await stage.serves()) ? undefined : "its handshake was not completed";
  }

  async #conclude(allowed: readonly Outcome[], fence: NonNullable<Case["fence"]>, stage: QuicStage, stop: Stop): Promise<Conclusion> {
    if (stage.skip !== undefined) return { is: "skip", reason: `Not tested: ${stage.skip}.`, observed: "nothing" };
    const deciding = { isSeen: (see: Outcome["see"]): boolean => stage.sees(see), isTerminal };
    return concludeFenced(
      {
        look: () => decide(allowed, { ...deciding, fenced: stage.fenceAnswered }),
        raise: (decided) => raise(fence, stage, decided),
        observed: () => observedInWords(stage.seen, stage.fenceAnswered && !stage.over),
        reason: (why) => reasonOf(allowed, stage, why),
      },
      stage.over ? undefined : stop,
    );
  }
}

const ACCEPTED: readonly Outcome[] = [{ see: { see: "accepted" } }];

function reasonOf(allowed: readonly Outcome[], stage: QuicStage, why: Stop): string {
  const closed = closedIn(stage.all);
  if (closed !== undefined) return `Not permitted here: ${closed.words}.`;
  const failed = stage.all.find((one) => one.is === "failed");
  if (failed?.is === "failed") return `The handshake failed at our side: ${failed.words}.`;
  if (why !== undefined) return sentence(why);
  const broken = brokenProperty(allowed, stage.view.monitor);
  if (broken !== undefined) return `Seen: ${broken}.`;
  return "It accepted this as if nothing were wrong: it acknowledged a later packet.";
}

/** Performs QUIC cases on a server. */
export class ServerDriver extends ConnectionDriver<Case, QuicStage, "server"> {
  constructor(options: ServerOptions) {
    super(new QuicServer(options), options.pid);
  }
}
