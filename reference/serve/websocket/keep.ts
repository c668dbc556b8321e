import { Misuse } from "../../core/index.ts";
import { now } from "../../io/index.ts";
import { checkOptions } from "../options/check.ts";
import { waitBefore } from "./backoff.ts";
import { HandshakeFailed, openWebSocket } from "./client.ts";
import type { Ending, OpenWebSocket, Sendable } from "./open-websocket.ts";
import { KEEP_OPTIONS, type KeepOptions } from "./options.ts";

/** A WebSocket that reconnects. */
export type KeptWebSocket = AsyncDisposable & {
  /** The current connection; undefined while there is none. */
  readonly current: OpenWebSocket | undefined;
  /** False if nothing is sent: there is no connection, or the peer does not read (`slowReader`). To wait for a slow one: `current.drained()`. */
  send(data: Sendable): boolean;
  /** Ends it for good; resolves when it is over. */
  close(code?: number, reason?: string): Promise<void>;
  /** Resolves to the ending of the last connection, after `close` or an ending that calls for no return; rejects if all attempts fail. */
  readonly done: Promise<Ending>;
};

/** A connection that lasted this long was a success, whatever came after. */
const STABLE_MS = 5_000;
const COMES_BACK: ReadonlySet<number> = new Set([1001, 1006, 1012, 1013]);
/** Statuses below 500 after which a later attempt may succeed. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 421, 425, 429]);
/** Whether no later attempt can succeed. */
function isFinal(error: unknown): boolean {
  if (error instanceof Misuse) return true;
  if (!(error instanceof HandshakeFailed)) return false;
  return error.fault !== undefined || (error.status >= 400 && error.status < 500 && !TEMPORARY.has(error.status));
}

/**
 * Opens a WebSocket, and another each time it breaks. The wait doubles with each failed attempt; it gives up after too many of them, or
 * when the server refuses for good.
 */
export function keepWebSocket(url: string | URL, options: KeepOptions): KeptWebSocket {
  checkOptions("keepWebSocket", options, KEEP_OPTIONS);
  const keeper = new Keeper(url, options);
  return {
    get current() {
      return keeper.current;
    },
    send: (data) => keeper.send(data),
    close: (code, reason) => keeper.close(code, reason),
    done: keeper.done,
    [Symbol.asyncDispose]: () => keeper.close(),
  };
}

class Keeper {
  readonly #url: string | URL;
  readonly #options: KeepOptions;
  readonly #done = Promise.withResolvers<Ending>();
  #current: OpenWebSocket | undefined;
  /** A new connection, while `resume` has it. */
  #resuming: OpenWebSocket | undefined;
  /** Failed attempts in a row. */
  #failed = 0;
  #returns = 0;
  #openedAt = now();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Ends the attempt in progress. */
  readonly #stop = new AbortController();

  constructor(url: string | URL, options: KeepOptions) {
    if (options.over !== undefined) throw new Misuse("`over` is for `connectWebSocket`: a broken connection cannot be opened again");
    this.#url = url;
    this.#options = options;
    // Nobody need wait for it.
    this.#done.promise.catch(() => {});
    void this.#open();
  }

  send(data: Sendable): boolean {
    const { current } = this;
    if (current === undefined) return false;
    const { dropped } = current;
    current.send(data);
    return current.dropped === dropped;
  }
  get current(): OpenWebSocket | undefined {
    return this.#current;
  }
  get done(): Promise<Ending> {
    return this.#done.promise;
  }
  async close(code?: number, reason?: string): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#stop.abort();
    const current = this.#current ?? this.#resuming;
    if (current === undefined) this.#done.resolve(NEVER_OPEN);
    else current.close(code, reason);
    // `done` reports how it ended; here it only matters that it has.
    await this.#done.promise.catch(() => {});
  }

  async #open(): Promise<void> {
    let socket: OpenWebSocket;
    try {
      socket = await openWebSocket(this.#url, { ...this.#options, signal: this.#stop.signal });
    } catch (error) {
      if (isFinal(error)) return this.#done.reject(error);
      return this.#again(error as Error);
    }
    if (this.#isClosed) return socket.close();
    this.#resuming = socket;
    let why: Error | undefined;
    socket.onClose = (ending) => this.#ended(why ?? ending, ending);
    socket.onMessage = this.#options.onMessage;
    try {
      await this.#options.resume?.(socket, this.#returns);
    } catch (error) {
      why = error as Error;
      return socket.close(1011);
    }
    if (socket.state !== "open") return undefined;
    this.#resuming = undefined;
    this.#current = socket;
    this.#openedAt = now();
    this.#returns += 1;
    return undefined;
  }
  #ended(why: Ending | Error, ending: Ending): void {
    // A server that accepts connections and drops them at once still counts as failing.
    if (this.#current !== undefined && now() - this.#openedAt >= STABLE_MS) this.#failed = 0;
    this.#current = undefined;
    this.#resuming = undefined;
    const comesBack = this.#options.comesBack ?? (({ code }: Ending) => COMES_BACK.has(code));
    if (this.#isClosed || !(why instanceof Error || comesBack(ending))) return this.#done.resolve(ending);
    return this.#again(why);
  }
  #again(why: Ending | Error): void {
    if (this.#isClosed) return this.#done.resolve(NEVER_OPEN);
    const { backoff = {}, onLost } = this.#options;
    this.#failed += 1;
    const wait = waitBefore(this.#failed, backoff, Math.random());
    if (wait === undefined) {
      const last = why instanceof Error ? why.message : `the connection ended with ${why.code}`;
      const cause = why instanceof Error ? why : undefined;
      return this.#done.reject(new Error(`gave up after ${this.#failed - 1} attempts: ${last}`, { cause }));
    }
    onLost?.(why, wait);
    this.#timer = setTimeout(() => void this.#open(), wait);
    return undefined;
  }
}

const NEVER_OPEN: Ending = { code: 1006, reason: "", clean: false };
