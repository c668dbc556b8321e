import { Misuse } from "../../core/index.ts";
import { isIdempotent } from "../../http/index.ts";
import { tooLate, UNREAD_MS, type AnyClientConnection } from "./connection.ts";
import type { ClientResponse } from "./exchange.ts";
import { checkOptions } from "../options/check.ts";
import { CLIENT_OPTIONS } from "../options/known.ts";
import { HTTP3 } from "../versions.ts";
import { Dialler, placeOf, type Destination } from "./dial.ts";
import type { ClientOptions } from "./options.ts";
import type { ClientRequest } from "./request.ts";
import { StreamFailed } from "../errors.ts";

/** A client of any server. It opens connections as requests need them, and keeps them for the next ones (rfc9112#9.3). */
export type HttpClient = AsyncDisposable & {
  /** Sends a request; its path is that of the URL by default. */
  request(url: string | URL, request?: ClientRequest): Promise<ClientResponse>;
  /** The number of open connections. */
  readonly connections: number;
  /** Completes requests in progress, and drops the rest after `graceMs`. */
  close(): Promise<void>;
};

/** Connections to one origin by default. */
const MOST = 6;
/** Retries of a request on stale connections: another one from the pool can be as old. */
const RETRIES = 3;

/** Makes a client; it speaks any version of HTTP by default. */
export function createClient(options: ClientOptions = {}): HttpClient {
  checkOptions("createClient", options, CLIENT_OPTIONS);
  const dialler = new Dialler(options);
  const origins = new Map<string, Origin>();
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    await Promise.all([...origins.values()].map((origin) => origin.close()));
  };
  return {
    request: async (url, request = {}) => {
      if (isClosed) throw new Misuse("the client is closed: create another");
      const to = placeOf(url);
      const key = `${to.origin.scheme}://${to.origin.authority}`;
      let origin = origins.get(key);
      if (origin === undefined) origins.set(key, (origin = new Origin(to, { ...options, dialler }, () => origins.delete(key))));
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

const closedBefore = (): StreamFailed => new StreamFailed("refused", "the client was closed before the request was sent");

/** One connection of a pool. */
type Kept = {
  readonly connection: AnyClientConnection;
  /** It has answered before, so the server may have closed it since. */
  isUsed: boolean;
  /** A request has it, and it carries one at a time. */
  isTaken: boolean;
  idle: NodeJS.Timeout | undefined;
};
type Waiting = PromiseWithResolvers<Kept>;
const isHttp3 = ({ connection }: Kept): boolean => connection.version === HTTP3.http;

type OriginOptions = Pick<ClientOptions, "maxConnections" | "maxWaiting" | "keepMs" | "graceMs" | "unreadMs"> & {
  readonly dialler: Dialler;
};

/** The connections to one origin, and the requests that wait for one. */
class Origin {
  readonly #to: Destination;
  readonly #options: OriginOptions;
  readonly #empty: () => void;
  /** The connection freed last is taken first, so that unneeded ones age. */
  readonly #kept: Kept[] = [];
  readonly #waiting: Waiting[] = [];
  #unread: NodeJS.Timeout | undefined;
  #connecting = 0;
  /** Ends the attempts to connect. */
  readonly #stop = new AbortController();
  /** Requests that are not answered yet. */
  #asking = 0;
  /** The last connection carries many requests at a time: no other is opened while one is being opened. */
  #isShared = false;

  constructor(to: Destination, options: OriginOptions, empty: () => void) {
    this.#to = to;
    this.#options = options;
    this.#empty = empty;
    this.#isShared = to.isSecure && options.dialler.versions.some(({ multiplexes }) => multiplexes);
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
    const { method = "GET", body, signal, timeoutMs } = wanted;
    const since = performance.now();
    const left = (): number => Math.max(0, timeoutMs! - (performance.now() - since));
    const isRepeatable = body === undefined || typeof body === "string" || body instanceof Uint8Array;
    for (let again = 0; ; again++) {
      const kept = await this.#take(signal, timeoutMs === undefined ? undefined : left());
      // It can have ended while this was waiting to resume.
      if (!kept.connection.accepting) continue;
      const wasUsed = kept.isUsed;
      try {
        const response = await kept.connection.request(timeoutMs === undefined ? wanted : { ...wanted, timeoutMs: left() });
        kept.isUsed = true;
        this.#options.dialler.heard(this.#to, response);
        this.#changeOver();
        return response;
      } catch (error) {
        this.#freed(kept);
        if (!(error instanceof StreamFailed) || !isRepeatable || again >= RETRIES || signal?.aborted === true) throw error;
        // No part of a response came: the server has most likely closed the kept connection (rfc9112#9.3.1).
        const isStale = error.reason === "unanswered" && wasUsed && isIdempotent(method);
        if (!error.retryable && !isStale) throw error;
      }
    }
  }

  async close(): Promise<void> {
    const failure = closedBefore();
    for (const waiting of this.#waiting.splice(0)) waiting.reject(failure);
    this.#stop.abort();
    await Promise.all(this.#kept.map(({ connection }) => connection.close(this.#options.graceMs ?? 5_000)));
  }

  async #take(signal: AbortSignal | undefined, withinMs: number | undefined): Promise<Kept> {
    signal?.throwIfAborted();
    if (this.#stop.signal.aborted) throw closedBefore();
    const free = this.#free();
    if (free !== undefined) return free;
    const { maxWaiting = 10_000 } = this.#options;
    if (this.#waiting.length >= maxWaiting) throw new StreamFailed("refused", `${maxWaiting} requests already wait for this server`);
    const waiting = Promise.withResolvers<Kept>();
    this.#waiting.push(waiting);
    this.#grow();
    this.#watchUnread();
    if (signal === undefined && withinMs === undefined) return waiting.promise;
    const fail = (why: StreamFailed): void => {
      const at = this.#waiting.indexOf(waiting);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      waiting.reject(why);
    };
    const abort = (): void => fail(new StreamFailed("aborted", "the caller aborted the request", { cause: signal?.reason }));
    signal?.addEventListener("abort", abort, { once: true });
    const late = withinMs === undefined ? undefined : setTimeout(() => fail(tooLate("no connection was free", withinMs)), withinMs).unref();
    try {
      return await waiting.promise;
    } finally {
      signal?.removeEventListener("abort", abort);
      clearTimeout(late);
    }
  }
  /** Requests do not wait for ever while all connections have responses that nobody reads. */
  #watchUnread(): void {
    if (this.#unread !== undefined || this.#waiting.length === 0) return;
    const { maxConnections = MOST, unreadMs = UNREAD_MS } = this.#options;
    const before = this.#readSoFar;
    this.#unread = setTimeout(() => {
      this.#unread = undefined;
      if (before === undefined || this.#readSoFar !== before || this.#kept.length < maxConnections) return this.#watchUnread();
      const words = `all ${maxConnections} connections have responses whose content is not read: read each \`body\` to its end`;
      for (const waiting of this.#waiting.splice(0)) waiting.reject(new StreamFailed("refused", words));
    }, unreadMs).unref();
  }
  /** Octets that were read of responses, if each connection has one that waits to be read. */
  get #readSoFar(): number | undefined {
    let octets = 0;
    for (const { connection } of this.#kept) {
      const { unread } = connection;
      if (unread === undefined) return undefined;
      octets += unread;
    }
    return octets;
  }
  #free(): Kept | undefined {
    const isFree = ({ isTaken, connection }: Kept): boolean => !isTaken && connection.accepting;
    const kept = this.#kept.findLast((one) => isFree(one) && isHttp3(one)) ?? this.#kept.findLast(isFree);
    if (kept === undefined) return undefined;
    clearTimeout(kept.idle);
    kept.idle = undefined;
    kept.isTaken = !kept.connection.multiplexes;
    return kept;
  }
  /** Opens a connection if requests wait and the limit allows it. */
  #grow(): void {
    const { maxConnections = MOST } = this.#options;
    const isEnough = this.#connecting >= (this.#isShared ? 1 : this.#waiting.length);
    if (this.#waiting.length === 0 || isEnough || this.#kept.length + this.#connecting >= maxConnections) return;
    this.#connecting++;
    void this.#open();
  }
  /** Once the server has said where it speaks HTTP/3, further requests go there as soon as there is a connection (rfc7838#2.4). */
  #changeOver(): void {
    const { maxConnections = MOST } = this.#options;
    if (this.#connecting > 0 || this.#kept.length >= maxConnections || this.#kept.some(isHttp3)) return;
    if (!this.#options.dialler.knowsAlternative(this.#to)) return;
    this.#connecting++;
    void this.#open();
  }
  async #open(): Promise<void> {
    let connection: AnyClientConnection | undefined;
    try {
      connection = await this.#options.dialler.open(this.#to, this.#stop.signal);
    } catch (error) {
      // One attempt fails one request: the next in the queue makes the next attempt.
      this.#waiting.shift()?.reject(error);
    }
    this.#connecting--;
    if (connection === undefined) {
      this.#serve();
      this.#mayGo();
    } else if (this.#stop.signal.aborted) void connection.close(0);
    else {
      this.#isShared = connection.multiplexes;
      this.#keep(connection, false);
    }
  }
  #keep(connection: AnyClientConnection, isUsed: boolean): void {
    const kept: Kept = { connection, isUsed, isTaken: false, idle: undefined };
    this.#kept.push(kept);
    connection.onFree = () => this.#freed(kept);
    void this.#untilClosed(kept);
    this.#serve();
    // The request that it was opened for may have gone.
    this.#rest(kept);
  }
  async #untilClosed(kept: Kept): Promise<void> {
    await kept.connection.closed;
    clearTimeout(kept.idle);
    this.#kept.splice(this.#kept.indexOf(kept), 1);
    const { successor } = kept.connection;
    if (successor !== undefined) {
      this.#isShared = true;
      this.#keep(successor, true);
    } else this.#serve();
    this.#mayGo();
  }
  #mayGo(): void {
    if (this.#kept.length + this.#connecting + this.#asking === 0) this.#empty();
  }
  #freed(kept: Kept): void {
    if (kept.connection.load > 0) return;
    kept.isTaken = false;
    // The connection freed last moves to the end.
    const at = this.#kept.indexOf(kept);
    if (at >= 0 && at < this.#kept.length - 1) this.#kept.push(...this.#kept.splice(at, 1));
    this.#serve();
    if (at >= 0) this.#rest(kept);
  }
  /** An idle connection is closed after a while. */
  #rest(kept: Kept): void {
    if (kept.isTaken || kept.connection.load > 0 || kept.idle !== undefined) return;
    kept.idle = setTimeout(() => {
      kept.idle = undefined;
      // A request that got it at the same time may not have been sent before.
      if (kept.connection.load === 0) void kept.connection.close(0);
    }, this.#options.keepMs ?? 10_000).unref();
  }
  /** Gives free connections to waiting requests, and opens what is missing. */
  #serve(): void {
    while (this.#waiting.length > 0) {
      const kept = this.#free();
      if (kept === undefined) break;
      this.#waiting.shift()?.resolve(kept);
    }
    this.#grow();
  }
}
