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
import { Unreachable, WrongUse } from "../../harness/driver.ts";
import { addressOf, isAddress, startProxy } from "../../harness/subject/start-proxy.ts";
import type { ProxySubject, RunningProxy } from "../../harness/subject/subject.ts";
import { type Target, targetOf, type Verify } from "../../harness/subject/transport.ts";
import { GOOD, good } from "../cases/proxy/phrases.ts";
import type { RpcProxyCase } from "../proxy-vocabulary.ts";
import { accepts, conclude } from "./proxy-conclude.ts";
import { outcomeInWords } from "./proxy-describe.ts";
import { Origin } from "./proxy-origin.ts";
import { RpcProxyStage } from "./proxy-stage.ts";
import { perform } from "./proxy-steps.ts";

export type RpcProxyOptions = ProxySubject & { readonly timeout: number; readonly verify?: Verify; readonly dialect: DialectName };

/** RPC through a proxy: we are its client and its origin, one case at a time. */
class RpcProxy implements ConnectionProtocol<RpcProxyCase, RpcProxyStage, "proxy"> {
  readonly role = "proxy";
  readonly alone = true;
  readonly outcomeInWords = outcomeInWords;
  readonly #options: RpcProxyOptions;
  #origin: Origin | undefined;
  #running: RunningProxy | undefined;
  #target: Target | undefined;
  /** Tells the performances of this driver from those of any other that the same proxy has served. */
  readonly #run = `t${process.pid.toString(36)}${Date.now().toString(36)}`;
  #performances = 0;

  constructor(options: RpcProxyOptions) {
    this.#options = options;
  }

  async probe(): Promise<Probed> {
    const { proxy, origin = "127.0.0.1:0", http2, verify = false, dialect } = this.#options;
    if (isAddress(proxy) && this.#options.origin === undefined)
      throw new WrongUse("A running proxy forwards somewhere: give that address with --origin HOST:PORT; nothing else may listen there.");
    const [host, port] = addressOf(origin);
    this.#origin = await Origin.listen(host, port);
    this.#running = isAddress(proxy)
      ? { url: proxy, ...(http2 === undefined ? {} : { http2Url: http2 }), stop: async () => {} }
      : await startProxy(proxy, `${host}:${this.#origin.port}`, "rpc");
    const { url, http2Url = url, version } = this.#running;
    this.#target = targetOf(http2Url, verify);
    const stage = this.open();
    try {
      const stop = await perform(GOOD, stage);
      if (stage.notHttp2 !== undefined)
        throw new Unreachable(`${this.#target.authority} does not speak HTTP/2 to its origin, which calls need: ${stage.notHttp2}.`);
      const { is, reason, observed } = await conclude([{ see: good() }], stage, stop);
      if (is !== "allowed")
        throw new Unreachable(
          `A good call in the dialect ${dialect} does not pass ${this.#target.authority}: ${reason} Seen: ${observed}. It must forward everything to the address where the harness listens, in HTTP/2 with prior knowledge.`,
        );
    } finally {
      await stage.drop();
    }
    return { features: new Map(), ...(version === undefined ? {} : { version }) };
  }

  open(): RpcProxyStage {
    if (this.#origin === undefined || this.#target === undefined) throw new Error("the proxy has not been probed");
    this.#performances += 1;
    const { timeout, dialect } = this.#options;
    return new RpcProxyStage(this.#target, this.#origin, { timeout, dialect, name: `${this.#run}n${this.#performances}` });
  }
  perform(steps: RpcProxyCase["steps"], stage: RpcProxyStage): Promise<Stop> {
    return perform(steps, stage);
  }
  conclude(c: RpcProxyCase, stage: RpcProxyStage, stop: Stop): Promise<Conclusion> {
    return conclude(c.allowed, stage, stop);
  }
  accepts(c: RpcProxyCase, stage: RpcProxyStage, stop: Stop): Promise<Acceptance> {
    return accepts(c, stage, stop);
  }
  controlKey(c: RpcProxyCase): readonly unknown[] {
    return isOwnControl(c) ? [c.allowed] : [];
  }
  async close(): Promise<void> {
    await this.#running?.stop();
    await this.#origin?.close();
  }
}

/** Performs the cases on a proxy. */
export class RpcProxyDriver extends ConnectionDriver<RpcProxyCase, RpcProxyStage, "proxy"> {
  constructor(options: RpcProxyOptions) {
    super(new RpcProxy(options));
  }
}
