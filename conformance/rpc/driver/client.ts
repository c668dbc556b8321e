import type { DialectName } from "../../../vectors/rpc/question.ts";
import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import { isOwnControl } from "../../harness/case.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { ReportingClients } from "../../harness/subject/reporting.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { Wallet } from "../../tls/certificates.ts";
import { GOOD } from "../cases/client/phrases.ts";
import type { RpcClientCase } from "../client-vocabulary.ts";
import { accepts, conclude } from "./client-conclude.ts";
import { outcomeInWords } from "./client-describe.ts";
import { CLIENT_FEATURES } from "./client-features.ts";
import { probeClient } from "./client-probe.ts";
import { RpcClientStage } from "./client-stage.ts";
import { perform } from "./client-steps.ts";

export type RpcClientOptions = {
  /** A command that reads descriptions, or a function that gets one. */
  readonly client: string | InProcessClient;
  readonly timeout: number;
  readonly dialect: DialectName;
};

/** RPC on a client: its command reads what to call, we answer by frames, and it reports. */
class RpcClient implements ConnectionProtocol<RpcClientCase, RpcClientStage, "client"> {
  readonly role = "client";
  readonly outcomeInWords = outcomeInWords;
  readonly #options: RpcClientOptions;
  readonly #clients: ReportingClients;
  /** As its adapter lists it. */
  #language: string | undefined;
  readonly #wallet = new Wallet("server");

  constructor(options: RpcClientOptions) {
    this.#options = options;
    this.#clients = new ReportingClients(options.client, { features: true });
  }

  probe(): Promise<Probed> {
    const heard = (greeting: Readonly<Record<string, unknown>>): void => {
      const { language } = greeting;
      this.#language = typeof language === "string" ? language : undefined;
    };
    return probeClient(this.#clients, CLIENT_FEATURES, { dialect: this.#options.dialect, heard }, async () => {
      const stage = this.open();
      try {
        const stop = await this.perform(GOOD, stage);
        return await conclude([{ see: { see: "answer", messages: ["touchstone"] } }], stage, stop);
      } finally {
        await stage.drop();
      }
    });
  }

  open(): RpcClientStage {
    const { timeout, dialect } = this.#options;
    return new RpcClientStage({ timeout, dialect, wallet: this.#wallet, language: this.#language });
  }
  perform(steps: RpcClientCase["steps"], stage: RpcClientStage): Promise<Stop> {
    return perform(steps, stage, this.#clients);
  }
  conclude(c: RpcClientCase, stage: RpcClientStage, stop: Stop): Promise<Conclusion> {
    return conclude(c.allowed, stage, stop);
  }
  accepts(c: RpcClientCase, stage: RpcClientStage, stop: Stop): Promise<Acceptance> {
    return accepts(c, stage, stop);
  }
  controlKey(c: RpcClientCase): readonly unknown[] {
    return isOwnControl(c) ? [c.allowed] : [];
  }
  close(): Promise<void> {
    return this.#clients.close();
  }
}

/** Performs the cases on a client. */
export class RpcClientDriver extends ConnectionDriver<RpcClientCase, RpcClientStage, "client"> {
  constructor(options: RpcClientOptions) {
    super(new RpcClient(options));
  }
}
