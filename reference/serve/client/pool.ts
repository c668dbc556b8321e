import { Misuse } from "../../core/index.ts";
import { isIdempotent } from "../../http/index.ts";
import type { AnyClientConnection } from "./connection.ts";
import type { ClientResponse } from "./exchange.ts";
import type { ClientRequest, ConnectOptions } from "./connect.ts";
import { openConnection, placeOf, type Destination } from "./dial.ts";
import { StreamFailed } from "../errors.ts";
import { PROTOCOLS } from "../versions.ts";

/** Connections to many servers, kept for the next request (rfc9112#9.3). */

export type ClientOptions = ConnectOptions & {
  /** Connections to one origin at a time; 6 by default. One of HTTP/2 carries all requests. */
  readonly maxConnections?: number;
  /** Requests to one origin that wait for a connection; beyond, they are refused. 10,000 by default. */
  readonly maxWaiting?: number;
  /** Milliseconds for which a connection without a request is kept; 10,000 by default, less than servers wait. */
  readonly keepMs?: number;
};

/** A client of any server: connections are opened, kept, and taken again as requests need them. */
export type HttpClient = AsyncDisposable & {
  /** The path is the URL's unless the request has its own. */
  request(url: string | URL, request?: ClientRequest): Promise<ClientResponse>;
  /** Connections at the moment. */
  readonly connections: number;
  /** Lets requests under way end, and drops what is left after `graceMs`. */
  close(): Promise<void>;
};

/** How often a request is sent again whose connection turned out to be stale: another one from the pool may be as old. */
const RETRIES = 3;

export function createClient(options: ClientOptions = {}): HttpClient {
  const origins = new Map<string, Origin>();
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    await Promise.all([...origins.values()].map((origin) => origin.close()));
  };
  return {
    request: async (url, request = {}) => {
      if (isClosed) throw new Misuse("the client is closed: make another");
      const to = placeOf(url);
      const key = `${to.origin.scheme}://${to.origin.authority}`;
      let origin = origins.get(key);
      if (origin === undefined) origins.set(key, (origin = new Origin(to, options, () => origins.delete(key))));
      const { pathname, search } = new URL(url);
      return origin.request(request.path === undefined && request.method !== "CONNECT" ? { path: pathname + search, ...request } : request);
    },
    get connections() {
      return [...origins.values()].reduce((sum, { size }) => sum + size, 0);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** One connection of a pool. */
type Kept = {
  readonly connection: AnyClientConnection;
  /** It has answered before: the server may have closed it meanwhile. */
  isUsed: boolean;
  /** A request has it, and its connection takes one at a time. */
  isTaken: boolean;
  idle: NodeJS.Timeout | undefined;
};
type Waiting = PromiseWithResolvers<Kept>;

/** The connections to one origin, and the requests that wait for one. */
class Origin {
  readonly #to: Destination;
  readonly #options: ClientOptions;
  readonly #empty: () => void;
  /** The one freed last is taken first, so that those not needed grow old. */
  readonly #kept: Kept[] = [];
  readonly #waiting: Waiting[] = [];
  #connecting = 0;
  /** Requests without an answer. */
  #asking = 0;
  /** The last connection agreed on HTTP/2: another is not opened while one is coming. */
  #isShared = false;

  constructor(to: Destination, options: ClientOptions, empty: () => void) {
    this.#to = to;
    this.#options = options;
    this.#empty = empty;
    this.#isShared = to.isSecure && (options.protocols ?? PROTOCOLS).includes("h2");
  }

  get size(): number {
    return this.#kept.length;
  }

  async request(wanted: ClientRequest): Promise<ClientResponse> {
    this.#asking++;
    try {
      return await this.#request(wanted);
    } finally {
      this.#asking--;
      this.#mayGo();
    }
  }
  async #request(wanted: ClientRequest): Promise<ClientResponse> {
    const { method = "GET", body, signal } = wanted;
    const isRepeatable = body === undefined || typeof body === "string" || body instanceof Uint8Array;
    for (let again = 0; ; again++) {
      const kept = await this.#take(signal);
      // It may have ended before this went on.
      if (!kept.connection.accepting) continue;
      const wasUsed = kept.isUsed;
      try {
        const response = await kept.connection.request(wanted);
        kept.isUsed = true;
        return response;
      } catch (error) {
        this.#freed(kept);
        if (!(error instanceof StreamFailed) || !isRepeatable || again >= RETRIES || signal?.aborted === true) throw error;
        // Nothing was answered: on a connection that was kept the server had most likely closed it (rfc9112#9.3.1).
        const isStale = error.reason === "unanswered" && wasUsed && isIdempotent(method);
        if (!error.retryable && !isStale) throw error;
      }
    }
  }

  async close(): Promise<void> {
    const failure = new StreamFailed("refused", "the client was closed before the request was sent");
    for (const waiting of this.#waiting.splice(0)) waiting.reject(failure);
    await Promise.all(this.#kept.map(({ connection }) => connection.close(this.#options.graceMs ?? 5_000)));
  }

  async #take(signal: AbortSignal | undefined): Promise<Kept> {
    signal?.throwIfAborted();
    const free = this.#free();
    if (free !== undefined) return free;
    const { maxWaiting = 10_000 } = this.#options;
    if (this.#waiting.length >= maxWaiting) throw new StreamFailed("refused", `${maxWaiting} requests wait for this server already`);
    const waiting = Promise.withResolvers<Kept>();
    this.#waiting.push(waiting);
    this.#grow();
    if (signal === undefined) return waiting.promise;
    const abort = (): void => {
      const at = this.#waiting.indexOf(waiting);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      waiting.reject(new StreamFailed("aborted", "the caller aborted the request", { cause: signal.reason }));
    };
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await waiting.promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }
  #free(): Kept | undefined {
    for (let at = this.#kept.length - 1; at >= 0; at--) {
      const kept = this.#kept[at]!;
      if (kept.isTaken || !kept.connection.accepting) continue;
      clearTimeout(kept.idle);
      kept.idle = undefined;
      kept.isTaken = kept.connection.version !== "HTTP/2";
      return kept;
    }
    return undefined;
  }
  /** Opens a connection where requests wait and there may be one more. */
  #grow(): void {
    const { maxConnections = 6 } = this.#options;
    const isEnough = this.#connecting >= (this.#isShared ? 1 : this.#waiting.length);
    if (this.#waiting.length === 0 || isEnough || this.#kept.length + this.#connecting >= maxConnections) return;
    this.#connecting++;
    void this.#open();
  }
  async #open(): Promise<void> {
    try {
      const connection = await openConnection(this.#to, this.#options.protocols ?? PROTOCOLS, this.#options);
      this.#connecting--;
      this.#isShared = connection.version === "HTTP/2";
      this.#keep(connection, false);
    } catch (error) {
      this.#connecting--;
      // One attempt fails one request: whoever waits behind it makes the next one.
      this.#waiting.shift()?.reject(error);
    }
    this.#serve();
  }
  #keep(connection: AnyClientConnection, isUsed: boolean): void {
    const kept: Kept = { connection, isUsed, isTaken: false, idle: undefined };
    this.#kept.push(kept);
    connection.onFree = () => this.#freed(kept);
    void this.#untilClosed(kept);
  }
  async #untilClosed(kept: Kept): Promise<void> {
    await kept.connection.closed;
    clearTimeout(kept.idle);
    this.#kept.splice(this.#kept.indexOf(kept), 1);
    const { successor } = kept.connection;
    if (successor !== undefined) {
      this.#isShared = true;
      this.#keep(successor, true);
    }
    this.#serve();
    this.#mayGo();
  }
  #mayGo(): void {
    if (this.#kept.length + this.#connecting + this.#asking === 0) this.#empty();
  }
  #freed(kept: Kept): void {
    if (kept.connection.load > 0) return;
    kept.isTaken = false;
    // The one freed last goes to the end.
    const at = this.#kept.indexOf(kept);
    if (at >= 0 && at < this.#kept.length - 1) this.#kept.push(...this.#kept.splice(at, 1));
    this.#serve();
    if (at < 0 || kept.isTaken || kept.connection.load > 0 || kept.idle !== undefined) return;
    kept.idle = setTimeout(() => void kept.connection.close(0), this.#options.keepMs ?? 10_000).unref();
  }
  /** Gives what is free to those who wait, and opens what is missing. */
  #serve(): void {
    while (this.#waiting.length > 0) {
      const kept = this.#free();
      if (kept === undefined) break;
      this.#waiting.shift()!.resolve(kept);
    }
    this.#grow();
  }
}
