import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import { type ClientOptions, ClientRunner } from "../../harness/subject/client-run.ts";
import { Unreachable } from "../../harness/driver.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import type { Case } from "../vocabulary.ts";
import { Http2ClientStage } from "./client-stage.ts";
import { acceptedBy } from "./conclude.ts";
import { concludeClient } from "./conclude-client.ts";
import { outcomeInWords } from "./describe.ts";
import { clientFeatures, hasUpload, MALFORMED, PLAIN, RESET, type Trial, UPLOAD } from "./probe-client.ts";
import type { Fence } from "./stage.ts";
import { perform } from "./steps.ts";

/** HTTP/2 on a client. Its command sends one request to `{url}` and ends, with a status other than 0 when the request failed. */
class Http2Client implements ConnectionProtocol<Case, Http2ClientStage> {
  readonly role = "client";
  readonly outcomeInWords = outcomeInWords;
  readonly #timeout: number;
  readonly #runner: ClientRunner;

  constructor(options: ClientOptions) {
    this.#timeout = options.timeout;
    this.#runner = new ClientRunner(options, { example: "curl -s {url}", alpn: "h2", allowHalfOpen: false });
  }

  async probe(): Promise<Probed> {
    const plain = await this.#try(PLAIN);
    if (!plain.connected) throw new Unreachable(plain.run?.neverConnected ?? "");
    const [failing, malformed] = [await this.#try(RESET), await this.#try(MALFORMED)];
    const upload = hasUpload(plain) ? await this.#try(UPLOAD) : undefined;
    return { features: clientFeatures({ plain, failing, malformed, upload }) };
  }

  open(): Promise<Http2ClientStage> {
    return this.#runner.run(
      (address) => new Http2ClientStage(address, this.#timeout),
      ({ target: { scheme, authority, path } }) => ({ url: `${scheme}://${authority}${path}`, method: "GET" }),
    );
  }

  async perform(steps: Case["steps"], stage: Http2ClientStage): Promise<Stop> {
    return stage.connected ? perform(steps, stage) : undefined;
  }

  async conclude(c: Case, stage: Http2ClientStage, stop: Stop): Promise<Conclusion> {
    return unreached(stage) ?? concludeClient(c, c.allowed, stage, stop);
  }

  async accepts(c: Case, stage: Http2ClientStage, stop: Stop): Promise<Acceptance> {
    return unreached(stage) ?? acceptedBy(c, (outcomes) => concludeClient({ fence: fenceOfControl(c) }, outcomes, stage, stop));
  }

  controlKey(c: Case): readonly unknown[] {
    return [fenceOfControl(c)];
  }

  /** One exchange of the probe. */
  async #try({ steps, fence }: Trial): Promise<Http2ClientStage> {
    const stage = await this.open();
    try {
      const stop = await this.perform(steps, stage);
      if (stage.connected) await concludeClient({ fence }, [{ see: { see: "accepted" } }], stage, stop);
    } finally {
      await stage.drop();
    }
    return stage;
  }
}

const unreached = ({ connected, run }: Http2ClientStage): (Conclusion & { is: "error" }) | undefined =>
  connected || run === undefined ? undefined : { is: "error", reason: run.neverConnected, observed: "nothing" };

const fenceOfControl = ({ fence = "exit" }: Case): Fence => (fence === "none" ? "exit" : fence);

/** Performs HTTP/2 cases on a client: listens on loopback, starts it once per performance, and observes its frames and its exit. */
export class ClientDriver extends ConnectionDriver<Case, Http2ClientStage, "client"> {
  constructor(options: ClientOptions) {
    super(new Http2Client(options));
  }
}
