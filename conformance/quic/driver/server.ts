import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  performAll,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { WrongUse } from "../../harness/driver.ts";
import { type ServerOptions, type Spoken, type Target, targetOf } from "../../harness/subject/transport.ts";
import type { Case, Step } from "../vocabulary.ts";
import { accepts, conclude, type Raise } from "./conclude.ts";
import { outcomeInWords } from "./describe.ts";
import { ping, raise } from "./fence.ts";
import { probeServer } from "./probe.ts";
import { ServerStage } from "./server-stage.ts";
import { performOnServer } from "./server-steps.ts";

const QUIC: Spoken = { name: "QUIC", clear: "HTTP/1.1 or HTTP/2 in clear text", alpn: "h3", byDefault: false };

const GONE = "The server answers no connection any more: it has ended or hangs, perhaps since an earlier case.";

/** QUIC on a server: a raw connection a case. */
class QuicServer implements ConnectionProtocol<Case, ServerStage> {
  readonly role = "server";
  readonly outcomeInWords = outcomeInWords;
  readonly #options: ServerOptions;
  readonly #target: Target;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#target = targetOf(options.url, options.verify ?? false, QUIC);
    if (this.#target.scheme === "http")
      throw new WrongUse(`QUIC has no clear text: write https://${this.#target.authority}${this.#target.path}`);
  }

  probe(): Promise<Probed> {
    return probeServer(this.#target, this.#options);
  }
  open(): ServerStage {
    return new ServerStage(this.#target, this.#options);
  }
  perform(steps: readonly Step[], stage: ServerStage): Promise<Stop> {
    return performAll(
      steps,
      (step) => performOnServer(step, stage),
      () => stage.skip !== undefined,
    );
  }
  async conclude(c: Case, stage: ServerStage, stop: Stop): Promise<Conclusion> {
    const concluded = await conclude(c.allowed, stage, stop, raising(c.fence ?? "ping", stage));
    const hasSaidNothing = concluded.is === "other" && concluded.observed === "nothing" && c.group !== "abuse";
    // Over UDP nothing tells that nobody listens any more.
    return hasSaidNothing && !(await stage.serves()) ? { is: "error", reason: GONE, observed: "nothing" } : concluded;
  }
  accepts(_: Case, stage: ServerStage, stop: Stop): Promise<Acceptance> {
    return accepts(stage, stop, raising("ping", stage));
  }
  controlKey(): readonly unknown[] {
    return [];
  }
  async serves(stage: ServerStage): Promise<Stop> {
    return (await stage.serves()) ? undefined : "its handshake was not completed";
  }
}

const raising =
  (fence: NonNullable<Case["fence"]>, stage: ServerStage): Raise =>
  (decided) =>
    raise(fence, stage, decided, () => another(stage, decided));

/** Another connection is served; if that of the case was established, it is asked, too: what refuses may come with the end of the handshake. */
async function another(stage: ServerStage, decided: () => boolean): Promise<Stop> {
  if (!(await stage.serves())) return "another connection was not served";
  if (decided() || stage.over || !stage.end.established) return undefined;
  await ping(stage, decided);
  return undefined;
}

/** Performs QUIC cases on a server. */
export class ServerDriver extends ConnectionDriver<Case, ServerStage, "server"> {
  constructor(options: ServerOptions) {
    super(new QuicServer(options), options.pid);
  }
}
