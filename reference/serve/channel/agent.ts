import pty, { type IEvent, type IPty } from "@lydell/node-pty";
import { randomBytes } from "node:crypto";
import { Misuse } from "../../core/index.ts";
import { AgentSide, DEFAULT_CHANNEL_LIMITS, type Member, type Shell } from "../../websocket/channel/index.ts";
import { connectWebSocket, HandshakeFailed, type OpenWebSocket } from "../websocket/index.ts";
import { listen, peerOf } from "./carry.ts";
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
  /** A certificate to trust for wss:, in PEM. */
  readonly ca?: string;
  readonly log?: (line: string) => void;
};

/** A shell that is offered to a hub. If the connection is lost, the shell keeps running and the agent reconnects with the same `run`. */
export type Agent = {
  /** Identifies this shell process to the hub. */
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

/** A terminal opened with `encoding: null`: it reads and writes octets, since a read may end within a character. The library's types assume text. */
type OctetTerminal = Omit<IPty, "onData" | "write"> & { readonly onData: IEvent<Uint8Array>; write(octets: Uint8Array): void };

/** Statuses that no later attempt can change. */
const FINAL: ReadonlySet<number> = new Set([400, 401, 403, 404, 421, 426]);
/** The time that a shell has to end after SIGHUP, before SIGKILL. */
const KILL_MS = 2_000;

/** Runs a shell in a pseudo-terminal and offers it to a hub until the shell ends; reconnects as needed. */
export function startAgent(options: AgentOptions): Agent {
  const { url, token, cols = 80, rows = 24, retryMs = 250, mostRetryMs = 10_000, log = () => {} } = options;
  const run = randomBytes(12).toString("hex");
  const address = new URL(url);
  address.searchParams.set("run", run);
  const terminal = pty.spawn(options.command ?? process.env["SHELL"] ?? "/bin/sh", [...(options.args ?? [])], {
    name: "xterm-256color",
    cols,
    rows,
    cwd: options.cwd ?? process.cwd(),
    env: { ...withoutTokens(options.env ?? process.env), TERM: "xterm-256color" },
    encoding: null,
  }) as unknown as OctetTerminal;
  let hasEnded = false;
  const shell: Shell = {
    write: (octets) => void (hasEnded || terminal.write(Buffer.from(octets))),
    resize: (c, r) => void (hasEnded || terminal.resize(c, r)),
    pause: () => terminal.pause(),
    resume: () => terminal.resume(),
  };
  const side = new AgentSide(shell, { cols, rows });
  terminal.onData((octets) => side.printed(octets));
  terminal.onExit(({ exitCode, signal }) => {
    hasEnded = true;
    side.exited(exitCode, signal === undefined || signal === 0 ? null : signal);
  });

  let isClosed = false;
  let socket: OpenWebSocket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let wait = retryMs;
  const offered = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  // The caller may ignore either promise: its rejection must not end the process.
  offered.promise.catch(() => {});
  done.promise.catch(() => {});

  const reconnectLater = (why: string): void => {
    if (isClosed) return;
    const pause = wait * (0.5 + Math.random() * 0.5);
    wait = Math.min(wait * 2, mostRetryMs);
    log(`agent: ${why}; reconnecting in ${Math.round(pause)} ms`);
    timer = setTimeout(() => void connect(), pause);
  };
  const finish = (error?: Error): void => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(timer);
    if (error === undefined) done.resolve();
    else {
      offered.reject(error);
      done.reject(error);
    }
    kill();
  };
  const kill = (): void => {
    if (hasEnded) return;
    terminal.kill("SIGHUP");
    setTimeout(() => void (hasEnded || terminal.kill("SIGKILL")), KILL_MS).unref();
  };

  const connect = async (): Promise<void> => {
    try {
      socket = await connectWebSocket(address, {
        subprotocols: [SUBPROTOCOL],
        fields: [["authorization", `Bearer ${token}`]],
        limits: { messageOctets: DEFAULT_CHANNEL_LIMITS.messageOctets },
        ...(options.ca !== undefined && { tls: { ca: options.ca } }),
      });
    } catch (error) {
      const status = error instanceof HandshakeFailed ? error.status : 0;
      if (status === 409 && hasEnded) return finish();
      if (FINAL.has(status) || error instanceof Misuse) return finish(error as Error);
      return reconnectLater((error as Error).message);
    }
    const peer = peerOf(socket);
    if (isClosed) return socket.close(1001);
    const member: Member = {
      text(text) {
        const why = side.text(text);
        if (why !== undefined) {
          log(`agent: ${why}`);
          return peer.close(1008, why);
        }
        wait = retryMs;
        return offered.resolve();
      },
      binary: (octets) => side.binary(octets),
      closed: () => {},
    };
    listen(socket, member, {
      ended(code) {
        socket = undefined;
        side.lost(code);
        if (side.isDone) finish();
        else reconnectLater(`the connection is closed (${code})`);
      },
    });
    return side.connected(peer);
  };
  void connect();
  return {
    run,
    pid: terminal.pid,
    offered: offered.promise,
    done: done.promise,
    drop: () => socket?.abort(),
    close() {
      socket?.close(1001);
      finish();
    },
  };
}

/** Hides the tokens of this process from the shell. */
function withoutTokens(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && !name.startsWith("TOUCHSTONE_")) kept[name] = value;
  return kept;
}
