import { createHash } from "node:crypto";
import { type Driver, type Feature, type Played, type Twin, WrongUse } from "../../harness/driver.ts";
import type { ProxySubject, RunningProxy } from "../../harness/subject.ts";
import { HTTP1, HTTP2, targetOf } from "../../harness/transport.ts";
import { Turns } from "../../harness/turns.ts";
import type { Case } from "../vocabulary.ts";
import { observedInWords, outcomeInWords, sentence } from "./describe.ts";
import { raiseBetween } from "./proxy-fence.ts";
import { Origin } from "./proxy-origin.ts";
import { NOTHING_WHOLE } from "./proxy-monitors.ts";
import { probeProxy } from "./proxy-probe.ts";
import { type Fronts, ProxyStage } from "./proxy-stage.ts";
import { addressOf, startProxy } from "./proxy-start.ts";
import { performBetween } from "./proxy-steps.ts";
import { inClass, isSeen, leaves } from "./sights.ts";
import { expected } from "./twin.ts";

export type ProxyOptions = ProxySubject & {
  /** The longest silence, in milliseconds, that is waited for. */
  readonly timeout: number;
  readonly verify?: boolean;
};

/** Performs HTTP/1.1 cases on a proxy: we are its client and its origin, one case at a time. */
export class ProxyDriver implements Driver<Case> {
  readonly role = "proxy";
  readonly #options: ProxyOptions;
  readonly #turns = new Turns();
  #origin: Origin | undefined;
  #running: RunningProxy | undefined;
  #fronts: Fronts | undefined;
  /** Controls that failed and are the case itself, by its id. */
  readonly #refused = new Map<string, Twin>();

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature>; version?: string }> {
    const { proxy, origin = "127.0.0.1:0", http2, timeout, verify = false } = this.#options;
    const isAddress = typeof proxy === "string" && /^https?:\/\//.test(proxy);
    if (isAddress && this.#options.origin === undefined)
      throw new WrongUse(
        "A proxy that runs already forwards somewhere: say where by --origin HOST:PORT, and nothing else may listen there.",
      );
    const [host, port] = addressOf(origin);
    this.#origin = await Origin.listen(host, port);
    this.#running = isAddress
      ? { url: proxy, ...(http2 === undefined ? {} : { http2Url: http2 }), stop: async () => {} }
      : await startProxy(proxy, `${host}:${this.#origin.port}`);
    const { url, http2Url = url, version } = this.#running;
    this.#fronts = { http1: targetOf(url, verify, HTTP1), http2: targetOf(http2Url, verify, HTTP2) };
    const features = await probeProxy(() => this.#stage(), this.#fronts, timeout);
    return { features, ...(version === undefined ? {} : { version }) };
  }

  play(c: Case): Promise<Played> {
    const same = this.#refused.get(c.id);
    // Nothing is done wrong in it, and its control has just failed: it would fail in the same way.
    this.#refused.delete(c.id);
    if (same !== undefined)
      return Promise.resolve({
        is: "other",
        reason: sentence(same.reason),
        observed: "what the control shows",
        transcript: same.transcript,
      });
    return this.#turns.take(true, async () => {
      const stage = this.#stage();
      try {
        const stop = await performBetween(c.steps, stage);
        const silent = await raiseBetween(stop === undefined ? c.fence : "new", stage);
        const { view } = stage;
        const observed = `${observedInWords(stage.conversations, stage.fenced)}${atOrigin(stage)}`;
        // What a proxy still owes decides nothing for it.
        const index = silent === undefined ? c.allowed.findIndex(({ see }) => isSeen(see, view)) : -1;
        const transcript = stage.recorder.lines;
        if (index >= 0) return { is: "allowed", index, reason: "", observed, transcript };
        return {
          is: "other",
          reason: sentence(brokenProperty(c, stage) ?? silent ?? stop ?? "it took this, but not as it must"),
          observed,
          transcript,
        };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return { is: "error", reason, observed: "nothing", transcript: stage.recorder.lines };
      } finally {
        stage.drop();
      }
    });
  }

  control(c: Case): Promise<Twin> {
    return this.#turns.take(true, async () => {
      const stage = this.#stage();
      try {
        const stop = await performBetween(c.control, stage);
        const silent = stop === undefined ? await raiseBetween("request", stage) : undefined;
        const why = stop ?? silent ?? refusal(stage);
        const twin: Twin = { is: why === undefined ? "accepted" : "refused", reason: why ?? "", transcript: stage.recorder.lines };
        if (twin.is === "refused" && isOwnControl(c)) this.#refused.set(c.id, twin);
        return twin;
      } catch (error) {
        return { is: "error", reason: error instanceof Error ? error.message : String(error), transcript: stage.recorder.lines };
      } finally {
        stage.drop();
      }
    });
  }

  controlKey(c: Case): string {
    return createHash("sha256").update(JSON.stringify(c.control)).digest("hex");
  }

  expected(c: Case): string[] {
    return c.allowed.map(outcomeInWords);
  }

  async close(): Promise<void> {
    await this.#running?.stop();
    await this.#origin?.close();
  }

  #stage(): ProxyStage {
    if (this.#origin === undefined || this.#fronts === undefined) throw new Error("the proxy has not been probed");
    return new ProxyStage(this.#fronts, this.#origin, this.#options.timeout);
  }
}

const isOwnControl = (c: Case): boolean => JSON.stringify(c.steps) === JSON.stringify(c.control) && (c.fence ?? "request") === "request";

/** Why the exchange without the mistake did not go through: each request must have its whole answer, and none of them be the proxy's own refusal. */
function refusal(stage: ProxyStage): string | undefined {
  if (stage.scene.requests.length === 0) return "nothing reached the origin";
  for (const conversation of stage.connections.values()) {
    const refused = conversation.responses.find(({ status }) => inClass(status, ["4xx", "5xx"]));
    if (refused !== undefined) return `it answered ${refused.status}`;
    const whole = conversation.responses.filter(({ complete }) => complete).length;
    // A connection may end sooner than we asked for it: after an answer, not inside one.
    const due = conversation.ended === undefined ? expected(conversation) : 1;
    if (whole < due || whole < conversation.responses.length)
      return `${due} ${due === 1 ? "response was" : "responses were"} due, and ${whole} came whole`;
  }
  const { front } = stage;
  if (front === undefined) return undefined;
  const refused = front.responses.find(({ status, complete }) => !complete || inClass(status, ["4xx", "5xx"]));
  if (refused !== undefined) return `it answered ${refused.status}${refused.complete ? "" : ", not to the end"}`;
  if (front.resets.length > 0) return `it reset stream ${front.resets[0]}`;
  return front.responses.length === 0 ? "it answered nothing" : undefined;
}

/** What broke a property that the case asks to hold, in the monitor's words; that something came through at all is said where nothing else is. */
function brokenProperty(c: Case, { view }: ProxyStage): string | undefined {
  const broken = c.allowed
    .flatMap(({ see }) => leaves(see))
    .flatMap((sight) => (sight.see === "holds" ? [{ monitor: sight.monitor, words: view.monitor(sight.monitor) }] : []));
  return (
    broken.find(({ monitor, words }) => monitor !== NOTHING_WHOLE && words !== undefined) ?? broken.find(({ words }) => words !== undefined)
  )?.words;
}

/** As many requests at the origin are told one by one. */
const TOLD = 4;
function atOrigin({ scene: { requests }, front }: ProxyStage): string {
  const said = [...(front?.resets ?? []).map((stream) => `; stream ${stream} reset`), ...(front?.goaway === true ? ["; GOAWAY"] : [])].join(
    "",
  );
  if (requests.length === 0) return `${said}; at the origin nothing`;
  const told = requests.slice(0, TOLD).map(({ request }) => {
    const content = request.framing === "none" ? "" : ` with ${request.content.length} octets of content (${request.framing})`;
    return `${request.start.slice(0, 100)}${content}${request.complete ? "" : ", not whole"}`;
  });
  const more = requests.length > TOLD ? [`${requests.length - TOLD} more`] : [];
  return `${said}; at the origin ${[...told, ...more].join(", then ")}`;
}
