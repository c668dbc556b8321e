import type { DialectName } from "../../../vectors/rpc/question.ts";
import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import { WrongUse } from "../../harness/driver.ts";
import { isOwnControl } from "../../harness/case.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { HTTP2, type ServerOptions, type Target, targetOf } from "../../harness/subject/transport.ts";
import { handshake } from "../cases/server/phrases.ts";
import type { RpcCase } from "../vocabulary.ts";
import type { Over } from "../over.ts";
import { accepts, conclude } from "./conclude.ts";
import { outcomeInWords } from "./describe.ts";
import { probeServer } from "./probe.ts";
import { RpcStage } from "./stage.ts";
import { fence, perform } from "./steps.ts";

/** `over`: the version of HTTP, if not HTTP/2. */
export type RpcServerOptions = ServerOptions & { readonly dialect: DialectName; readonly over?: Over };

/** RPC on a server that has the conformance service: we connect to it, once a case. */
class RpcServer implements ConnectionProtocol<RpcCase, RpcStage, "server"> {
  readonly role = "server";
  readonly outcomeInWords = outcomeInWords;
  readonly #options: RpcServerOptions;
  readonly #target: Target;
  readonly #run = Date.now().toString(36);
  #performed = 0;

  constructor(options: RpcServerOptions) {
    this.#options = options;
    this.#target = targetOf(options.url, options.verify ?? false, HTTP2, options.reach);
    if (options.over === "http3" && this.#target.scheme !== "https")
      throw new WrongUse("HTTP/3 has no clear text: --over http3 needs an https: address.");
  }

  probe(): Promise<Probed> {
    return probeServer(() => this.#stage());
  }
  open(): RpcStage {
    return this.#stage();
  }
  perform(steps: RpcCase["steps"], stage: RpcStage): Promise<Stop> {
    return perform([handshake, ...steps], stage);
  }
  conclude(c: RpcCase, stage: RpcStage, stop: Stop): Promise<Conclusion> {
    return conclude(c.allowed, stage, stop);
  }
  accepts(c: RpcCase, stage: RpcStage, stop: Stop): Promise<Acceptance> {
    return accepts(c, stage, stop);
  }
  async serves(stage: RpcStage): Promise<Stop> {
    const stop = await perform([handshake], stage);
    return stop ?? fence(stage);
  }
  controlKey(c: RpcCase): readonly unknown[] {
    return isOwnControl(c) ? [c.allowed] : [];
  }

  #stage(): RpcStage {
    const { timeout, dialect, over } = this.#options;
    return new RpcStage(this.#target, { timeout, dialect, over, token: `${this.#run}-${++this.#performed}` });
  }
}

/** Performs the cases on a server. */
export class RpcServerDriver extends ConnectionDriver<RpcCase, RpcStage, "server"> {
  constructor(options: RpcServerOptions) {
    super(new RpcServer(options), options.pid);
  }
}
