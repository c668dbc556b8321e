import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  type Probed,
} from "../../../harness/connection/connection-driver.ts";
import type { Stop } from "../../../harness/connection/stage.ts";
import { isOwnControl } from "../../../harness/case.ts";
import { HTTP1, type ServerOptions, type Target, targetOf } from "../../../harness/subject/transport.ts";
import type { WebDialect } from "../../../wire/rpc/web-forms.ts";
import type { WebCase } from "../../web-vocabulary.ts";
import { accepts, conclude } from "./conclude.ts";
import { outcomeInWords } from "./describe.ts";
import { probeWebServer } from "./probe.ts";
import { WebStage } from "./stage.ts";
import { perform } from "./steps.ts";

export type WebServerOptions = ServerOptions & { readonly dialect: WebDialect };

/** Calls of the dialects connect and grpc-web on a server that has the conformance service: each on its own connection. */
class WebServer implements ConnectionProtocol<WebCase, WebStage, "server"> {
  readonly role = "server";
  readonly outcomeInWords = outcomeInWords;
  readonly #options: WebServerOptions;
  readonly #target: Target;
  readonly #run = Date.now().toString(36);
  #performed = 0;

  constructor(options: WebServerOptions) {
    this.#options = options;
    this.#target = targetOf(options.url, options.verify ?? false, HTTP1, options.reach);
  }

  probe(): Promise<Probed> {
    return probeWebServer(() => this.open());
  }
  open(): WebStage {
    const { timeout, dialect } = this.#options;
    return new WebStage(this.#target, { timeout, dialect, token: `${this.#run}-${++this.#performed}` });
  }
  perform(steps: WebCase["steps"], stage: WebStage): Promise<Stop> {
    return perform(steps, stage);
  }
  conclude(c: WebCase, stage: WebStage, stop: Stop): Promise<Conclusion> {
    return conclude(c.allowed, stage, stop);
  }
  accepts(c: WebCase, stage: WebStage, stop: Stop): Promise<Acceptance> {
    return accepts(c, stage, stop);
  }
  controlKey(c: WebCase): readonly unknown[] {
    return isOwnControl(c) ? [c.allowed] : [];
  }
}

/** Performs the cases on a server. */
export class WebServerDriver extends ConnectionDriver<WebCase, WebStage, "server"> {
  constructor(options: WebServerOptions) {
    super(new WebServer(options), options.pid);
  }
}
