import {
  type Acceptance,
  ConnectionDriver,
  type ConnectionProtocol,
  performAll,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { HTTP1, type ServerOptions, type Target, targetOf } from "../../harness/subject/transport.ts";
import type { Case } from "../vocabulary.ts";
import { conclude } from "./conclude.ts";
import type { Conversation } from "./conversation.ts";
import { outcomeInWords } from "./describe.ts";
import { type Fence, raise } from "./fence.ts";
import { type Known, UNKNOWN } from "./known.ts";
import { probeServer } from "./probe.ts";
import { Http1Stage } from "./stage.ts";
import { performOnServer } from "./steps.ts";
import { acceptance, expected, refusingStatuses } from "./twin.ts";

/** HTTP/1.1 on a server: we connect to it, once or more for each case. */
class Http1Server implements ConnectionProtocol<Case, Http1Stage> {
  readonly role = "server";
  readonly outcomeInWords = outcomeInWords;
  readonly #options: ServerOptions;
  readonly #target: Target;
  #known: Known = UNKNOWN;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#target = {
      ...targetOf(options.url, options.verify ?? false, HTTP1, options.reach),
      ...(options.post === undefined ? {} : { post: options.post }),
    };
  }

  async probe(): Promise<Probed> {
    const { known, ...found } = await probeServer(this.#target, this.#options);
    this.#known = known;
    return found;
  }

  open(): Http1Stage {
    return new Http1Stage(this.#target, this.#known, this.#options);
  }

  perform(steps: Case["steps"], stage: Http1Stage): Promise<Stop> {
    return performAll(steps, (step) => performOnServer(step, stage));
  }

  conclude = conclude;

  async accepts(c: Case, stage: Http1Stage, stop: Stop): Promise<Acceptance> {
    const fence = fenceOfControl(c);
    // Wait for the responses on the other connections too.
    const settled = (): boolean =>
      [...stage.connections.values()].every(
        (one) => one.ended !== undefined || one.responses.length >= expected(one, stage.known.persists),
      );
    // A server may give up a response whose client ends its half: in an exchange without a mistake that comes after the response.
    if (fence === "half-close") await stage.until(() => settled() && stage.view.conversations.every(isWhole), stage.timeout);
    const why = stop ?? (await raise(fence, stage, () => false));
    if (why === undefined) await stage.until(settled, stage.timeout);
    const found = acceptance(stage, refusingStatuses(c.allowed), fence === "request" ? stage.last : undefined);
    return found.is === "accepted" && why !== undefined ? { is: "refused", reason: why } : found;
  }

  controlKey(c: Case): readonly unknown[] {
    return [fenceOfControl(c), refusingStatuses(c.allowed)];
  }

  async serves(stage: Http1Stage): Promise<Stop> {
    const why = await raise("request", stage, () => false);
    return stage.fenced ? undefined : (why ?? "it ended");
  }
}

/** Every response has its end, or its connection has. */
const isWhole = ({ ended, responses }: Conversation): boolean => ended !== undefined || responses.every(({ complete }) => complete);

/** A control always ends with a fence. */
const fenceOfControl = ({ fence }: Case): Fence => (fence === undefined || fence === "none" || fence === "exit" ? "request" : fence);

/** Performs HTTP/1.1 cases on a server. */
export class ServerDriver extends ConnectionDriver<Case, Http1Stage, "server"> {
  constructor(options: ServerOptions) {
    super(new Http1Server(options), options.pid);
  }
}
