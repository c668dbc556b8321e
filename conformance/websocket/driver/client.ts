import { createHash } from "node:crypto";
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTls } from "node:tls";
import { type Certificate, loopbackCertificate } from "../../harness/certificate.ts";
import { neverConnected, requireUrl } from "../../harness/client.ts";
import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../../harness/driver.ts";
import type { InProcessClient } from "../../harness/subject.ts";
import { startClient } from "../../http1/driver/client-program.ts";
import type { Ask, Case } from "../vocabulary.ts";
import { raiseForClient } from "./client-fence.ts";
import { probeClient } from "./client-probe.ts";
import { ClientStage } from "./client-stage.ts";
import { performForClient } from "./client-steps.ts";
import { brokenProperty, openReason } from "./conclude.ts";
import type { Conversation } from "./connection.ts";
import { observedInWords, outcomeInWords, sentence } from "./describe.ts";
import { decide } from "./judge.ts";
import type { Stop } from "./steps.ts";
import { acceptance } from "./twin.ts";

/** Which client is run, and how. */
export type ClientOptions = {
  /**
   * A command: it gets `{url}`, opens a WebSocket there, gives every message back as what it was, and ends with status 0 once the connection
   * was closed in order, with another when anything failed. Sub-protocols that it is to offer are in the query: `?protocols=chat,superchat`.
   * Or a function that does the same.
   */
  readonly client: string | InProcessClient;
  /** The longest silence, in milliseconds, that is waited for. */
  readonly timeout: number;
  /** Give the command a wss: address, with a certificate of our own that it must not verify. */
  readonly tls?: boolean;
};

/** How long a command may take to start and connect: longer than a silence on a connection, since programs load first. */
const STARTUP = 15_000;

/** Performs WebSocket cases on a client: we listen on loopback, start its command once a performance, and watch what it sends and how it ends the connection. */
export class ClientDriver implements Driver<Case> {
  readonly role = "client";
  readonly #options: ClientOptions;
  readonly #keys = new Map<string, ClientStage>();
  #certificate: Promise<Certificate> | undefined;

  constructor(options: ClientOptions) {
    requireUrl(options.client, "my-client {url}");
    this.#options = options;
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const { features, stage, reason } = await probeClient((steps, ask) => this.#perform({ steps, ask, fence: undefined }, () => false));
    if (stage.connections.size === 0 && stage.program !== undefined)
      throw new Unreachable(neverConnected(this.#options.client, stage.program, STARTUP));
    if (reason !== undefined) throw new Unreachable(reason);
    return { features };
  }

  async play(c: Case): Promise<Played> {
    const look = (stage: ClientStage): number | undefined => (stage.missed ? undefined : decide(c.allowed, stage.view, c.fence === "none"));
    let index: number | undefined;
    const { stage, stop, failure } = await this.#perform(
      c,
      (one) => look(one) !== undefined,
      (one) => (index = look(one)),
    );
    const observed = observedInWords([...stage.connections.values()], stage.fenced, handshakeInWords);
    const transcript = stage.recorder.lines;
    if (failure !== undefined) return { is: "error", reason: failure, observed, transcript };
    if (index !== undefined) return { is: "allowed", index, reason: "", observed, transcript };
    if (stage.connections.size === 0 && stage.program !== undefined)
      return { is: "error", reason: neverConnected(this.#options.client, stage.program, STARTUP), observed, transcript };
    return { is: "other", reason: brokenProperty(c.allowed, stage) ?? reasonOf(stage, stop), observed, transcript };
  }

  async control(c: Case): Promise<Twin> {
    const { stage, stop, failure } = await this.#perform({ steps: c.control, ask: c.ask, fence: "ping" }, () => false);
    const transcript = stage.recorder.lines;
    if (failure !== undefined) return { is: "error", reason: failure, transcript };
    if (stage.connections.size === 0 && stage.program !== undefined)
      return { is: "error", reason: neverConnected(this.#options.client, stage.program, STARTUP), transcript };
    const found = acceptance(stage);
    if (found.is !== "accepted" || stop === undefined) return { ...found, transcript };
    return { is: "refused", reason: stop, transcript };
  }

  controlKey(c: Case): string {
    return createHash("sha256")
      .update(JSON.stringify([c.control, c.ask]))
      .digest("hex");
  }

  expected(c: Case): string[] {
    return c.allowed.map(outcomeInWords);
  }

  async close(): Promise<void> {}

  /** From the start of the client to the end of the fence; `conclude` looks before the client is ended. */
  async #perform(
    { steps, ask = {}, fence }: { readonly steps: Case["steps"]; readonly ask?: Ask | undefined; readonly fence?: Case["fence"] },
    decided: (stage: ClientStage) => boolean,
    conclude: (stage: ClientStage) => void = () => {},
  ): Promise<{ stage: ClientStage; stop: Stop; failure?: string }> {
    const { timeout, tls, client } = this.#options;
    const waiting: Socket[] = [];
    let stage: ClientStage | undefined;
    const server = await this.#listen((socket) => (stage === undefined ? void waiting.push(socket) : stage.take(socket)));
    const { port } = server.address() as AddressInfo;
    stage = new ClientStage({ authority: `127.0.0.1:${port}`, scheme: tls === true ? "wss" : "ws" }, ask, timeout, this.#keys);
    for (const socket of waiting) stage.take(socket);
    const here = stage;
    const program = startClient(client, { url: here.url, method: "GET" });
    void here.watch(program);
    try {
      await here.until(() => here.connections.size > 0 || here.gone, STARTUP);
      if (here.connections.size === 0) return { stage: here, stop: undefined };
      let stop = await performForClient(steps, here);
      if (stop === undefined && !decided(here)) stop = await raiseForClient(fence, here, () => decided(here));
      conclude(here);
      return { stage: here, stop };
    } catch (error) {
      return { stage: here, stop: undefined, failure: error instanceof Error ? error.message : String(error) };
    } finally {
      server.close();
      here.drop();
      await program.kill();
    }
  }

  async #listen(take: (socket: Socket) => void): Promise<Server> {
    const options = { allowHalfOpen: true, noDelay: true };
    const secure = this.#options.tls === true ? await (this.#certificate ??= loopbackCertificate()) : undefined;
    const server =
      secure === undefined ? createTcp(options, take) : createTls({ ...secure, ...options, ALPNProtocols: ["http/1.1"] }, take);
    // A client that gives up the handshake has not connected, and that is what is reported.
    server.on("tlsClientError", () => {});
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    return server;
  }
}

const handshakeInWords = ({ theirs, response }: Conversation): string =>
  response === undefined
    ? "its handshake"
    : theirs.frames.length === 0
      ? `nothing behind our ${response.status}`
      : `behind our ${response.status}`;

function reasonOf(stage: ClientStage, stop: Stop): string {
  const gaveItUp = [...stage.connections.values()].every(({ theirs, endedFirst }) => theirs.frames.length === 0 && endedFirst);
  if (stop !== undefined && gaveItUp && stage.over && !stage.missed)
    return "It ended the connection, and sent nothing behind its handshake.";
  return stop === undefined ? openReason(stage, undefined) : sentence(stop);
}
