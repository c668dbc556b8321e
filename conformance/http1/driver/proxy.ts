import {
  type Acceptance,
  type Conclusion,
  ConnectionDriver,
  type ConnectionProtocol,
  performAll,
  type Probed,
} from "../../harness/connection/connection-driver.ts";
import { type Played, type Twin, WrongUse } from "../../harness/driver.ts";
import { sentence } from "../../harness/connection/fenced.ts";
import { brokenProperty } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { addressOf, startProxy } from "../../harness/subject/start-proxy.ts";
import type { ProxySubject, RunningProxy } from "../../harness/subject/subject.ts";
import { HTTP1, HTTP2, targetOf, type Verify } from "../../harness/subject/transport.ts";
import type { Case } from "../vocabulary.ts";
import { observedInWords, outcomeInWords } from "./describe.ts";
import { requestsInDetail, responsesInDetail } from "./details.ts";
import { raiseOnProxy } from "./proxy-fence.ts";
import { Origin } from "./proxy-origin.ts";
import { NOTHING_WHOLE } from "./proxy-monitors.ts";
import { probeProxy } from "./proxy-probe.ts";
import { type Fronts, Http1ProxyStage } from "./proxy-stage.ts";
import { performOnProxy } from "./proxy-steps.ts";
import { inClass, isSeen } from "./sights.ts";
import { expected } from "./twin.ts";

export type ProxyOptions = ProxySubject & {
  /** The longest silence, in milliseconds, that is waited for. */
  readonly timeout: number;
  readonly verify?: Verify;
};

/** All paths are of one length, so that lengths which depend on them are equal in every performance. */
const NAME_DIGITS = 6;

/** HTTP/1.1 on a proxy: we are its client and its origin, one case at a time. */
class Http1Proxy implements ConnectionProtocol<Case, Http1ProxyStage> {
  readonly role = "proxy";
  readonly alone = true;
  readonly outcomeInWords = outcomeInWords;
  readonly #options: ProxyOptions;
  #origin: Origin | undefined;
  #running: RunningProxy | undefined;
  #fronts: Fronts | undefined;
  /** Tells the performances of this driver from those of any other that the same proxy has served. */
  readonly #run = process.pid.toString(36).padStart(5, "0") + Date.now().toString(36);
  #performances = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  async probe(): Promise<Probed> {
    const { proxy, origin = "127.0.0.1:0", http2, timeout, verify = false } = this.#options;
    const isAddress = typeof proxy === "string" && /^https?:\/\//.test(proxy);
    if (isAddress && this.#options.origin === undefined)
      throw new WrongUse("A running proxy forwards somewhere: give that address with --origin HOST:PORT; nothing else may listen there.");
    const [host, port] = addressOf(origin);
    this.#origin = await Origin.listen(host, port);
    this.#running = isAddress
      ? { url: proxy, ...(http2 === undefined ? {} : { http2Url: http2 }), stop: async () => {} }
      : await startProxy(proxy, `${host}:${this.#origin.port}`, "http1");
    const { url, http2Url = url, version } = this.#running;
    this.#fronts = { http1: targetOf(url, verify, HTTP1), http2: targetOf(http2Url, verify, HTTP2) };
    const features = await probeProxy(() => this.open(), this.#fronts, timeout);
    return { features, ...(version === undefined ? {} : { version }) };
  }

  open(): Http1ProxyStage {
    if (this.#origin === undefined || this.#fronts === undefined) throw new Error("the proxy has not been probed");
    this.#performances += 1;
    return new Http1ProxyStage(this.#fronts, this.#origin, {
      timeout: this.#options.timeout,
      name: `${this.#run}-${String(this.#performances).padStart(NAME_DIGITS, "0")}`,
    });
  }

  perform(steps: Case["steps"], stage: Http1ProxyStage): Promise<Stop> {
    return performAll(steps, (step) => performOnProxy(step, stage));
  }

  async conclude(c: Case, stage: Http1ProxyStage, stop: Stop): Promise<Conclusion> {
    const silent = await raiseOnProxy(stop === undefined ? c.fence : "new", stage);
    const { view } = stage;
    const observed = `${observedInWords(stage.conversations, stage.fenced)}${atOrigin(stage)}`;
    const details = `${responsesInDetail(stage.conversations)}; at the origin ${requestsInDetail(stage.scene.requests)}`;
    // A proxy with an outstanding response has not passed.
    const index = silent === undefined ? c.allowed.findIndex(({ see }) => isSeen(see, view)) : -1;
    if (index >= 0) return { is: "allowed", index, reason: "", observed, details };
    return { is: "other", reason: sentence(broken(c, stage) ?? silent ?? stop ?? "it accepted this"), observed, details };
  }

  async accepts(_: Case, stage: Http1ProxyStage, stop: Stop): Promise<Acceptance> {
    const why = stop ?? (await raiseOnProxy("request", stage)) ?? refusal(stage);
    return { is: why === undefined ? "accepted" : "refused", reason: why ?? "" };
  }

  controlKey(): readonly unknown[] {
    return [];
  }

  async close(): Promise<void> {
    await this.#running?.stop();
    await this.#origin?.close();
  }
}

/** Performs HTTP/1.1 cases on a proxy. */
export class ProxyDriver extends ConnectionDriver<Case, Http1ProxyStage, "proxy"> {
  /** Refused controls that are the same as their case, by its id. */
  readonly #refused = new Map<string, Twin>();

  constructor(options: ProxyOptions) {
    super(new Http1Proxy(options));
  }

  override play(c: Case): Promise<Played> {
    const same = this.#refused.get(c.id);
    this.#refused.delete(c.id);
    if (same === undefined) return super.play(c);
    // The case has no mistake, and its control has just been refused: it would fail in the same way.
    return Promise.resolve({
      is: "other",
      reason: sentence(same.reason),
      observed: "what the control shows",
      transcript: same.transcript,
    });
  }

  override async control(c: Case): Promise<Twin> {
    const twin = await super.control(c);
    if (twin.is === "refused" && isOwnControl(c)) this.#refused.set(c.id, twin);
    return twin;
  }
}

const isOwnControl = (c: Case): boolean => JSON.stringify(c.steps) === JSON.stringify(c.control) && (c.fence ?? "request") === "request";

/** Why the exchange without the mistake failed: each request must have a complete response that is not an error of the proxy. */
function refusal(stage: Http1ProxyStage): string | undefined {
  if (stage.scene.requests.length === 0) return "nothing reached the origin";
  for (const conversation of stage.connections.values()) {
    const refused = conversation.responses.find(({ status }) => inClass(status, ["4xx", "5xx"]));
    if (refused !== undefined) return `it answered ${refused.status}`;
    // What comes through a tunnel is for the case to judge.
    if (conversation.interim.some(({ framing }) => framing === "tunnel")) continue;
    const whole = conversation.responses.filter(({ complete }) => complete).length;
    // A connection may end earlier than requested, but only after a response.
    const due = conversation.ended === undefined ? expected(conversation) : 1;
    if (whole < due || whole < conversation.responses.length)
      return `${due} ${due === 1 ? "response was" : "responses were"} due, and ${whole} came complete`;
  }
  const { front } = stage;
  if (front === undefined) return undefined;
  const refused = front.responses.find(({ status, complete }) => !complete || inClass(status, ["4xx", "5xx"]));
  if (refused !== undefined) return `it answered ${refused.status}${refused.complete ? "" : ", but not to the end"}`;
  if (front.resets.length > 0) return `it reset stream ${front.resets[0]}`;
  return front.responses.length === 0 ? "it answered nothing" : undefined;
}

/** The violation of a property that the case requires. That the request was forwarded is reported only if no other property is violated. */
function broken(c: Case, { view: { monitor } }: Http1ProxyStage): string | undefined {
  const others = (name: string): string | undefined => (name === NOTHING_WHOLE ? undefined : monitor(name));
  return brokenProperty(c.allowed, others) ?? brokenProperty(c.allowed, monitor);
}

/** Requests at the origin listed one by one. */
const LISTED = 4;
function atOrigin({ scene: { requests }, front }: Http1ProxyStage): string {
  const said = [...(front?.resets ?? []).map((stream) => `; stream ${stream} reset`), ...(front?.goaway === true ? ["; GOAWAY"] : [])].join(
    "",
  );
  if (requests.length === 0) return `${said}; at the origin nothing`;
  const listed = requests.slice(0, LISTED).map(({ request }) => {
    const content = request.framing === "none" ? "" : ` with ${request.content.length} octets of content (${request.framing})`;
    return `${request.start.slice(0, 100)}${content}${request.complete ? "" : ", incomplete"}`;
  });
  const more = requests.length > LISTED ? [`${requests.length - LISTED} more`] : [];
  return `${said}; at the origin ${[...listed, ...more].join(", then ")}`;
}
