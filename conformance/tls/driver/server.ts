import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../../harness/driver.ts";
import { type Target, targetOf, type Verify } from "../../harness/subject/transport.ts";
import type { Wallet } from "../certificates.ts";
import type { Case, Over, Sight, Step } from "../vocabulary.ts";
import { abandon, type Dialled, dialOnce, type Met, type Offer } from "./dial.ts";
import { expectedOf, Transcript } from "./words.ts";

/** Optional features of a server under test, probed once before the first case. */
export const SERVER_FEATURES: Readonly<Record<string, string>> = {
  authority: "--authority names a folder with the authority whose client certificates the server takes",
  requires: "a client without a certificate is refused",
  http1: "it serves HTTP/1.1 to a client with a good certificate",
  http2: "it serves HTTP/2 to a client with a good certificate",
  websocket: "it opens a WebSocket over HTTP/1.1 to a client with a good certificate",
  tls12: "it answers in TLS 1.2",
  tls13: "it answers in TLS 1.3",
};

const OVERS: readonly Over[] = ["http1", "http2", "websocket"];
const VERSIONS = [
  ["tls12", "TLSv1.2"],
  ["tls13", "TLSv1.3"],
] as const;
const NO_AUTHORITY = "without --authority FOLDER there are no certificates that the server trusts (--certificates FOLDER writes one)";

export type ServerOptions = {
  readonly url: string;
  readonly timeout: number;
  readonly verify: Verify;
  /** Client certificates; without them every case is skipped. */
  readonly wallet?: Wallet | undefined;
};

/** Performs the cases on a server that requires client certificates. */
export class ServerDriver implements Driver<Case> {
  readonly role = "server";
  readonly #target: Target;
  readonly #timeout: number;
  readonly #wallet: Wallet | undefined;
  /** The status of the good response. */
  readonly #good = new Map<Over, number>();

  constructor({ url, timeout, verify, wallet }: ServerOptions) {
    this.#target = targetOf(url.replace(/^wss:/, "https:"), verify);
    this.#timeout = timeout;
    this.#wallet = wallet;
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const { host, port, scheme } = this.#target;
    if (scheme !== "https") throw new Unreachable(`The suite tls needs an https: or wss: address of ${host}:${port}.`);
    const wallet = this.#wallet;
    const features = new Map<string, Feature>([["authority", { has: wallet !== undefined, how: NO_AUTHORITY }]]);
    const certificate = await wallet?.get("good");
    const ask = async (over: Over, more: Omit<Offer, "over"> = {}): Promise<Met> =>
      (await dialOnce(this.#target, { over, certificate, ...more }, this.#timeout)).met;
    for (const over of OVERS) {
      const met = await ask(over);
      if (met.is === "refused" && met.words.includes("ECONNREFUSED")) throw new Unreachable(`Nothing listens on ${host}:${port}.`);
      const isGood = isGoodFor(over, met);
      if (isGood) this.#good.set(over, met.status);
      features.set(over, { has: isGood, how: `with a good certificate ${metInWords(met)}` });
    }
    const [over = "http1"] = this.#good.keys();
    for (const [name, version] of VERSIONS) {
      const met = await ask(over, { version });
      features.set(name, { has: isGoodFor(over, met), how: `with a good certificate in ${version} ${metInWords(met)}` });
    }
    const bare = await ask(over, { certificate: undefined });
    if (wallet !== undefined && this.#good.size === 0)
      throw new Unreachable(
        `${host}:${port} serves no client with a certificate of the authority (${features.get("http1")?.how}): does it trust ca.pem of --authority?`,
      );
    const how = "it serves a client without a certificate, so it need not verify one";
    return { features: features.set("requires", { has: !isGoodFor(over, bare), how }) };
  }

  async play(c: Case, patience = 1): Promise<Played> {
    const transcript = new Transcript();
    const last = await this.#perform(c.steps, transcript, patience);
    const index = c.allowed.findIndex(({ see }) => this.#sees(see, last.over, last.met));
    const observed = metInWords(last.met);
    const { lines } = transcript;
    if (index === -1) return { is: "other", reason: reasonOf(last.met), observed, timedOut: last.met.is === "silent", transcript: lines };
    return { is: "allowed", index, reason: "", observed, transcript: lines };
  }

  async control(c: Case, patience = 1): Promise<Twin> {
    const transcript = new Transcript();
    const { over, met } = await this.#perform(c.control, transcript, patience);
    const isServed = this.#sees({ see: "served" }, over, met);
    return { is: isServed ? "accepted" : "refused", reason: metInWords(met), transcript: transcript.lines };
  }

  controlKey({ control }: Case): string {
    return JSON.stringify(control);
  }
  expected(c: Case): string[] {
    return expectedOf(c);
  }
  async close(): Promise<void> {}

  async #perform(steps: readonly Step[], transcript: Transcript, patience: number): Promise<{ over: Over; met: Met }> {
    let last: Dialled | undefined;
    let over: Over = "http1";
    for (const step of steps) {
      if (step.do === "abandon") {
        transcript.add("->", "a connection with a ClientHello, which we close");
        await abandon(this.#target);
      } else if (step.do === "connect") {
        ({ over } = step);
        const session = step.resumes === true ? last?.session : undefined;
        const certificate = step.certificate === undefined ? undefined : await this.#wallet?.get(step.certificate);
        const resuming =
          step.resumes !== true ? "" : session === undefined ? ", without a session: the server gave none" : ", with that session";
        transcript.add("->", `${over} over ${step.version ?? "any TLS"} with ${step.certificate ?? "no"} certificate${resuming}`);
        last = await dialOnce(this.#target, { ...step, certificate, session }, this.#timeout * patience);
        transcript.add("<-", `${metInWords(last.met)}${last.isResumed ? "; the session was resumed" : ""}`);
      }
    }
    return { over, met: last?.met ?? { is: "silent" } };
  }

  #sees(see: Sight, over: Over, met: Met): boolean {
    const isServed = met.is === "answered" && met.status === (this.#good.get(over) ?? (over === "websocket" ? 101 : 200));
    if (see.see === "served") return isServed;
    if (see.see !== "refused") return false;
    if (met.is === "answered") return !isServed && see.by.includes("response");
    return met.is === "refused" && see.by.includes(met.by);
  }
}

type Answered = Extract<Met, { is: "answered" }>;
const isGoodFor = (over: Over, met: Met): met is Answered =>
  met.is === "answered" && (over === "websocket" ? met.status === 101 : met.status < 400);

const metInWords = (met: Met): string => {
  switch (met.is) {
    case "answered":
      return `it answered with status ${met.status}`;
    case "refused":
      return `it refused: ${met.words}`;
    case "silent":
      return "it was silent";
    case "absent":
      return met.words;
  }
};

const reasonOf = (met: Met): string =>
  met.is === "answered" ? `It served this like a good client (status ${met.status}).` : `${metInWords(met).replace(/^i/, "I")}.`;
