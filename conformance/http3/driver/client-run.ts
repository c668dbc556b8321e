import { type Certificate, loopbackCertificate } from "../../harness/subject/certificate.ts";
import { startClient } from "../../harness/subject/client-program.ts";
import { ClientRun, type ClientOptions } from "../../harness/subject/client-run.ts";
import { WrongUse } from "../../harness/driver.ts";
import { listenQuic } from "../../wire/quic/line.ts";
import { Http3ClientStage } from "./client-stage.ts";

const EXAMPLE = "curl --http3-only -sk {url}";
/** How long a client may take to start and connect, in milliseconds: programs load first. */
const STARTUP_MS = 10_000;
/** How long what a client sent before its end may take to arrive, in milliseconds. */
const LAST_DATAGRAMS_MS = 50;

/** Runs a client once per performance: listens on loopback over UDP, starts it, and observes its exit. */
export class Http3ClientRunner {
  readonly #options: ClientOptions;
  #certificate: Promise<Certificate> | undefined;

  /** Throws `WrongUse` for a command without `{url}`. */
  constructor(options: ClientOptions) {
    const { client } = options;
    if (typeof client === "string" && !client.includes("{url}"))
      throw new WrongUse(`The client command "${client}" has no {url}: write where the address goes, as in '${EXAMPLE}'.`);
    this.#options = options;
  }

  /** Starts the client, and returns its stage when it has connected, has ended, or the time is over. */
  async run(): Promise<Http3ClientStage> {
    const { client, timeout } = this.#options;
    const certificate = await (this.#certificate ??= loopbackCertificate());
    const waiting: { stage?: Http3ClientStage } = {};
    const { port, stop } = await listenQuic({ certificate, accept: (line) => waiting.stage?.take(line) ?? (() => {}) });
    const stage = new Http3ClientStage(port, timeout);
    waiting.stage = stage;
    const { scheme, authority, path } = stage.target;
    const program = startClient(client, { url: `${scheme}://${authority}${path}`, method: "GET" });
    stage.run = new ClientRun(program, client, STARTUP_MS);
    const state = { isOver: false, hasLeft: false };
    stage.afterwards(async () => {
      state.isOver = true;
      await program.kill();
      await stop();
    });
    const leave = async (): Promise<void> => {
      const ending = await program.ended;
      await stage.until(() => stage.connected && stage.wire.closed !== undefined, LAST_DATAGRAMS_MS);
      // A client that we ended ourselves has not ended by itself.
      if (state.isOver) return;
      state.hasLeft = true;
      stage.left(ending);
    };
    void leave();
    await stage.until(() => (stage.connected && stage.wire.established) || state.hasLeft, STARTUP_MS);
    return stage;
  }
}
