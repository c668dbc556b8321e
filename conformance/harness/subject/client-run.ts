import { createServer as createTcp, type Server, type Socket } from "node:net";
import { createServer as createTls } from "node:tls";
import { type Certificate, loopbackCertificate } from "./certificate.ts";
import { type Program, startClient } from "./client-program.ts";
import { WrongUse } from "../driver.ts";
import type { Stage } from "../connection/stage.ts";
import type { ClientRequest, InProcessClient } from "./subject.ts";
import type { Ending } from "./subject-process.ts";
import { portOf } from "../../peers/index.ts";

/** A connection that was accepted; over TLS, with the TCP connection under it. */
export type Accepted = Socket & { transport?: Socket };

export type ClientOptions = {
  /** A command that contains `{url}`, or a function; the suite says what it must do. */
  readonly client: string | InProcessClient;
  /** The longest silence to wait for, in milliseconds. */
  readonly timeout: number;
  /** Give the client an address over TLS, with a self-signed certificate that it must not verify. */
  readonly tls?: boolean;
};

/** What a protocol needs from its clients. */
export type ClientListening = {
  /** A valid command, for the error message about one without `{url}`. */
  readonly example: string;
  readonly alpn: string;
  /** What is spoken with a client that does not offer `alpn`. */
  readonly otherAlpn?: string;
  /** The client may end its half and still read. */
  readonly allowHalfOpen: boolean;
  /** How long a client may take to start and connect, in milliseconds: longer than a silence, since programs load first. */
  readonly startupMs?: number;
};

/** A stage that clients connect to. */
export interface ClientHost extends Stage<never> {
  /** The run of the client, once it has started. */
  run: ClientRun | undefined;
  /** Called for each new connection. */
  readonly connected: boolean;
  /** Whether every connection has ended. */
  readonly quiet: boolean;
  take(socket: Accepted): void;
  /** The names that the client offers by ALPN. */
  offered?(protocols: readonly string[]): void;
  /** Called after the client has ended and everything that it wrote has been read. */
  left(ending: Ending): void;
}

/** How long octets that a client wrote before its end may take to arrive, in milliseconds. */
const LAST_OCTETS_MS = 250;
/** The same for a connection that it opened. */
const LAST_CONNECTION_MS = 50;
const STARTUP_MS = 10_000;

/** One run of a client. */
export class ClientRun {
  readonly #program: Program;
  readonly #client: string | InProcessClient;
  readonly #startupMs: number;

  constructor(program: Program, client: string | InProcessClient, startupMs: number) {
    this.#program = program;
    this.#client = client;
    this.#startupMs = startupMs;
  }

  /** Its output so far, as Latin-1 text. */
  get output(): string {
    return this.#program.output;
  }

  /** What it said on both of its outputs; a function says what it resolves with, or its error. */
  get said(): string {
    return `${this.#program.output}\n${this.#program.complaint}`;
  }

  /** How it ended: a function with its error, a command with its status. */
  get end(): string {
    const { ending, complaint } = this.#program;
    if (ending === undefined) return "";
    return typeof this.#client === "string" ? `status ${ending.code}` : complaint;
  }

  /** Why it never connected, and what to check. */
  get neverConnected(): string {
    const { ending, complaint } = this.#program;
    const command = typeof this.#client === "string" ? this.#client : "the function given";
    const said = complaint === "" ? "" : ` It said: ${complaint}`;
    if (ending?.problem !== undefined) return `The client command cannot be started: ${ending.problem}. Check "${command}".`;
    if (ending === undefined)
      return `The client command did not connect within ${this.#startupMs / 1000} s, and we ended it then: does it use {url}? (${command})${said}`;
    const how = ending.code === null ? `signal ${ending.signal}` : `status ${ending.code}`;
    return `The client command ended with ${how} before it connected: check "${command}".${said}`;
  }
}

/** The addresses that a client gets. */
export type ClientAddress = { readonly authority: string; readonly port: number; readonly secure: boolean };

/** Runs a client once per performance: listens on loopback, starts it, and observes its exit. */
export class ClientRunner {
  readonly #options: ClientOptions;
  readonly #listening: ClientListening;
  #certificate: Promise<Certificate> | undefined;

  /** Throws `WrongUse` for a command without `{url}`. */
  constructor(options: ClientOptions, listening: ClientListening) {
    const { client } = options;
    if (typeof client === "string" && !client.includes("{url}"))
      throw new WrongUse(`The client command "${client}" has no {url}: write where the address goes, as in '${listening.example}'.`);
    this.#options = options;
    this.#listening = listening;
  }

  /** Starts the client on a stage, and returns the stage when the client has connected, has ended, or the time is over. */
  async run<S extends ClientHost>(make: (address: ClientAddress) => S, request: (stage: S) => ClientRequest): Promise<S> {
    const { client, tls = false } = this.#options;
    const { startupMs = STARTUP_MS } = this.#listening;
    const waiting: { stage?: S } = {};
    const server = await this.#listen(waiting);
    const port = portOf(server);
    const stage = make({ authority: `127.0.0.1:${port}`, port, secure: tls });
    waiting.stage = stage;
    const program = startClient(client, request(stage));
    stage.run = new ClientRun(program, client, startupMs);
    const state = { isOver: false, hasLeft: false };
    stage.afterwards(async () => {
      state.isOver = true;
      server.close();
      await program.kill();
    });
    const leave = async (): Promise<void> => {
      const ending = await whenRead(program, stage);
      // A client that we killed ourselves has not ended by itself.
      if (state.isOver) return;
      state.hasLeft = true;
      const { code, signal } = ending;
      stage.recorder.remark(code === null ? `the command was killed by ${signal}` : `the command exited with status ${code}`);
      stage.left(ending);
      stage.poke();
    };
    void leave();
    await stage.until(() => stage.connected || state.hasLeft, startupMs);
    return stage;
  }

  async #listen(waiting: { readonly stage?: ClientHost }): Promise<Server> {
    const { allowHalfOpen, alpn, otherAlpn = alpn } = this.#listening;
    const options = { allowHalfOpen, noDelay: true };
    const take = (socket: Accepted): void => {
      socket.setNoDelay(true);
      if (waiting.stage === undefined) socket.destroy();
      else waiting.stage.take(socket);
    };
    const server = this.#options.tls === true ? await this.#listenTls(options, [alpn, otherAlpn], waiting, take) : createTcp(options, take);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    return server;
  }

  async #listenTls(
    options: { readonly allowHalfOpen: boolean },
    spoken: readonly string[],
    waiting: { readonly stage?: ClientHost },
    take: (socket: Accepted) => void,
  ): Promise<Server> {
    const certificate = await (this.#certificate ??= loopbackCertificate());
    const transports = new Map<number | undefined, Socket>();
    const ALPNCallback = ({ protocols }: { readonly protocols: readonly string[] }): string | undefined => {
      waiting.stage?.offered?.(protocols);
      return spoken.find((name) => protocols.includes(name));
    };
    const server = createTls({ ...certificate, ...options, ALPNCallback }, (socket: Accepted) => {
      const transport = transports.get(socket.remotePort);
      if (transport !== undefined) socket.transport = transport;
      take(socket);
    });
    // The end of a connection is noticed on the TLS connection above it.
    server.on("connection", (socket: Socket) =>
      transports.set(
        socket.remotePort,
        socket.on("error", () => {}),
      ),
    );
    // A client that aborts the handshake has not connected, which is the reported reason.
    server.on("tlsClientError", () => {});
    return server;
  }
}

/** Resolves when the client has ended and everything that it wrote has been read. */
async function whenRead(program: Program, stage: ClientHost): Promise<Ending> {
  const ending = await program.ended;
  if (!stage.connected) await stage.until(() => stage.connected, LAST_CONNECTION_MS);
  await stage.until(() => stage.quiet, LAST_OCTETS_MS);
  return ending;
}
