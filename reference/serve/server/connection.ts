import { Misuse, type Field } from "../../core/index.ts";
import type { ConnectionInfo, PushedRequest, Request, ResetCode, Response } from "../../http/index.ts";
import type { Carrier, StreamCarrier } from "../../io/index.ts";
import { StreamFailed } from "../errors.ts";
import type { Handler, Closable } from "../handler.ts";
import type { Answering, ExchangeConnection, ServerExchange, SwitchingAnswer, TunnelAnswer } from "./exchange.ts";

/** What all connections of a server share. */
export type ServerContext = {
  readonly handler: Handler;
  readonly sendsDate: boolean;
  /** Alt-Svc for responses over TCP, while another version is served at this port (rfc7838#3). */
  readonly alternative: Field | undefined;
  /** Shut down when the server begins to close. */
  readonly closing: Set<Closable>;
  /** Reports an error of a handler, with the request. */
  failed(error: unknown, request: Request | undefined): void;
  /** The connection is closed, or in other hands; with the error if it broke. */
  gone(connection: AnyServerConnection, error?: Error): void;
};
// oxlint-disable-next-line typescript/no-explicit-any -- only its own connection knows how an exchange is numbered
export type AnyServerConnection = ServerConnection<any>;
/** A connection over a byte stream. */
export type StreamServerConnection = AnyServerConnection & { readonly drive: StreamCarrier };

const INTERNAL_ERROR: Response = { status: 500, fields: [["content-type", "text/plain"]], body: "Internal Server Error\n" };

/**
 * A server's connection, in any version: passes requests to the handler, and responses to the machine. A subclass translates the events of
 * its machine.
 */
export abstract class ServerConnection<Id extends number> implements ExchangeConnection<Id> {
  abstract readonly drive: Carrier;
  abstract readonly machine: Answering<Id>;
  abstract readonly info: ConnectionInfo;
  protected readonly context: ServerContext;
  /** Exchanges that are waiting for content or for their response. */
  protected open: Map<Id, ServerExchange<Id>> | undefined;

  constructor(context: ServerContext) {
    this.context = context;
  }

  get sendsDate(): boolean {
    return this.context.sendsDate;
  }
  get alternative(): Field | undefined {
    return this.context.alternative;
  }
  get closing(): Set<Closable> {
    return this.context.closing;
  }

  /** Ends an exchange in the machine. */
  protected abstract giveUp(id: Id, code: ResetCode): void;
  abstract push(parent: Id, of: Request, request: PushedRequest, response: Response): boolean;
  abstract upgradeOf(request: Request): readonly string[];
  abstract switchTo(id: Id, of: Request, answer: SwitchingAnswer): void;
  /** Only a version whose messages take turns on a connection has to say so. */
  declines(_id: Id, _rest: "refused" | "ignored"): void {}
  /** Whether trailers may follow content with a Content-Length. */
  get lengthWithTrailers(): boolean {
    return true;
  }
  /** Answers CONNECT with a tunnel whose ends are the content of both messages; false where such content needs no tunnel. */
  tunnel(_id: Id, _of: Request, _answer: TunnelAnswer): boolean {
    return false;
  }
  /** Closes the connection at once, with a code if the version has codes. */
  abstract abort(code: ResetCode): void;

  gone(error?: Error): void {
    this.failAll(new StreamFailed("closed", "the connection has broken", { cause: error }));
    this.context.gone(this, error);
  }

  /** Ends an exchange from our side; the machine reports no more of it. */
  reset(id: Id, code: ResetCode): void {
    this.open?.delete(id);
    this.giveUp(id, code);
    this.drive.wake();
  }
  /** Sends the response when it is available. */
  settle(id: Id, exchange: ServerExchange<Id>, response: Response | PromiseLike<Response>): void {
    if (isPromise(response)) {
      (this.open ??= new Map()).set(id, exchange);
      this.drive.wakeAfterPromises();
      void this.#settleLater(id, exchange, response);
      return;
    }
    let later: Promise<void> | undefined;
    try {
      later = exchange.answer(response);
    } catch (error) {
      return this.#broken(id, exchange, error);
    }
    if (later === undefined) {
      // The machine sends its queue by itself; only incoming content still causes events.
      if (exchange.body === undefined) this.open?.delete(id);
      return;
    }
    (this.open ??= new Map()).set(id, exchange);
    later.catch((error: unknown) => this.#broken(id, exchange, error));
  }
  async #settleLater(id: Id, exchange: ServerExchange<Id>, response: PromiseLike<Response>): Promise<void> {
    try {
      this.settle(id, exchange, await response);
    } catch (error) {
      this.#broken(id, exchange, error);
    }
    this.drive.wake();
  }

  /** Passes a request to the handler. */
  protected begin(id: Id, exchange: ServerExchange<Id>): void {
    if (exchange.body !== undefined) (this.open ??= new Map()).set(id, exchange);
    let response: Response | Promise<Response>;
    try {
      response = this.context.handler(exchange.request, exchange);
    } catch (error) {
      return this.#broken(id, exchange, error);
    }
    return this.settle(id, exchange, response);
  }
  protected data(id: Id, bytes: Uint8Array, end: boolean): void {
    const body = this.open?.get(id)?.body;
    if (body === undefined) return this.machine.consumed(id, bytes.length);
    body.push(bytes);
    if (end) body.end();
    return undefined;
  }

  /** The handler failed: answers 500 if no response has begun; otherwise cuts the exchange, so that it cannot seem complete. */
  #broken(id: Id, exchange: ServerExchange<Id>, error: unknown): void {
    // A handler that fails because its client has left is not at fault.
    if (exchange.isOver) return;
    const { isAbandoned } = exchange;
    if (!isAbandoned) this.context.failed(error, exchange.request);
    if (isAbandoned || exchange.isAnswered || !apologize(exchange)) exchange.reset("INTERNAL_ERROR");
    if (exchange.body === undefined) this.open?.delete(id);
    this.drive.wake();
  }
  protected over(id: Id, error?: StreamFailed): void {
    const exchange = this.open?.get(id);
    if (exchange === undefined) return;
    this.open?.delete(id);
    exchange.over(error);
  }
  protected failAll(error: StreamFailed): void {
    if (this.open === undefined) return;
    for (const exchange of this.open.values()) exchange.over(error);
    this.open.clear();
  }
}

/** Answers 500; false if the client's limit is too small even for that (rfc9113#6.5.2). */
function apologize<Id extends number>(exchange: ServerExchange<Id>): boolean {
  try {
    void exchange.answer(INTERNAL_ERROR);
    return true;
  } catch (error) {
    if (error instanceof Misuse) return false;
    throw error;
  }
}

/** Whether it can be awaited. A plain response is the fast path. */
const isPromise = (response: Response | PromiseLike<Response>): response is PromiseLike<Response> =>
  response instanceof Promise || typeof (response as Partial<PromiseLike<Response>> | undefined)?.then === "function";
