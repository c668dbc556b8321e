import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { Unreachable } from "../../harness/driver.ts";
import type { ClientOptions } from "../../harness/subject/client-run.ts";
import { plainExchange, untilRequest } from "../cases/phrases-client.ts";
import type { Case } from "../vocabulary.ts";
import { Http3ClientRunner } from "./client-run.ts";
import type { Http3ClientStage } from "./client-stage.ts";
import { acceptedBy } from "./conclude.ts";
import { concludeClient } from "./conclude-client.ts";
import { outcomeInWords } from "./describe.ts";
import { isGoodExit } from "./sights.ts";
import { perform } from "./steps.ts";

/** Optional client features that cases need, probed before the first case. */
export const CLIENT_FEATURES: Readonly<Record<string, string>> = {
  "exit-status": "the command exits with a status other than 0 when its request is reset",
  "no-push": "the client sends no MAX_PUSH_ID with its request",
  "dynamic-table": "the client allows a dynamic table of at least 200 octets (QPACK_MAX_TABLE_CAPACITY)",
};
const TABLE = 200;

/** HTTP/3 on a client. Its command sends one request to `{url}` and ends, with a status other than 0 when the request failed. */
class Http3Client implements ConnectionProtocol<Case, Http3ClientStage> {
  readonly role = "client";
  readonly outcomeInWords = outcomeInWords;
  readonly #runner: Http3ClientRunner;

  constructor(options: ClientOptions) {
    this.#runner = new Http3ClientRunner(options);
  }

  async probe(): Promise<Probed> {
    const plain = await this.#try(plainExchange);
    if (!plain.connected || !plain.wire.established) throw new Unreachable(plain.run?.neverConnected ?? "The client did not connect.");
    if (!plain.log.seen.some(isGoodExit)) throw new Unreachable("The client did not exit with status 0 after a good response.");
    const failing = await this.#try([...untilRequest, { do: "reset", on: "request", code: "H3_INTERNAL_ERROR" }]);
    const table = plain.wire.theirSettings.get("QPACK_MAX_TABLE_CAPACITY") ?? 0;
    const pushes = plain.log.seen.some((seen) => seen.is === "frame" && seen.frame.type === "MAX_PUSH_ID");
    return {
      features: new Map([
        ["exit-status", { has: !failing.log.seen.some(isGoodExit), how: "it ended with status 0 although its request was reset" }],
        ["no-push", { has: !pushes, how: "it sends MAX_PUSH_ID" }],
        ["dynamic-table", { has: table >= TABLE, how: `it announces QPACK_MAX_TABLE_CAPACITY=${table}` }],
      ]),
    };
  }

  open(): Promise<Http3ClientStage> {
    return this.#runner.run();
  }

  async perform(steps: Case["steps"], stage: Http3ClientStage): Promise<Stop> {
    return stage.connected ? perform(steps, stage) : undefined;
  }

  async conclude(c: Case, stage: Http3ClientStage, stop: Stop): Promise<Conclusion> {
    return unreached(stage) ?? concludeClient(c.allowed, stage, stop);
  }

  async accepts(c: Case, stage: Http3ClientStage, stop: Stop): Promise<Acceptance> {
    return unreached(stage) ?? acceptedBy(c, (outcomes) => concludeClient(outcomes, stage, stop));
  }

  controlKey(): readonly unknown[] {
    return [];
  }

  /** One exchange of the probe. */
  async #try(steps: Case["steps"]): Promise<Http3ClientStage> {
    const stage = await this.open();
    try {
      const stop = await this.perform(steps, stage);
      if (stage.connected) await concludeClient([{ see: { see: "accepted" } }], stage, stop);
    } finally {
      await stage.drop();
    }
    return stage;
  }
}

const unreached = ({ connected, run }: Http3ClientStage): (Conclusion & { is: "error" }) | undefined =>
  connected || run === undefined ? undefined : { is: "error", reason: run.neverConnected, observed: "nothing" };

/** Performs HTTP/3 cases on a client: listens on loopback, starts it once per performance, and observes its frames and its exit. */
export class ClientDriver extends ConnectionDriver<Case, Http3ClientStage, "client"> {
  constructor(options: ClientOptions) {
    super(new Http3Client(options));
  }
}
