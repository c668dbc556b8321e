import type { Field } from "../../core/index.ts";
import type { Content, HttpVersion, ResetCode } from "../../http/index.ts";
import type { Settings as Http2Settings } from "../../http2/index.ts";
import type { Settings as Http3Settings } from "../../http3/index.ts";
import type { Carrier } from "../../io/index.ts";
import { StreamFailed, type BrokenRule } from "../errors.ts";
import type { Switched } from "../handler.ts";
import type { AnyClientExchange, ClientExchange, ClientResponse, Sending } from "./exchange.ts";
import type { ClientRequest } from "./request.ts";

/** Where requests go by default. */
export type Origin = {
  readonly scheme: string;
  readonly authority: string;
  /** The place that the origin has named, where that is another (rfc7838#5). */
  readonly altUsed?: string;
};
/** Settings of a server: those that HTTP/2 and HTTP/3 share, and those of its version. */
export type AnnouncedSettings = Pick<Http3Settings, "enableConnectProtocol"> & Partial<Http2Settings & Http3Settings>;
/** Why a connection ended: the peer's fault, or the transport's. */
export type Ending = { readonly fault?: BrokenRule | undefined; readonly error?: Error | undefined };
/** A request that waits for its turn. */
export type WaitingRequest<Exchange = AnyClientExchange> = {
  readonly exchange: Exchange;
  readonly wanted: ClientRequest;
  readonly body: Content | undefined;
};

/** How a client moves a connection from HTTP/1.1 to another version. */
export interface ClientUpgrade {
  /** The fields that offer it. */
  readonly fields: readonly Field[];
  /** Continues on the socket: with the answer to the request that was sent, and with the requests that wait. */
  goOn(switched: Switched, sent: SentRequest, waiting: readonly WaitingRequest[]): AnyClientConnection;
}
/** What the next version needs to know of the request that it answers. */
export type SentRequest = { readonly method: string; readonly exchange: AnyClientExchange };

export const sendingOf = ({ trailers, expectMs, onInterim, stopsWhenAnswered }: ClientRequest, content: Content | undefined): Sending => ({
  content,
  trailers,
  expectMs,
  onInterim,
  stopsWhenAnswered,
});

// oxlint-disable-next-line typescript/no-explicit-any -- only its own connection knows how an exchange is numbered
export type AnyClientConnection = ClientConnection<any>;

/** How long a request waits for a response that nobody reads, by default. */
export const UNREAD_MS = 10_000;

/** A client's connection, in any version: passes requests to the machine, and responses to their callers. */
export abstract class ClientConnection<Id extends number> {
  abstract readonly version: HttpVersion;
  /** Whether it carries many requests at a time. */
  abstract readonly multiplexes: boolean;
  abstract readonly drive: Carrier;
  /** Whether further requests may be sent: false once either side has begun to close. */
  abstract readonly accepting: boolean;
  protected readonly open = new Map<Id, ClientExchange<Id>>();
  readonly #gone = Promise.withResolvers<void>();
  /** Set when the connection has ended. */
  ending: Ending | undefined;

  get closed(): Promise<void> {
    return this.#gone.promise;
  }
  /** Resolves when the server is known to speak the version, or when the connection has ended. */
  get ready(): Promise<void> {
    return Promise.resolve();
  }
  /** Whether the server's first octets belong to another protocol. */
  get isForeign(): boolean {
    return false;
  }
  /** Closes the connection at once, with a code if the version has codes. */
  abstract abort(code: ResetCode): void;

  async request(wanted: ClientRequest): Promise<ClientResponse> {
    const { signal, timeoutMs, headersMs } = wanted;
    signal?.throwIfAborted();
    if (this.ending !== undefined) throw this.isOver();
    if (!this.accepting) throw new StreamFailed("refused", "this connection accepts no further requests: open another");
    const exchange = this.send(wanted);
    this.drive.wake();
    if (signal === undefined && timeoutMs === undefined && headersMs === undefined) return exchange.response;
    return bounded(exchange, wanted);
  }
  /** Sends a request, or queues it. */
  protected abstract send(wanted: ClientRequest): ClientExchange<Id>;
  abstract ping(): Promise<number>;
  /** The number of requests in progress or queued. */
  get load(): number {
    return this.open.size;
  }
  /** Octets that were read of responses, if each of them has arrived in part and waits to be read. */
  get unread(): number | undefined {
    let octets = 0;
    for (const { unread } of this.open.values()) {
      if (unread === undefined) return undefined;
      octets += unread;
    }
    return this.open.size === 0 ? undefined : octets;
  }
  /** HTTP/2 and HTTP/3: the settings that the server announced last. */
  readonly settings: AnnouncedSettings | undefined = undefined;
  /** The connection that continues this one in another version, after an upgrade. */
  successor: AnyClientConnection | undefined;
  /** HTTP/2: the server has ended the connection because of too many PINGs. */
  readonly sentTooManyPings: boolean = false;
  /** HTTP/2: called when the server has changed its settings. */
  onSettings: (() => void) | undefined;
  /** HTTP/2: called when the server says that it takes no further requests. */
  onGoaway: (() => void) | undefined;
  /** Called when a request has ended. */
  onFree: (() => void) | undefined;

  async close(graceMs: number): Promise<void> {
    this.drive.shutdown();
    const late = setTimeout(() => this.drive.destroy(), graceMs);
    await this.closed;
    clearTimeout(late);
  }

  /** A client has no limit for silence. */
  silent(): void {}
  gone(error?: Error): void {
    this.end({ error });
    this.#gone.resolve();
  }

  protected over(id: Id, failure?: StreamFailed): void {
    const exchange = this.open.get(id);
    if (exchange === undefined) return;
    this.open.delete(id);
    exchange.over(failure);
    this.onFree?.();
  }
  /** Fails everything in progress. */
  protected end(ending: Ending): void {
    this.ending ??= ending;
    if (this.open.size === 0) return;
    const failure = this.isOver();
    for (const exchange of this.open.values()) exchange.over(failure);
    this.open.clear();
  }
  protected isOver(): StreamFailed {
    const { fault, error } = this.ending ?? {};
    const why = fault === undefined ? (error?.message ?? "closed") : `${fault.name}, ${fault.spec}`;
    return new StreamFailed("closed", `the connection has ended (${why}): open another`, { fault, cause: error });
  }
}

/** Aborts the exchange with the signal, or when it takes too long. */
async function bounded<Id extends number>(exchange: ClientExchange<Id>, wanted: ClientRequest): Promise<ClientResponse> {
  const { signal, timeoutMs, headersMs } = wanted;
  const abort = (): void => exchange.abort(new StreamFailed("aborted", "the caller aborted the request", { cause: signal?.reason }));
  signal?.addEventListener("abort", abort, { once: true });
  const whole = limit(timeoutMs, () => exchange.abort(tooLate("the response was not complete", timeoutMs)));
  const head = limit(headersMs, () => exchange.abort(tooLate("the response did not begin", headersMs)));
  exchange.onEnd = () => {
    signal?.removeEventListener("abort", abort);
    clearTimeout(whole);
    clearTimeout(head);
  };
  const response = await exchange.response;
  clearTimeout(head);
  return response;
}
const limit = (ms: number | undefined, late: () => void): NodeJS.Timeout | undefined =>
  ms === undefined ? undefined : setTimeout(late, ms).unref();
/** A request has taken too long. */
export const tooLate = (what: string, ms = 0): StreamFailed => new StreamFailed("timeout", `${what} within ${Math.round(ms)} ms`);
