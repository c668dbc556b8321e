import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  performAll,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import type { ClientOptions } from "../../harness/subject/client-run.ts";
import type { Case, Step } from "../vocabulary.ts";
import { probeClient } from "./client-probe.ts";
import { QuicClientRunner } from "./client-run.ts";
import type { ClientStage } from "./client-stage.ts";
import { performOnClient } from "./client-steps.ts";
import { accepts, conclude, type Raise } from "./conclude.ts";
import { outcomeInWords } from "./describe.ts";
import { raise } from "./fence.ts";

/** QUIC on a client. Its command sends one request to `{url}` and ends, with a status other than 0 when the request failed. */
class QuicClient implements ConnectionProtocol<Case, ClientStage> {
  readonly role = "client";
  readonly outcomeInWords = outcomeInWords;
  readonly #runner: QuicClientRunner;

  constructor(options: ClientOptions) {
    this.#runner = new QuicClientRunner(options);
  }

  probe(): Promise<Probed> {
    return probeClient(this.#runner);
  }
  open(): Promise<ClientStage> {
    return this.#runner.run();
  }
  async perform(steps: readonly Step[], stage: ClientStage): Promise<Stop> {
    return stage.connected
      ? performAll(
          steps,
          (step) => performOnClient(step, stage),
          () => stage.over && !stage.isConnected,
        )
      : undefined;
  }
  async conclude(c: Case, stage: ClientStage, stop: Stop): Promise<Conclusion> {
    return unreached(stage) ?? conclude(c.allowed, stage, stop, raising(c.fence ?? "ping", stage));
  }
  async accepts(_: Case, stage: ClientStage, stop: Stop): Promise<Acceptance> {
    return unreached(stage) ?? accepts(stage, stop, raising("ping", stage));
  }
  controlKey(): readonly unknown[] {
    return [];
  }
  close(): Promise<void> {
    return this.#runner.close();
  }
}

const raising =
  (fence: NonNullable<Case["fence"]>, stage: ClientStage): Raise =>
  (decided) =>
    raise(fence, stage, decided, async () => "a client has no other connection");

const unreached = ({ connected, run }: ClientStage): (Conclusion & { is: "error" }) | undefined =>
  connected || run === undefined ? undefined : { is: "error", reason: run.neverConnected, observed: "nothing" };

/** Performs QUIC cases on a client: listens on loopback, starts it once per performance, and observes its packets and its exit. */
export class ClientDriver extends ConnectionDriver<Case, ClientStage, "client"> {
  constructor(options: ClientOptions) {
    super(new QuicClient(options));
  }
}
