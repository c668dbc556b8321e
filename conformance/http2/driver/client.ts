import { createHash } from "node:crypto";
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTls } from "node:tls";
import { neverConnected, requireUrl } from "../../harness/client.ts";
import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../../harness/driver.ts";
import type { InProcessClient } from "../../harness/subject.ts";
import { type Ending, SubjectProcess, words } from "../../harness/subject-process.ts";
import type { Case, Outcome } from "../vocabulary.ts";
import { Autopilot } from "./autopilot.ts";
import { loopbackCertificate, type Certificate } from "../../harness/certificate.ts";
import { concludeClient } from "./conclude-client.ts";
import { outcomeInWords } from "./describe.ts";
import { refusingResponses } from "./judge.ts";
import { clientFeatures, MALFORMED, PLAIN, RESET } from "./probe-client.ts";
import { follow } from "./connection.ts";
import { Stage } from "./stage.ts";
import { perform } from "./steps.ts";

export type ClientOptions = {
  /**
   * A command: one request to `{url}`, then the end, with a status other than 0 when the request failed. Or a function that does the same
   * in this process: it resolves for status 0, and rejects for any other.
   */
  readonly client: string | InProcessClient;
  /** The longest silence, in milliseconds, that is waited for. */
  readonly timeout: number;
  /** Give the command an https: address, with a certificate of our own that it must not verify. */
  readonly tls?: boolean;
};

/** How long a command may take to start and connect: longer than a silence on a connection, since programs load first. */
const STARTUP = 10_000;
/** How long what a command wrote before it ended may be on its way, in milliseconds. */
const LAST_OCTETS = 250;
const ACCEPTED: Outcome = { see: { see: "accepted" } };

/** Performs HTTP/2 cases on a client: we listen on loopback, start its command once a case, and watch what it does and how it ends. */
export class ClientDriver implements Driver<Case> {
  readonly role = "client";
  readonly #options: ClientOptions;
  #certificate: Promise<Certificate> | undefined;

  constructor(options: ClientOptions) {
    requireUrl(options.client, "curl -s {url}");
    this.#options = options;
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const { played, stage } = await this.#performOn(PLAIN, [ACCEPTED]);
    if (played.is === "error") throw new Unreachable(played.reason);
    const failing = await this.#performOn(RESET, [ACCEPTED]);
    const malformed = await this.#performOn(MALFORMED, [ACCEPTED]);
    return { features: clientFeatures(stage, failing.stage, malformed.stage) };
  }

  async play(c: Case): Promise<Played> {
    return (await this.#performOn(c, c.allowed)).played;
  }

  async control(c: Case): Promise<Twin> {
    const refusing = refusingResponses(c.allowed).map((see): Outcome => ({ see }));
    const { played } = await this.#performOn({ ...c, steps: c.control, fence: fenceOfControl(c) }, [...refusing, ACCEPTED]);
    const { transcript } = played;
    if (played.is === "error" || played.is === "skip") return { is: played.is, reason: played.reason, transcript };
    const accepted = played.is === "allowed" && played.index === refusing.length;
    return { is: accepted ? "accepted" : "refused", reason: played.observed, transcript };
  }

  controlKey(c: Case): string {
    return createHash("sha256")
      .update(JSON.stringify([c.control, fenceOfControl(c)]))
      .digest("hex");
  }

  expected(c: Case): string[] {
    return c.allowed.map(outcomeInWords);
  }

  async close(): Promise<void> {}

  async #performOn(c: Pick<Case, "steps" | "fence">, allowed: readonly Outcome[]): Promise<{ played: Played; stage: Stage }> {
    const { timeout, tls, client } = this.#options;
    const sockets = new Set<Socket>();
    let stage: Stage | undefined;
    const take = (socket: Socket): void => {
      sockets.add(socket);
      if (stage !== undefined) attach(socket, stage, sockets.size - 1);
    };
    const hear = (protocols: readonly string[]): void => {
      stage?.recorder.remark(`the command offers by ALPN: ${protocols.join(", ")}`);
      for (const name of protocols) stage?.log.offered.add(name);
    };
    const server = await this.#listen(take, hear);
    const { port } = server.address() as AddressInfo;
    const scheme = tls === true ? "https" : "http";
    const authority = `127.0.0.1:${port}`;
    stage = new Stage("client", { scheme, host: "127.0.0.1", port, authority, path: "/", verify: false }, timeout);
    const url = `${scheme}://${authority}/`;
    const running = startClient(client, url);
    void noticeEnd(running, stage, sockets);
    const settle = (played: Played): { played: Played; stage: Stage } => ({ played, stage });
    try {
      await stage.log.until(() => stage.connected || running.ending !== undefined, STARTUP);
      if (!stage.connected) return settle(failed(neverConnected(client, running, STARTUP), stage));
      const stop = await perform(c.steps, stage);
      const concluded = await concludeClient(c, allowed, stage, stop);
      return settle({ ...concluded, transcript: stage.recorder.lines });
    } catch (error) {
      return settle(failed(error instanceof Error ? error.message : String(error), stage));
    } finally {
      if (stage.connected) stage.wire.drop();
      server.close();
      for (const socket of sockets) socket.destroy();
      await running.kill();
    }
  }

  async #listen(take: (socket: Socket) => void, hear: (protocols: readonly string[]) => void): Promise<Server> {
    const choose = ({ protocols }: { readonly protocols: readonly string[] }): string | undefined => {
      hear(protocols);
      return protocols.find((name) => name === "h2");
    };

    const server =
      this.#options.tls === true
        ? createTls({ ...(await (this.#certificate ??= loopbackCertificate())), ALPNCallback: choose }, take)
        : createTcp(take);
    // A client that gives up the handshake has not connected, and that is what is reported.
    server.on("tlsClientError", () => {});
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    return server;
  }
}

const fenceOfControl = (c: Case): NonNullable<Case["fence"]> => (c.fence === "none" || c.fence === undefined ? "exit" : c.fence);

/** The first connection is the case's; any later one is served as a good server does, and its requests are counted. */
function attach(socket: Socket, stage: Stage, on: number): void {
  socket.setNoDelay(true);
  if (on > 0) stage.recorder.remark(`the command opened connection number ${on + 1}`);
  const connection = follow(socket, stage, on);
  if (on === 0) stage.attach(connection);
  else new Autopilot(stage, connection, on).start();
}

const failed = (reason: string, stage: Stage): Played => ({ is: "error", reason, observed: "nothing", transcript: stage.recorder.lines });

/** Puts the end of the command into the log, after all that it wrote before. */
async function noticeEnd(running: Program, stage: Stage, sockets: ReadonlySet<Socket>): Promise<void> {
  const { code, signal } = await running.ended;
  await stage.log.until(() => [...sockets].every((socket) => socket.readableEnded || socket.destroyed), LAST_OCTETS);
  stage.recorder.remark(code === null ? `the command was killed by ${signal}` : `the command exited with status ${code}`);
  stage.log.push({ is: "exit", at: stage.recorder.now, code, signal });
}

type Program = Pick<SubjectProcess, "ended" | "ending" | "complaint" | "kill">;

function startClient(client: string | InProcessClient, url: string): Program {
  if (typeof client === "string") return new SubjectProcess(words(client.replaceAll("{url}", url)), "ignore");
  const abort = new AbortController();
  let complaint = "";
  let ending: Ending | undefined;
  const ended = client(url, abort.signal, { url, method: "GET" }).then(
    (): Ending => ({ code: 0, signal: null }),
    (error: unknown): Ending => {
      complaint = error instanceof Error ? error.message : String(error);
      return { code: 1, signal: null };
    },
  );
  void ended.then((how) => (ending = how));
  return {
    ended,
    get ending() {
      return ending;
    },
    get complaint() {
      return complaint;
    },
    // A function that does not heed its signal is left to itself.
    kill: async () => abort.abort(),
  };
}
