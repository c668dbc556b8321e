import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Driver, type Feature, type Played, type Twin, Unreachable, WrongUse } from "../../harness/driver.ts";
import { startClient } from "../../harness/subject/client-program.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { Wallet } from "../certificates.ts";
import type { Case, Over, Sight, Step } from "../vocabulary.ts";
import { dropClient, type RunningServer, serveClient } from "./listen.ts";
import { expectedOf, Transcript } from "./words.ts";

/** Optional features of a client under test. */
export const CLIENT_FEATURES: Readonly<Record<string, string>> = {
  verifies: "its command has {ca}, the file of the authority that it must trust",
  certificate: "its command has {cert} and {key}, the files of its certificate and of the key",
  "exit-status": "it ends with a status other than 0 when the server closes at once",
  http1: "it sends a request over HTTP/1.1",
  http2: "it sends a request over HTTP/2",
  websocket: "it opens a WebSocket at a wss: address",
};

const OVERS: readonly Over[] = ["http1", "http2", "websocket"];
/** How long a client may take to start and connect, in milliseconds: longer than a silence, since programs load first. */
const STARTUP_MS = 10_000;

export type ClientOptions = { readonly client: string | InProcessClient; readonly timeout: number };
type Ran = { readonly seen: RunningServer["seen"]; readonly code: number | null | undefined; readonly complaint: string };

/** Performs the cases on a client: starts it once per performance with the certificates of the run. */
export class ClientDriver implements Driver<Case> {
  readonly role = "client";
  readonly #client: string | InProcessClient;
  readonly #timeout: number;
  readonly #servers = new Wallet("server");
  readonly #clients = this.#servers.other();
  #folder: Promise<string> | undefined;

  constructor({ client, timeout }: ClientOptions) {
    if (typeof client === "string" && !client.includes("{url}"))
      throw new WrongUse(`The client command "${client}" has no {url}, as in 'curl -s --cacert {ca} --cert {cert} --key {key} {url}'.`);
    this.#client = client;
    this.#timeout = timeout;
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const has = (name: string): boolean => typeof this.#client !== "string" || this.#client.includes(`{${name}}`);
    const features = new Map<string, Feature>([
      ["verifies", { has: has("ca"), how: "its command has no {ca}" }],
      ["certificate", { has: has("cert"), how: "its command has no {cert}" }],
    ]);
    let complaint = "";
    for (const over of OVERS) {
      const ran = await this.#run({ do: "serve", over, certificate: "good" }, 1);
      complaint ||= ran.complaint;
      const isThere = ran.seen.requests.length > 0;
      features.set(over, { has: isThere, how: `no request arrived at a server with a good certificate${said(ran.complaint)}` });
      if (!isThere || features.has("exit-status")) continue;
      const dropped = await this.#run({ do: "drop", over }, 1);
      features.set("exit-status", { has: dropped.code !== 0, how: "it ended with status 0 when the server closed at once" });
    }
    if (!OVERS.some((over) => features.get(over)?.has === true))
      throw new Unreachable(`The client sends no request to a server whose certificate the authority {ca} has issued.${said(complaint)}`);
    return { features };
  }

  async play(c: Case, patience = 1): Promise<Played> {
    const transcript = new Transcript();
    const ran = await this.#perform(c.steps, transcript, patience);
    if (ran.seen.connections === 0)
      return {
        is: "error",
        reason: `The client never connected.${said(ran.complaint)}`,
        observed: "nothing",
        transcript: transcript.lines,
      };
    const good = await this.#fingerprint();
    const index = c.allowed.findIndex(({ see }) => sees(see, ran, good));
    const observed = inWords(ran, good);
    const { lines } = transcript;
    return index === -1
      ? { is: "other", reason: `Seen: ${observed}.`, observed, transcript: lines }
      : { is: "allowed", index, reason: "", observed, transcript: lines };
  }

  async control(c: Case, patience = 1): Promise<Twin> {
    const transcript = new Transcript();
    const ran = await this.#perform(c.control, transcript, patience);
    const isServed = ran.seen.requests.length > 0;
    return { is: isServed ? "accepted" : "refused", reason: inWords(ran, await this.#fingerprint()), transcript: transcript.lines };
  }

  controlKey({ control }: Case): string {
    return JSON.stringify(control);
  }
  expected(c: Case): string[] {
    return expectedOf(c);
  }
  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true });
  }

  async #perform(steps: readonly Step[], transcript: Transcript, patience: number): Promise<Ran> {
    let ran: Ran = { seen: { connections: 0, requests: [] }, code: undefined, complaint: "" };
    for (const step of steps) {
      const what =
        step.do === "serve"
          ? `${step.named === "name" ? "by its name, " : ""}with the ${step.certificate} certificate${step.asks === undefined ? "" : `, which ${step.asks}s one`}`
          : "that closes";
      transcript.add("--", `the client is started on a server ${what}`);
      ran = await this.#run(step, patience);
      transcript.add("<-", inWords(ran, await this.#fingerprint()));
    }
    return ran;
  }

  /** One run of the client, until it ends. */
  async #run(step: Step, patience: number): Promise<Ran> {
    const server = await this.#serverFor(step);
    const credentials = { ca: (await this.#servers.authority).cert, ...(await this.#clients.get("good")) };
    const isNamed = step.do === "serve" && step.named === "name";
    const url = isNamed ? server.url.replace("127.0.0.1", "localhost") : server.url;
    const request = { url, method: "GET", credentials } as const;
    const program = startClient(typeof this.#client === "string" ? await this.#withFiles(this.#client) : this.#client, request);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, STARTUP_MS + this.#timeout * patience, undefined);
    });
    const ending = await Promise.race([program.ended, late]);
    clearTimeout(timer);
    await program.kill();
    await server.stop();
    return { seen: server.seen, code: ending?.code, complaint: program.complaint };
  }

  async #serverFor(step: Step): Promise<RunningServer> {
    if (step.do === "drop") return dropClient(step.over);
    if (step.do !== "serve") throw new Error(`a client has no step "${step.do}"`);
    const { over, version, asks } = step;
    const ca = asks === undefined ? undefined : (await this.#clients.authority).cert;
    const certificate = await this.#servers.get(step.certificate);
    return serveClient({ over, version, certificate, ca, requires: asks === "require", arrived: () => {} });
  }

  /** The command with the files of this run in place of {ca}, {cert} and {key}. */
  async #withFiles(command: string): Promise<string> {
    const folder = await (this.#folder ??= this.#write());
    return command.replaceAll(/\{(ca|cert|key)\}/g, (_, name: string) => join(folder, `${name}.pem`));
  }
  async #write(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "touchstone-tls-"));
    const { cert, key } = await this.#clients.get("good");
    const files = { ca: (await this.#servers.authority).cert, cert, key };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.pem`), text, { mode: 0o600 });
    return folder;
  }

  async #fingerprint(): Promise<string> {
    return new X509Certificate((await this.#clients.get("good")).cert).fingerprint256;
  }
}

function sees(see: Sight, { seen, code }: Ran, good: string): boolean {
  const [request] = seen.requests;
  switch (see.see) {
    case "request":
      if (see.certificate === undefined) return seen.requests.length > 0;
      return seen.requests.length > 0 && request === (see.certificate === "good" ? good : undefined);
    case "no request":
      return seen.connections > 0 && seen.requests.length === 0;
    case "failure":
      return code !== 0 && code !== undefined;
    default:
      return false;
  }
}

function inWords({ seen, code }: Ran, good: string): string {
  const [request] = seen.requests;
  const ended = code === undefined ? "it did not end" : `it ended with ${code === null ? "a signal" : `status ${code}`}`;
  if (seen.connections === 0) return `no connection; ${ended}`;
  if (seen.requests.length === 0) return `no request; ${ended}`;
  const whose = request === undefined ? "without a certificate" : request === good ? "with its certificate" : "with another certificate";
  return `a request of a client ${whose}; ${ended}`;
}

const said = (complaint: string): string => (complaint === "" ? "" : ` It said: ${complaint}`);
