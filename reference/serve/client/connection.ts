import type { Content, HttpVersion } from "../../http/index.ts";
import type { Settings } from "../../http2/index.ts";
import type { ClientExchange, ClientResponse, Sending } from "./exchange.ts";
import type { ClientRequest } from "./connect.ts";
import { StreamFailed, type BrokenRule } from "../errors.ts";

/** Where requests go unless they say otherwise. */
export type Origin = { readonly scheme: string; readonly authority: string };
/** Why a connection is no more: the peer's fault, or the transport's. */
export type Ending = { readonly fault?: BrokenRule | undefined; readonly error?: Error | undefined };

export const sendingOf = ({ trailers, expectMs, onInterim }: ClientRequest, content: Content | undefined): Sending => ({
  content,
  trailers,
  expectMs,
  onInterim,
});

// oxlint-disable-next-line typescript/no-explicit-any -- what names an exchange is known to its own connection alone
export type AnyClientConnection = ClientConnection<any>;

/** One connection of a client: requests to the machine, responses to their callers. What every version of HTTP has in common. */
export abstract class ClientConnection<Id extends number> {
  abstract readonly version: HttpVersion;
  abstract readonly drive: { wake(): void; shutdown(): void; destroy(): void };
  /** Whether further requests may be sent: false once either side has said goodbye. */
  abstract readonly accepting: boolean;
  protected readonly open = new Map<Id, ClientExchange<Id>>();
  readonly #gone = Promise.withResolvers<void>();
  /** Set when the connection is over. */
  ending: Ending | undefined;

  get closed(): Promise<void> {
    return this.#gone.promise;
  }

  async request(wanted: ClientRequest): Promise<ClientResponse> {
    const { signal } = wanted;
    signal?.throwIfAborted();
    if (this.ending !== undefined) throw this.isOver();
    if (!this.accepting) throw new StreamFailed("refused", "this connection takes no further requests: open another");
    const exchange = this.send(wanted);
    this.drive.wake();
    if (signal === undefined) return exchange.response;
    return abortable(exchange, signal);
  }
  /** Sends a request, or lets it wait for its turn. */
  protected abstract send(wanted: ClientRequest): ClientExchange<Id>;
  abstract ping(): Promise<number>;
  /** Requests under way, or waiting for their turn. */
  get load(): number {
    return this.open.size;
  }
  /** HTTP/2: what the server has announced last. */
  readonly settings: Settings | undefined = undefined;
  /** The connection that goes on where this one ended: by Upgrade, in another version. */
  successor: AnyClientConnection | undefined;
  /** Told each time that one of them is over. */
  onFree: (() => void) | undefined;

  async close(graceMs: number): Promise<void> {
    this.drive.shutdown();
    const late = setTimeout(() => this.drive.destroy(), graceMs);
    await this.closed;
    clearTimeout(late);
  }

  /** Nobody asked to be told. */
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
  /** Everything that is under way fails. */
  protected end(ending: Ending): void {
    this.ending ??= ending;
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

/** Gives up the exchange when the signal says so. */
async function abortable<Id extends number>(exchange: ClientExchange<Id>, signal: AbortSignal): Promise<ClientResponse> {
  const abort = (): void => exchange.abort(new StreamFailed("aborted", "the caller aborted the request", { cause: signal.reason }));
  signal.addEventListener("abort", abort, { once: true });
  exchange.onEnd = () => signal.removeEventListener("abort", abort);
  return exchange.response;
}
