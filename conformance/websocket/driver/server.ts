import { randomUUID } from "node:crypto";
import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  performAll,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import type { ServerOptions, Target } from "../../harness/subject/transport.ts";
import type { Case } from "../vocabulary.ts";
import { conclude } from "./conclude.ts";
import { outcomeInWords, reportsInWords } from "./describe.ts";
import { type Fence, raise } from "./fence.ts";
import { probeServer } from "./probe.ts";
import { WebSocketStage } from "./stage.ts";
import { performOnServer } from "./steps.ts";
import { websocketTarget } from "./target.ts";
import { acceptance } from "./twin.ts";

/** `hasHttp3`: whether it may speak HTTP/3 at the same port; by default if its address is wss:. */
export type WebSocketServerOptions = ServerOptions & { readonly hasHttp3?: boolean };

/** WebSocket on a server: we connect to it, once or more for each case. */
class WebSocketServer implements ConnectionProtocol<Case, WebSocketStage> {
  readonly role = "server";
  readonly outcomeInWords = outcomeInWords;
  readonly #options: WebSocketServerOptions;
  readonly #target: Target;
  /** The names of performances, if the server reports what its program was told. */
  #names: { readonly run: string; count: number } | undefined;

  constructor(options: WebSocketServerOptions) {
    this.#options = options;
    this.#target = websocketTarget(options.url, options.verify ?? false, options.reach);
  }

  async probe(): Promise<Probed> {
    const probed = await probeServer(this.#target, this.#options.timeout, this.#options.hasHttp3);
    if (probed.features.get("tells")?.has === true) this.#names = { run: randomUUID(), count: 0 };
    return probed;
  }

  open({ over }: Case): WebSocketStage {
    const names = this.#names;
    const name = names === undefined ? undefined : `${names.run}-${(names.count += 1)}`;
    return new WebSocketStage(this.#target, { ...this.#options, name }, over);
  }

  perform(steps: Case["steps"], stage: WebSocketStage): Promise<Stop> {
    return performAll(steps, (step) => performOnServer(step, stage));
  }

  /** Reports of the program belong to what was seen of connections that the server has ended, or not opened. */
  async conclude(c: Case, stage: WebSocketStage, stop: Stop): Promise<Conclusion> {
    const concluded = await conclude(c, stage, stop);
    const over = [...stage.connections.values()].filter((one) => one.response !== undefined && (one.ended !== undefined || !one.open));
    await stage.hear(over.map(({ on }) => on).filter((on) => !stage.reports.has(on)));
    return { ...concluded, observed: concluded.observed + reportsInWords(stage.reports) };
  }

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
  constructor(options: WebSocketServerOptions) {
    super(new WebSocketServer(options), options.pid);
  }
}
