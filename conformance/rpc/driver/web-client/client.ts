import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  type Probed,
} from "../../../harness/connection/connection-driver.ts";
import { isOwnControl } from "../../../harness/case.ts";
import type { Stop } from "../../../harness/connection/stage.ts";
import { ReportingClients } from "../../../harness/subject/reporting.ts";
import type { InProcessClient } from "../../../harness/subject/subject.ts";
import type { WebDialect } from "../../../wire/rpc/web-forms.ts";
import { GOOD } from "../../cases/web-client/phrases.ts";
import type { WebClientCase } from "../../web-client-vocabulary.ts";
import { accepts, conclude } from "../client-conclude.ts";
import { probeClient } from "../client-probe.ts";
import { outcomeInWords } from "./describe.ts";
import { WEB_CLIENT_FEATURES } from "./features.ts";
import { WebClientStage } from "./stage.ts";
import { perform } from "./steps.ts";

export type WebClientOptions = {
  /** A command that reads descriptions, or a function that gets one. */
  readonly client: string | InProcessClient;
  readonly timeout: number;
  readonly dialect: WebDialect;
};

/** Calls of the dialects connect and grpc-web by a client: its command reads what to call, we answer, and it reports. */
class WebClient implements ConnectionProtocol<WebClientCase, WebClientStage, "client"> {
  readonly role = "client";
  readonly outcomeInWords = outcomeInWords;
  readonly #options: WebClientOptions;
  readonly #clients: ReportingClients;

  constructor(options: WebClientOptions) {
    this.#options = options;
    this.#clients = new ReportingClients(options.client, { features: true });
  }

  probe(): Promise<Probed> {
    return probeClient(this.#clients, WEB_CLIENT_FEATURES, { dialect: this.#options.dialect }, async () => {
      const stage = this.open();
      try {
        const stop = await this.perform(GOOD, stage);
        return await conclude([{ see: { see: "answer", payloads: ["touchstone"] } }], stage, stop);
      } finally {
        await stage.drop();
      }
    });
  }
  open(): WebClientStage {
    return new WebClientStage(this.#options);
  }
  perform(steps: WebClientCase["steps"], stage: WebClientStage): Promise<Stop> {
    return perform(steps, stage, this.#clients);
  }
  conclude(c: WebClientCase, stage: WebClientStage, stop: Stop): Promise<Conclusion> {
    return conclude(c.allowed, stage, stop);
  }
  accepts(c: WebClientCase, stage: WebClientStage, stop: Stop): Promise<Acceptance> {
    return accepts(c, stage, stop);
  }
  controlKey(c: WebClientCase): readonly unknown[] {
    return isOwnControl(c) ? [c.allowed] : [];
  }
  close(): Promise<void> {
    return this.#clients.close();
  }
}

/** Performs the cases on a client. */
export class WebClientDriver extends ConnectionDriver<WebClientCase, WebClientStage, "client"> {
  constructor(options: WebClientOptions) {
    super(new WebClient(options));
  }
}
