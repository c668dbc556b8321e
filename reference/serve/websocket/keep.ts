import { Misuse } from "../../core/index.ts";
import { now } from "../../io/index.ts";
import { waitBefore, type Backoff } from "./backoff.ts";
import { connectWebSocket, HandshakeFailed, type ConnectWebSocketOptions } from "./client.ts";
import type { Ending, Message, MessageKind, OpenWebSocket } from "./socket.ts";

/** What one would tell `connectWebSocket`, and when and how a connection that is lost is made again; times in milliseconds. */
export type KeepOptions = ConnectWebSocketOptions & {
  /** Called for each message, of whatever connection. */
  readonly onMessage: (data: Message, kind: MessageKind) => void;
  /**
   * Called with each new connection before anything else is sent on it: here an application says where it left off. `returns` counts the times it
   * has come back: 0 for the first one. Where it fails the connection is closed, and that counts as a failed attempt.
   */
  readonly resume?: (socket: OpenWebSocket, returns: number) => void | Promise<void>;
  readonly backoff?: Backoff;
  /** Which endings it comes back from; by default those without a Close (1006), and 1001, 1012 and 1013, by which a server says that it will be there again. */
  readonly comesBack?: (ending: Ending) => boolean;
  /** Told of each connection that has ended, and of each attempt that failed, with the milliseconds until the next one. */
  readonly onLost?: (why: Ending | Error, waitMs: number) => void;
};

/** A WebSocket over as many connections as it takes. */
export type KeptWebSocket = AsyncDisposable & {
  /** The connection there is; undefined while there is none. */
  readonly current: OpenWebSocket | undefined;
  /** False when nothing is sent, since there is no connection, and when the sender should wait. */
  send(data: Message): boolean;
  /** Ends it for good; resolves when it is over. */
  close(code?: number, reason?: string): Promise<void>;
  /** Resolves with how the last connection has ended, after `close` or an ending that it does not come back from; rejects when it gives up. */
  readonly done: Promise<Ending>;
};

/** A connection that has lasted so long was a success, whatever came after. */
const STABLE_MS = 5_000;
const COMES_BACK: ReadonlySet<number> = new Set([1001, 1006, 1012, 1013]);
/** Answers that no later attempt would change: what we ask for is wrong there. */
const isFinal = (error: unknown): boolean =>
  error instanceof Misuse ||
  (error instanceof HandshakeFailed &&
    (error.fault !== undefined || (error.status >= 400 && error.status < 500 && ![408, 421, 425, 429].includes(error.status))));

/**
 * Opens a WebSocket, and another each time it breaks: after a wait that doubles with each attempt that fails, until there were too many, or the
 * server says that it wants none of it.
 */
export function keepWebSocket(url: string | URL, options: KeepOptions): KeptWebSocket {
  const kept = new Kept(url, options);
  return {
    get current() {
      return kept.current;
    },
    send: (data) => kept.current?.send(data) ?? false,
    close: (code, reason) => kept.close(code, reason),
    done: kept.done.promise,
    [Symbol.asyncDispose]: () => kept.close(),
  };
}

class Kept {
  readonly #url: string | URL;
  readonly #options: KeepOptions;
  readonly done = Promise.withResolvers<Ending>();
  current: OpenWebSocket | undefined;
  /** Attempts in a row that have failed. */
  #failed = 0;
  #returns = 0;
  #openedAt = now();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string | URL, options: KeepOptions) {
    if (options.over !== undefined) throw new Misuse("a connection that broke cannot be come back to: `over` is for `connectWebSocket`");
    this.#url = url;
    this.#options = options;
    // Nobody may be waiting for it.
    this.done.promise.catch(() => {});
    void this.#open();
  }

  async close(code?: number, reason?: string): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const { current } = this;
    if (current === undefined) this.done.resolve(NEVER_OPEN);
    else current.close(code, reason);
    // How it ended is told by `done`; here it has, in whatever way.
    await this.done.promise.catch(() => {});
  }

  async #open(): Promise<void> {
    let socket: OpenWebSocket;
    try {
      socket = await connectWebSocket(this.#url, this.#options);
    } catch (error) {
      if (isFinal(error)) return this.done.reject(error);
      return this.#again(error as Error);
    }
    if (this.#isClosed) socket.close();
    let why: Error | undefined;
    socket.onClose = (ending) => this.#ended(why ?? ending, ending);
    socket.onMessage = this.#options.onMessage;
    try {
      await this.#options.resume?.(socket, this.#returns);
    } catch (error) {
      why = error as Error;
      return socket.close(1011);
    }
    if (!socket.isOpen) return undefined;
    this.current = socket;
    this.#openedAt = now();
    this.#returns += 1;
    return undefined;
  }
  #ended(why: Ending | Error, ending: Ending): void {
    // A server that takes everybody in and drops them at once is not to be asked again and again.
    if (this.current !== undefined && now() - this.#openedAt >= STABLE_MS) this.#failed = 0;
    this.current = undefined;
    const comesBack = this.#options.comesBack ?? (({ code }: Ending) => COMES_BACK.has(code));
    if (this.#isClosed || !(why instanceof Error || comesBack(ending))) return this.done.resolve(ending);
    return this.#again(why);
  }
  #again(why: Ending | Error): void {
    if (this.#isClosed) return this.done.resolve(NEVER_OPEN);
    const { backoff = {}, onLost } = this.#options;
    this.#failed += 1;
    const wait = waitBefore(this.#failed, backoff, Math.random());
    if (wait === undefined) {
      const cause = why instanceof Error ? why : undefined;
      const last = cause?.message ?? `the connection ended with ${(why as Ending).code}`;
      return this.done.reject(new Error(`given up after ${this.#failed - 1} attempts: ${last}`, { cause }));
    }
    onLost?.(why, wait);
    this.#timer = setTimeout(() => void this.#open(), wait);
    return undefined;
  }
}

const NEVER_OPEN: Ending = { code: 1006, reason: "", clean: false };
