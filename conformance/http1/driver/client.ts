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
import type { Stop } from "../../harness/connection/stage.ts";
import type { Case } from "../vocabulary.ts";
import { probeClient } from "./client-probe.ts";
import { Http1ClientStage } from "./client-stage.ts";
import { answerOn, performOnClient } from "./client-steps.ts";
import { detailsOfClient, observedOfClient, reasonOfClient } from "./client-words.ts";
import { outcomeInWords } from "./describe.ts";

/**
 * The driver for HTTP/1.1 clients. The command gets `{url}`, prints the content, and exits with a status other than 0 if that fails. `{url2}`, if
 * present, is the address of a second request after the first; `{head:-I}` and `{post:-d x}` contain the options for HEAD and POST.
 */
class Http1Client implements ConnectionProtocol<Case, Http1ClientStage> {
  readonly role = "client";
  readonly outcomeInWords = outcomeInWords;
  readonly #options: ClientOptions;
  readonly #runner: ClientRunner;
  #prints = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#runner = new ClientRunner(options, { example: "curl -s {url}", alpn: "http/1.1", allowHalfOpen: true });
  }

  async probe(): Promise<Probed> {
    const { features, stage } = await probeClient(async (trial) => {
      const tried = await this.open(trial, "case");
      try {
        await this.perform(trial.steps, tried);
      } finally {
        await tried.drop();
      }
      return tried;
    }, this.#options.client);
    if (!stage.connected && stage.run !== undefined) throw new Unreachable(stage.run.neverConnected);
    this.#prints = features.get("output")?.has === true;
    return { features };
  }

  open(c: Pick<Case, "ask" | "controlAsk">, part: "case" | "control"): Promise<Http1ClientStage> {
    const ask = (part === "control" ? c.controlAsk : undefined) ?? c.ask ?? {};
    return this.#runner.run(
      (address) => new Http1ClientStage(address, ask, this.#options.timeout),
      ({ asked }) => asked,
    );
  }

  async perform(steps: Case["steps"], stage: Http1ClientStage): Promise<Stop> {
    if (!stage.connected) return undefined;
    const stop = await performAll(steps, (step) => performOnClient(step, stage));
    await answerOn(steps, stage);
    return stop;
  }

  async conclude(c: Case, stage: Http1ClientStage, stop: Stop): Promise<Conclusion> {
    const seen = { observed: observedOfClient(stage), details: detailsOfClient(stage) };
    const index = (stage.gone || stage.gaveUp) && !stage.missed ? c.allowed.findIndex(({ see }) => stage.sees(see)) : -1;
    if (index >= 0) return { is: "allowed", index, reason: "", ...seen };
    if (!stage.connected && stage.run !== undefined) return { is: "error", reason: stage.run.neverConnected, ...seen };
    return { is: "other", reason: reasonOfClient(c, stage, stop), ...seen };
  }

  async accepts(_: Case, stage: Http1ClientStage, stop: Stop): Promise<Acceptance> {
    if (!stage.connected && stage.run !== undefined) return { is: "error", reason: stage.run.neverConnected };
    const why = stop ?? this.#refusal(stage);
    return { is: why === undefined ? "accepted" : "refused", reason: why ?? "" };
  }

  controlKey(c: Case): readonly unknown[] {
    return [c.controlAsk ?? c.ask];
  }

  /** Why the exchange without the mistake failed. */
  #refusal(stage: Http1ClientStage): string | undefined {
    if (!stage.gone) return `it did not end within ${stage.timeout} ms, and we ended it then`;
    if (stage.exit?.ok !== true) return stage.exit === undefined ? "it was killed" : "it ended with a status other than 0";
    if (this.#prints && stage.output !== stage.content) return "what it printed is not the content that it was sent";
    return stage.requests.length === 0 ? "it sent no request" : undefined;
  }
}

/** Performs HTTP/1.1 cases on a client: listens on loopback, starts it once per performance, and observes its requests and its exit. */
export class ClientDriver extends ConnectionDriver<Case, Http1ClientStage, "client"> {
  constructor(options: ClientOptions) {
    super(new Http1Client(options));
  }
}
