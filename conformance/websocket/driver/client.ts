import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  performAll,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import { type ClientOptions, ClientRunner } from "../../harness/subject/client-run.ts";
import { Unreachable } from "../../harness/driver.ts";
import { concludeFenced, sentence } from "../../harness/connection/fenced.ts";
import { brokenProperty, decide } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import type { Case } from "../vocabulary.ts";
import { ServedConnection } from "./client-connection.ts";
import { raiseOnClient } from "./client-fence.ts";
import { probeClient } from "./client-probe.ts";
import { WebSocketClientStage } from "./client-stage.ts";
import { performOnClient } from "./client-steps.ts";
import { openReason } from "./conclude.ts";
import type { Conversation } from "./connection.ts";
import { observedInWords, outcomeInWords, reportsInWords, specialFields } from "./describe.ts";
import { deciding } from "./sights.ts";
import { acceptance } from "./twin.ts";

/** How long a client may take to start and connect, in milliseconds: a browser is slower than other programs. */
const STARTUP_MS = 15_000;

/**
 * The driver for WebSocket clients. The command gets `{url}`, opens a WebSocket there, echoes every message, and exits with status 0 after
 * a clean close, and with another status if anything failed. The query contains the sub-protocols that it must offer:
 * `?protocols=chat,superchat`.
 */
class WebSocketClient implements ConnectionProtocol<Case, WebSocketClientStage> {
  readonly role = "client";
  readonly outcomeInWords = outcomeInWords;
  readonly #options: ClientOptions;
  readonly #runner: ClientRunner;
  /** The handshake keys of all performances: none may repeat (rfc6455#4.1). */
  readonly #keys = new Map<string, WebSocketClientStage>();
  /** It reports what its program was told. */
  #tells = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#runner = new ClientRunner(options, {
      example: "my-client {url}",
      alpn: "http/1.1",
      otherAlpn: "h2",
      allowHalfOpen: true,
      startupMs: STARTUP_MS,
    });
  }

  async probe(): Promise<Probed> {
    const { features, stage, reason } = await probeClient(async (steps, ask = {}) => {
      const tried = await this.open({ ask });
      try {
        let stop = await this.perform(steps, tried);
        if (stop === undefined && tried.connected) stop = await raiseOnClient("ping", tried, () => false);
        return { stage: tried, stop };
      } finally {
        await tried.drop();
      }
    });
    if (!stage.connected && stage.run !== undefined) throw new Unreachable(stage.run.neverConnected);
    if (reason !== undefined) throw new Unreachable(reason);
    this.#tells = features.get("tells")?.has === true;
    return { features };
  }

  open({ ask = {} }: Pick<Case, "ask">, part?: "case" | "control"): Promise<WebSocketClientStage> {
    // A control has nothing wrong, so it announces what it offers.
    const asked = part === "control" ? { ...ask, announces: true } : ask;
    return this.#runner.run(
      (address) => new WebSocketClientStage(address, asked, this.#options.timeout, this.#keys),
      ({ url }) => ({ url, method: "GET" }),
    );
  }

  async perform(steps: Case["steps"], stage: WebSocketClientStage): Promise<Stop> {
    if (!stage.connected) return undefined;
    const stop = await performAll(steps, (step) => performOnClient(step, stage));
    stage.missed = stop !== undefined;
    return stop;
  }

  async conclude({ fence, allowed }: Case, stage: WebSocketClientStage, stop: Stop): Promise<Conclusion> {
    const observed = (): string => observedInWords([...stage.connections.values()], stage.fenced, handshakeInWords);
    if (!stage.connected && stage.run !== undefined) return { is: "error", reason: stage.run.neverConnected, observed: observed() };
    const fencing = {
      look: () => (stage.missed ? undefined : decide(allowed, deciding(stage.view, fence === "none"))),
      raise: (decided: () => boolean) => raiseOnClient(fence, stage, decided),
      observed,
      reason: (why: Stop) => {
        const broken = brokenProperty(allowed, stage.view.monitor);
        return broken === undefined ? reasonOf(stage, why) : `Seen: ${broken}.`;
      },
    };
    const concluded = await concludeFenced(fencing, stop);
    // A client whose connections have ended has ended, too, or does so now.
    if (this.#tells && stage.quiet && stage.reports.size === 0) await stage.hear();
    return { ...concluded, observed: concluded.observed + reportsInWords(stage.reports) };
  }

  async accepts(_: Case, stage: WebSocketClientStage, stop: Stop): Promise<Acceptance> {
    if (!stage.connected && stage.run !== undefined) return { is: "error", reason: stage.run.neverConnected };
    const why = stop ?? (await raiseOnClient("ping", stage, () => false));
    const found = acceptance(stage);
    return found.is === "accepted" && why !== undefined ? { is: "refused", reason: why } : found;
  }

  controlKey({ ask }: Case): readonly unknown[] {
    return [ask];
  }
}

/** Performs WebSocket cases on a client: listens on loopback, starts it once per performance, and observes its frames and how it ends the connection. */
export class ClientDriver extends ConnectionDriver<Case, WebSocketClientStage, "client"> {
  constructor(options: ClientOptions) {
    super(new WebSocketClient(options));
  }
}

const handshakeInWords = (conversation: Conversation): string => {
  const { theirs, response } = conversation;
  const asked = conversation instanceof ServedConnection ? specialFields(conversation.request?.fields) : "";
  if (response === undefined) return `its handshake${asked}`;
  return `${theirs.frames.length === 0 ? "nothing " : ""}after our ${response.status}${asked === "" ? "" : ` to its handshake${asked}`}`;
};

function reasonOf(stage: WebSocketClientStage, stop: Stop): string {
  const gaveUp = [...stage.connections.values()].every(({ theirs, endedFirst }) => theirs.frames.length === 0 && endedFirst);
  if (stop !== undefined && gaveUp && stage.over && !stage.missed) return "It ended the connection, and sent nothing after its handshake.";
  return stop === undefined ? openReason(stage, undefined) : sentence(stop);
}
