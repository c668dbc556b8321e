import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { WrongUse } from "../../harness/driver.ts";
import { type ServerOptions, type Spoken, type Target, targetOf } from "../../harness/subject/transport.ts";
import { get, handshake } from "../cases/phrases.ts";
import type { Case } from "../vocabulary.ts";
import { acceptedBy, conclude } from "./conclude.ts";
import { outcomeInWords } from "./describe.ts";
import { refusingResponses } from "./judge.ts";
import { probeServer } from "./probe.ts";
import { type Fence, Http3Stage } from "./stage.ts";
import { perform } from "./steps.ts";

const HTTP3: Spoken = { name: "HTTP/3", clear: "HTTP/1.1 or HTTP/2 in clear text", alpn: "h3", byDefault: false };

/** HTTP/3 on a server: we connect to it, once a case. */
class Http3Server implements ConnectionProtocol<Case, Http3Stage> {
  readonly role = "server";
  readonly outcomeInWords = outcomeInWords;
  readonly perform = perform;
  readonly #options: ServerOptions;
  readonly #target: Target;

  constructor(options: ServerOptions) {
    this.#options = options;
    const target = targetOf(options.url, options.verify ?? false, HTTP3, options.reach);
    if (target.scheme === "http") throw new WrongUse(`HTTP/3 has no clear text: write https://${target.authority}${target.path}`);
    this.#target = { ...target, ...(options.post === undefined ? {} : { post: options.post }) };
  }

  probe(): Promise<Probed> {
    return probeServer(this.#target, this.#options);
  }

  open({ windows }: Case, part: "case" | "control"): Promise<Http3Stage> {
    return new Http3Stage("server", this.#target, this.#options).dial(part === "case" ? windows : undefined);
  }

  conclude(c: Case, stage: Http3Stage, stop: Stop): Promise<Conclusion> {
    return conclude(c, c.allowed, stage, stop);
  }

  accepts(c: Case, stage: Http3Stage, stop: Stop): Promise<Acceptance> {
    return acceptedBy(c, (outcomes) => conclude({ ...c, fence: fenceOfControl(c) }, outcomes, stage, stop));
  }

  controlKey(c: Case): readonly unknown[] {
    return [fenceOfControl(c), refusingResponses(c.allowed)];
  }

  async serves(stage: Http3Stage): Promise<Stop> {
    const complete = { see: "response", on: "request", complete: true } as const;
    const stop = await perform(
      [handshake, { do: "send", on: "request", frames: [get()], end: true }, { do: "await", see: complete }],
      stage,
    );
    return stop ?? (stage.sees(complete) ? undefined : "it ended");
  }
}

/** A control always ends with a fence. */
const fenceOfControl = ({ fence = "request" }: Case): Fence => (fence === "none" ? "request" : fence);

/** Performs HTTP/3 cases on a server. */
export class ServerDriver extends ConnectionDriver<Case, Http3Stage, "server"> {
  constructor(options: ServerOptions) {
    super(new Http3Server(options), options.pid);
  }
}
