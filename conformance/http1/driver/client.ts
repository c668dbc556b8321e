import { createHash } from "node:crypto";
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTls } from "node:tls";
import { type Certificate, loopbackCertificate } from "../../harness/certificate.ts";
import { neverConnected, requireUrl } from "../../harness/client.ts";
import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../../harness/driver.ts";
import type { Ask, Case } from "../vocabulary.ts";
import { probeClient } from "./client-probe.ts";
import type { InProcessClient } from "../../harness/subject.ts";
import { startClient } from "./client-program.ts";
import type { Accepted } from "./client-connection.ts";
import { ClientStage } from "./client-stage.ts";
import { answerOn, performForClient } from "./client-steps.ts";
import { observedOfClient, reasonOfClient } from "./client-words.ts";
import { outcomeInWords } from "./describe.ts";
import type { Stop } from "./steps.ts";

export type ClientOptions = {
  /**
   * A command: it gets `{url}`, prints the content, and ends with a status other than 0 when that failed. `{url2}`, where it has one, is
   * the address of a second request after the first; `{head:-I}` and `{post:-d x}` are what makes it send HEAD or POST. Or a function.
   */
  readonly client: string | InProcessClient;
  /** The longest silence, in milliseconds, that is waited for. */
  readonly timeout: number;
  /** Give the command an https: address, with a certificate of our own that it must not verify. */
  readonly tls?: boolean;
};

/** How long a command may take to start and connect: longer than a silence on a connection, since programs load first. */
const STARTUP = 10_000;

/** Performs HTTP/1.1 cases on a client: we listen on loopback, start its command once a performance, and watch what it does and how it ends. */
export class ClientDriver implements Driver<Case> {
  readonly role = "client";
  readonly #options: ClientOptions;
  #prints = false;
  #certificate: Promise<Certificate> | undefined;

  constructor(options: ClientOptions) {
    requireUrl(options.client, "curl -s {url}");
    this.#options = options;
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const { features, stage } = await probeClient(async ({ steps, ask }) => {
      const { stage: performed } = await this.#performOn(steps, ask);
      return performed;
    }, this.#options.client);
    if (stage.connections.length === 0 && stage.program !== undefined)
      throw new Unreachable(neverConnected(this.#options.client, stage.program, STARTUP));
    this.#prints = features.get("output")?.has === true;
    return { features };
  }

  async play(c: Case): Promise<Played> {
    const { stage, stop, failure } = await this.#performOn(c.steps, c.ask);
    const observed = observedOfClient(stage);
    const transcript = stage.recorder.lines;
    if (failure !== undefined) return { is: "error", reason: failure, observed, transcript };
    const index = stage.gone && !stage.missed ? c.allowed.findIndex(({ see }) => stage.sees(see)) : -1;
    if (index >= 0) return { is: "allowed", index, reason: "", observed, transcript };
    if (stage.connections.length === 0 && stage.program !== undefined)
      return { is: "error", reason: neverConnected(this.#options.client, stage.program, STARTUP), observed, transcript };
    return { is: "other", reason: reasonOfClient(c, stage, stop), observed, transcript };
  }

  async control(c: Case): Promise<Twin> {
    const { stage, stop, failure } = await this.#performOn(c.control, c.controlAsk ?? c.ask);
    const transcript = stage.recorder.lines;
    if (failure !== undefined) return { is: "error", reason: failure, transcript };
    if (stage.connections.length === 0 && stage.program !== undefined)
      return { is: "error", reason: neverConnected(this.#options.client, stage.program, STARTUP), transcript };
    const why = stop ?? this.#refusal(stage);
    return { is: why === undefined ? "accepted" : "refused", reason: why ?? "", transcript };
  }

  controlKey(c: Case): string {
    return createHash("sha256")
      .update(JSON.stringify([c.control, c.controlAsk ?? c.ask]))
      .digest("hex");
  }

  expected(c: Case): string[] {
    return c.allowed.map(outcomeInWords);
  }

  async close(): Promise<void> {}

  /** Why the exchange without the mistake did not go well. */
  #refusal(stage: ClientStage): string | undefined {
    if (!stage.gone) return `it did not come to its end within ${stage.timeout} ms`;
    if (stage.exit?.ok !== true) return stage.exit === undefined ? "it was killed" : "it ended with a status other than 0";
    if (this.#prints && stage.output !== stage.content) return "what it printed is not the content that it was sent";
    return stage.requests.length === 0 ? "it asked for nothing" : undefined;
  }

  async #performOn(steps: Case["steps"], ask: Ask = {}): Promise<{ stage: ClientStage; stop: Stop; failure?: string }> {
    const { timeout, tls, client } = this.#options;
    const waiting: Socket[] = [];
    let stage: ClientStage | undefined;
    const server = await this.#listen((socket) => (stage === undefined ? void waiting.push(socket) : stage.take(socket)));
    const { port } = server.address() as AddressInfo;
    stage = new ClientStage(`127.0.0.1:${port}`, tls === true ? "https" : "http", ask, timeout);
    for (const socket of waiting) stage.take(socket);
    const program = startClient(client, stage.asked);
    void stage.watch(program);
    try {
      await stage.until(() => stage.connections.length > 0 || stage.gone, STARTUP);
      const stop = stage.connections.length === 0 ? undefined : await performForClient(steps, stage);
      if (stage.connections.length > 0) await answerOn(steps, stage);
      return { stage, stop };
    } catch (error) {
      return { stage, stop: undefined, failure: error instanceof Error ? error.message : String(error) };
    } finally {
      server.close();
      stage.drop();
      await program.kill();
    }
  }

  async #listen(take: (socket: Accepted) => void): Promise<Server> {
    const options = { allowHalfOpen: true, noDelay: true };
    const server = this.#options.tls === true ? await this.#listenTls(options, take) : createTcp(options, take);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    return server;
  }

  async #listenTls(options: { readonly allowHalfOpen: boolean }, take: (socket: Accepted) => void): Promise<Server> {
    const certificate = await (this.#certificate ??= loopbackCertificate());
    const transports = new Map<number | undefined, Socket>();
    const server = createTls({ ...certificate, ...options, ALPNProtocols: ["http/1.1"] }, (socket: Accepted) => {
      const transport = transports.get(socket.remotePort);
      if (transport !== undefined) socket.transport = transport;
      take(socket);
    });
    // How a connection ends is noted of the TLS above it.
    server.on("connection", (socket: Socket) =>
      transports.set(
        socket.remotePort,
        socket.on("error", () => {}),
      ),
    );
    // A client that gives up the handshake has not connected, and that is what is reported.
    server.on("tlsClientError", () => {});
    return server;
  }
}
