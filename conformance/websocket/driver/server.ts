import {
  type Acceptance,
  ConnectionDriver,
  type ConnectionProtocol,
  performAll,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import type { ServerOptions, Target } from "../../harness/subject/transport.ts";
import type { Case } from "../vocabulary.ts";
import { conclude } from "./conclude.ts";
import { outcomeInWords } from "./describe.ts";
import { type Fence, raise } from "./fence.ts";
import { probeServer } from "./probe.ts";
import { WebSocketStage } from "./stage.ts";
import { performOnServer } from "./steps.ts";
import { websocketTarget } from "./target.ts";
import { acceptance } from "./twin.ts";

/** WebSocket on a server: we connect to it, once or more for each case. */
class WebSocketServer implements ConnectionProtocol<Case, WebSocketStage> {
  readonly role = "server";
  readonly outcomeInWords = outcomeInWords;
  readonly #options: ServerOptions;
  readonly #target: Target;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#target = websocketTarget(options.url, options.verify ?? false);
  }

  probe(): Promise<Probed> {
    return probeServer(this.#target, this.#options.timeout);
  }

  open({ over }: Case): WebSocketStage {
    return new WebSocketStage(this.#target, this.#options, over);
  }

  perform(steps: Case["steps"], stage: WebSocketStage): Promise<Stop> {
    return performAll(steps, (step) => performOnServer(step, stage));
  }

  conclude = conclude;

  async accepts(c: Case, stage: WebSocketStage, stop: Stop): Promise<Acceptance> {
    const why = stop ?? (await raise(fenceOfControl(c), stage, () => false));
    const found = acceptance(stage);
    return found.is === "accepted" && why !== undefined ? { is: "refused", reason: why } : found;
  }

  controlKey(c: Case): readonly unknown[] {
    return [fenceOfControl(c), c.over];
  }

  async serves(stage: WebSocketStage): Promise<Stop> {
    const why = await raise("new", stage, () => false);
    return stage.fenced ? undefined : (why ?? "it ended");
  }
}

/** A control always ends with a fence. */
const fenceOfControl = ({ fence }: Case): Fence => (fence === undefined || fence === "none" ? "ping" : fence);

/** Performs WebSocket cases on a server. */
export class ServerDriver extends ConnectionDriver<Case, WebSocketStage, "server"> {
  constructor(options: ServerOptions) {
    super(new WebSocketServer(options), options.pid);
  }
}
