import pty from "@lydell/node-pty";
import { randomBytes } from "node:crypto";
import { Misuse } from "../../core/index.ts";
import { AgentSide, DEFAULT_CHANNEL_LIMITS, type Member, type Shell } from "../../websocket/channel/index.ts";
import { connectWebSocket, HandshakeFailed, type OpenWebSocket } from "../websocket/index.ts";
import { listen, peerOf } from "./carry.ts";
import { SUB_PROTOCOL } from "./tokens.ts";

/** Where the shell is offered, what runs in it, and how patiently its hub is looked for. */
export type AgentOptions = {
  /** The session at its hub: ws://host:port/api/ws/sessions/NAME. */
  readonly url: string;
  /** The agents' token. */
  readonly token: string;
  /** What runs in the terminal: the person's own shell by default. */
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cols?: number;
  readonly rows?: number;
  /** Milliseconds before the first attempt to come again; doubled up to the most, with as much left to chance again. */
  readonly retryMs?: number;
  readonly mostRetryMs?: number;
  /** A certificate in PEM to trust, for wss:. */
  readonly ca?: string;
  readonly log?: (line: string) => void;
};

/** A shell that is on offer. Losing the connection does not end it: it comes back with the same `run`. */
export type Agent = {
  /** Names the shell's life. */
  readonly run: string;
  readonly pid: number;
  /** The first offer has been taken. */
  readonly offered: Promise<void>;
  /** Resolves when the agent is done: the shell has ended and the hub knows, or `close` was called; rejects when the hub wants none of it. */
  readonly done: Promise<void>;
  /** Drops the connection at once, as a broken network would: the agent comes again. */
  drop(): void;
  /** Ends the shell and the connection. */
  close(): void;
};

/** Answers that no later attempt would change. */
const FINAL: ReadonlySet<number> = new Set([400, 401, 403, 404, 421, 426]);
/** After the hang-up a shell has so long to end. */
const KILL_MS = 2_000;

/** Runs a shell in a terminal of its own, and offers it at a hub for as long as it lives, over as many connections as that takes. */
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
    // Octets, not text: a character may be cut anywhere.
    encoding: null,
  });
  let hasEnded = false;
  const shell: Shell = {
    write: (octets) => void (hasEnded || terminal.write(Buffer.from(octets) as unknown as string)),
    resize: (c, r) => void (hasEnded || terminal.resize(c, r)),
    pause: () => terminal.pause(),
    resume: () => terminal.resume(),
  };
  const side = new AgentSide(shell, { cols, rows });
  terminal.onData((data) => side.printed(data as unknown as Uint8Array));
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
  // Both are told to whoever waits for them; nobody may.
  offered.promise.catch(() => {});
  done.promise.catch(() => {});

  const later = (why: string): void => {
    if (isClosed) return;
    const pause = wait * (0.5 + Math.random() * 0.5);
    wait = Math.min(wait * 2, mostRetryMs);
    log(`agent: ${why}; again in ${Math.round(pause)} ms`);
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
        subprotocols: [SUB_PROTOCOL],
        fields: [["authorization", `Bearer ${token}`]],
        limits: { messageOctets: DEFAULT_CHANNEL_LIMITS.messageOctets },
        ...(options.ca !== undefined && { tls: { ca: options.ca } }),
      });
    } catch (error) {
      const status = error instanceof HandshakeFailed ? error.status : 0;
      if (status === 409 && hasEnded) return finish();
      if (FINAL.has(status) || error instanceof Misuse) return finish(error as Error);
      return later((error as Error).message);
    }
    const peer = peerOf(socket);
    if (isClosed) return socket.close(1001);
    const member: Member = {
      text(text) {
        const trouble = side.text(text);
        if (trouble !== undefined) {
          log(`agent: ${trouble}`);
          return peer.close(1008, trouble);
        }
        wait = retryMs;
        return offered.resolve();
      },
      binary: (octets) => side.binary(octets),
      closed: () => {},
    };
    listen(socket, member, (code) => {
      socket = undefined;
      side.lost(code);
      if (side.isDone) finish();
      else later(`the connection has ended (${code})`);
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

/** A shell is not told the secrets of the process that started it. */
function withoutTokens(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && !name.startsWith("TOUCHSTONE_")) kept[name] = value;
  return kept;
}
