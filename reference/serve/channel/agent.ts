import { randomBytes } from "node:crypto";
import { Misuse } from "../../core/index.ts";
import { now } from "../../io/index.ts";
import { AgentSide, DEFAULT_CHANNEL_LIMITS, type Peer, type Receiver } from "../../websocket/channel/index.ts";
import { connectWebSocket, HandshakeFailed, type OpenWebSocket } from "../websocket/index.ts";
import { listen, peerOf } from "./carry.ts";
import { TerminalShell } from "./shell.ts";
import { SUBPROTOCOL } from "./tokens.ts";

/** Options of an agent; `url` and `token` are required. */
export type AgentOptions = {
  /** The session on its hub: ws://host:port/api/ws/sessions/NAME. */
  readonly url: string;
  /** The hub's token for agents. */
  readonly token: string;
  /** The program that runs in the terminal; $SHELL by default. */
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cols?: number;
  readonly rows?: number;
  /** The longest wait before the first reconnect, in milliseconds; doubled for each further one. Half of each wait is random. */
  readonly retryMs?: number;
  /** The longest wait before any reconnect, in milliseconds. */
  readonly mostRetryMs?: number;
  /** How soon it notices a dead line: milliseconds until it asks a silent hub, and then until it connects again; 5,000 and 10,000 by default. */
  readonly heartbeat?: { readonly askMs: number; readonly deadMs: number };
  /** A certificate to trust for wss:, in PEM. */
  readonly ca?: string;
  /** Offers another shell when one has ended: a client asks for it. Otherwise the agent is done. */
  readonly again?: boolean;
  readonly log?: (line: string) => void;
};

/** A shell that is offered to a hub. If the connection is lost, the shell keeps running and the agent reconnects with the same `run`. */
export type Agent = {
  /** Identifies the present shell process to the hub. */
  readonly run: string;
  readonly pid: number;
  /** Resolves when the hub first accepts the offer. */
  readonly offered: Promise<void>;
  /** Resolves when the hub has received the shell's exit, or after `close`. Rejects if the hub refuses the agent for good. */
  readonly done: Promise<void>;
  /** Drops the connection as a network failure would; the agent reconnects. */
  drop(): void;
  /** Ends the shell and the connection. */
  close(): void;
};

const RETRY_MS = 250;
const HEARTBEAT_MS = 1_000;
const MOST_RETRY_MS = 10_000;
/** Statuses that no later attempt can change. */
const FINAL: ReadonlySet<number> = new Set([400, 401, 403, 404, 421, 426]);
/** Runs a shell in a pseudo-terminal and offers it to a hub until the shell ends; reconnects as needed. */
export function startAgent(options: AgentOptions): Agent {
  const agent = new ShellAgent(options);
  agent.connect();
  return agent;
}

class ShellAgent implements Agent {
  #run = "";
  readonly #options: AgentOptions;
  readonly #url: URL;
  #shell!: TerminalShell;
  #side!: AgentSide;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #offered = Promise.withResolvers<void>();
  readonly #done = Promise.withResolvers<void>();
  #isClosed = false;
  /** Ends the attempt to connect. */
  readonly #stop = new AbortController();
  #socket: OpenWebSocket | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The longest wait before the next reconnect. */
  #waitMs: number;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#url = new URL(options.url);
    this.#waitMs = options.retryMs ?? RETRY_MS;
    this.#begin({ cols: options.cols ?? 80, rows: options.rows ?? 24 });
    const beatMs = Math.min(HEARTBEAT_MS, options.heartbeat?.askMs ?? HEARTBEAT_MS);
    this.#heartbeat = setInterval(() => this.#beat(), beatMs).unref();
    // The caller may ignore either promise: its rejection must not end the process.
    this.offered.catch(() => {});
    this.done.catch(() => {});
  }

  /** Starts a shell, in a run of its own. */
  #begin(size: { readonly cols: number; readonly rows: number }): void {
    const { command = process.env["SHELL"] ?? "/bin/sh", args = [], cwd = process.cwd(), env = process.env, again = false } = this.#options;
    this.#run = randomBytes(12).toString("hex");
    this.#url.searchParams.set("run", this.#run);
    const shell = new TerminalShell({ command, args, cwd, env, ...size });
    const side = new AgentSide(
      {
        write: (octets) => shell.write(octets),
        resize: (cols, rows) => shell.resize(cols, rows),
        pause: () => shell.pause(),
        resume: () => shell.resume(),
        restart: () => this.#restart(),
      },
      size,
      undefined,
      this.#options.heartbeat,
    );
    shell.listen(
      (octets) => side.printed(octets),
      (code, signal) => side.exited(code, signal, again),
    );
    this.#shell = shell;
    this.#side = side;
  }
  /** A client wants another shell: it is a run of its own, on a connection of its own. */
  #restart(): void {
    const socket = this.#socket;
    if (this.#isClosed || socket === undefined) return;
    this.#begin(this.#side.size);
    socket.close(1000);
  }
  /** A network that swallows everything closes no connection: an abort leads to a reconnect. */
  #beat(): void {
    if (!this.#side.beat(now())) return;
    this.#log("the hub does not answer");
    this.#socket?.abort();
  }

  get run(): string {
    return this.#run;
  }
  get pid(): number {
    return this.#shell.pid;
  }
  get offered(): Promise<void> {
    return this.#offered.promise;
  }
  get done(): Promise<void> {
    return this.#done.promise;
  }

  drop(): void {
    this.#socket?.abort();
  }
  close(): void {
    this.#socket?.close(1001);
    this.#finish();
  }

  /** Connects to the hub once. A failure that may pass leads to a later attempt. */
  connect(): void {
    const { token, ca } = this.#options;
    connectWebSocket(this.#url, {
      subprotocols: [SUBPROTOCOL],
      fields: [["authorization", `Bearer ${token}`]],
      limits: { messageOctets: DEFAULT_CHANNEL_LIMITS.messageOctets },
      signal: this.#stop.signal,
      ...(ca !== undefined && { tls: { ca } }),
    }).then(
      (socket) => this.#connected(socket),
      (error: Error) => this.#refused(error),
    );
  }

  #connected(socket: OpenWebSocket): void {
    this.#socket = socket;
    const peer = peerOf(socket);
    if (this.#isClosed) {
      socket.close(1001);
      return;
    }
    const side = this.#side;
    listen(socket, this.#member(peer, side), {
      ended: (code) => {
        this.#socket = undefined;
        side.lost(code);
        if (this.#side !== side) this.connect();
        else if (side.isDone) this.#finish();
        else this.#reconnectLater(`the connection is closed (${code})`);
      },
    });
    side.connected(peer, now());
  }

  /** What the hub sends goes to the agent's side of the channel. */
  #member(peer: Peer, side: AgentSide): Receiver {
    return {
      text: (text, at) => {
        side.heard(at);
        const why = side.text(text);
        if (why !== undefined) {
          this.#log(why);
          peer.close(1008, why);
          return;
        }
        this.#waitMs = this.#options.retryMs ?? RETRY_MS;
        this.#offered.resolve();
      },
      binary: (octets, at) => {
        side.heard(at);
        side.binary(octets);
      },
      closed: () => {},
    };
  }

  #refused(error: Error): void {
    const status = error instanceof HandshakeFailed ? error.status : 0;
    // Another agent offers the session, and this shell has ended: nothing is left to offer.
    if (status === 409 && this.#shell.hasEnded) this.#finish();
    else if (FINAL.has(status) || error instanceof Misuse) this.#finish(error);
    else this.#reconnectLater(error.message);
  }

  #reconnectLater(why: string): void {
    if (this.#isClosed) return;
    const pauseMs = this.#waitMs * (0.5 + Math.random() * 0.5);
    this.#waitMs = Math.min(this.#waitMs * 2, this.#options.mostRetryMs ?? MOST_RETRY_MS);
    this.#log(`${why}; reconnecting in ${Math.round(pauseMs)} ms`);
    this.#timer = setTimeout(() => this.connect(), pauseMs);
  }

  #finish(error?: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#heartbeat);
    this.#stop.abort();
    if (error === undefined) this.#done.resolve();
    else {
      this.#offered.reject(error);
      this.#done.reject(error);
    }
    this.#shell.kill();
  }

  #log(line: string): void {
    this.#options.log?.(`agent: ${line}`);
  }
}
