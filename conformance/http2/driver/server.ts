import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { HTTP2, type ServerOptions, type Target, targetOf } from "../../harness/subject/transport.ts";
import { get, handshake, send } from "../cases/phrases.ts";
import type { Case } from "../vocabulary.ts";
import { acceptedBy, conclude } from "./conclude.ts";
import { outcomeInWords } from "./describe.ts";
import { refusingResponses } from "./judge.ts";
import { probeServer } from "./probe.ts";
import { type Fence, Http2Stage } from "./stage.ts";
import { perform } from "./steps.ts";

/** HTTP/2 on a server: we connect to it, once a case. */
class Http2Server implements ConnectionProtocol<Case, Http2Stage> {
  readonly role = "server";
  readonly outcomeInWords = outcomeInWords;
  readonly perform = perform;
  readonly #options: ServerOptions;
  readonly #target: Target;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#target = {
      ...targetOf(options.url, options.verify ?? false, HTTP2, options.reach),
      ...(options.post === undefined ? {} : { post: options.post }),
    };
  }

  probe(): Promise<Probed> {
    return probeServer(this.#target, this.#options);
  }

  open(_: Case, part: "case" | "control"): Promise<Http2Stage> {
    const stage = new Http2Stage("server", this.#target, this.#options);
    stage.isControl = part === "control";
    return stage.dial();
  }

  conclude(c: Case, stage: Http2Stage, stop: Stop): Promise<Conclusion> {
    return conclude(c, c.allowed, stage, stop);
  }

  accepts(c: Case, stage: Http2Stage, stop: Stop): Promise<Acceptance> {
    return acceptedBy(c, (outcomes) => conclude({ ...c, fence: fenceOfControl(c) }, outcomes, stage, stop));
  }

  controlKey(c: Case): readonly unknown[] {
    return [fenceOfControl(c), refusingResponses(c.allowed)];
  }

  async serves(stage: Http2Stage): Promise<Stop> {
    const complete = { see: "response", stream: 1, complete: true } as const;
    const stop = await perform([handshake, send(get(1)), { do: "await", see: complete }], stage);
    return stop ?? (stage.sees(complete) ? undefined : "it ended");
  }
}

/** A control always ends with a fence. */
const fenceOfControl = ({ fence = "request" }: Case): Fence => (fence === "none" ? "ping" : fence);

/** Performs HTTP/2 cases on a server. */
export class ServerDriver extends ConnectionDriver<Case, Http2Stage, "server"> {
  constructor(options: ServerOptions) {
    super(new Http2Server(options), options.pid);
  }
}
