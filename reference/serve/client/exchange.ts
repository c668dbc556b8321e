import type { Field } from "../../core/index.ts";
import {
  Fields,
  type Body,
  type Content,
  type FieldsInit,
  type HttpVersion,
  type RequestHead,
  type ResponseHead,
} from "../../http/index.ts";
import { IncomingBody, type Source } from "../message/body.ts";
import { StreamFailed } from "../errors.ts";
import type { Switched } from "../handler.ts";
import { isIteration, octetsOf, pump, trailerList, type Sink } from "../message/outgoing.ts";
import { pour, TunnelBody } from "../message/tunnel.ts";

/** A response, available once its head has arrived. */
export type ClientResponse = ResponseHead & {
  readonly version: HttpVersion;
  readonly body: Body;
  /** It ended with its head: there is no content, and there are no trailers. */
  readonly endsWithHead: boolean;
  /** The 1xx responses before it (rfc9110#15.2). */
  readonly interim: readonly ResponseHead[];
  /** Responses that the server pushed with it; complete when the content has ended (rfc9113#8.4). */
  readonly pushes: readonly Push[];
  /** HTTP/1.1, after 101 or a 2xx response to CONNECT: the socket for the new protocol. Use either it or `body`. */
  readonly switched?: Switched;
};

/** A pushed response, and the request that it answers. */
export type Push = { readonly request: RequestHead; readonly response: Promise<ClientResponse> };

/** The connection of an exchange, as far as the exchange uses it. */
export interface Requesting<Id extends number> {
  readonly machine: {
    data(id: Id, bytes: Uint8Array, end: boolean): boolean;
    trailers(id: Id, fields: readonly Field[]): void;
    consumed(id: Id, octets: number): void;
  };
  readonly drive: { wake(): void };
  /** Ends an exchange from our side, after its complete response or before; the machine reports no more of it. */
  cancel(id: Id, isAnswered?: boolean): void;
}

type Trailers = FieldsInit | (() => FieldsInit);

/** The parts of a request after its head. */
export type Sending = {
  readonly content?: Content | undefined;
  readonly trailers?: Trailers | undefined;
  /** Milliseconds for which content waits for a 100 response (rfc9110#10.1.1). */
  readonly expectMs?: number | undefined;
  readonly onInterim?: ((head: ResponseHead) => void) | undefined;
  /** The complete response makes the rest of the content superfluous. */
  readonly stopsWhenAnswered?: boolean | undefined;
};

// oxlint-disable-next-line typescript/no-explicit-any -- only its own connection knows how an exchange is numbered
export type AnyClientExchange = ClientExchange<any>;

/** A request in progress, and its response. */
export class ClientExchange<Id extends number> implements Source, Sink {
  #connection: Requesting<Id>;
  /** Undefined while the request is queued. */
  #id: Id | undefined = undefined;
  readonly #response = Promise.withResolvers<ClientResponse>();
  #body: IncomingBody | undefined = undefined;
  readonly #interim: ResponseHead[] = [];
  readonly #pushes: Push[] = [];
  #content: Content | undefined;
  readonly #trailers: Trailers | undefined;
  readonly #expectMs: number | undefined;
  readonly #onInterim: ((head: ResponseHead) => void) | undefined;
  /** Runs while content waits for a 100 response. */
  #expecting: NodeJS.Timeout | undefined = undefined;
  /** The final response came instead of 100: the content is not sent. */
  #isSpared = false;
  readonly #stops: boolean;
  /** Everything of the request is with the machine. */
  #isSent = false;
  #wantsRoom: (() => void) | undefined = undefined;
  #failure: StreamFailed | undefined = undefined;
  #read = 0;
  onOver: (() => void) | undefined = undefined;
  /** Called once when it has ended, in any way. */
  onEnd: (() => void) | undefined = undefined;
  isOver = false;

  constructor(connection: Requesting<Id>, { content, trailers, expectMs, onInterim, stopsWhenAnswered = false }: Sending = {}) {
    this.#connection = connection;
    this.#content = content;
    this.#trailers = trailers;
    this.#expectMs = expectMs;
    this.#onInterim = onInterim;
    this.#stops = stopsWhenAnswered;
    // A failure without a listener is not an unhandled rejection.
    this.#response.promise.catch(() => {});
  }

  get response(): Promise<ClientResponse> {
    return this.#response.promise;
  }

  /** A push, or a request without content: only a response is expected. */
  adopt(id: Id): void {
    this.#id = id;
  }
  /** Continues on another connection, where it gets another id. */
  moveTo<Other extends number>(connection: Requesting<Other>): ClientExchange<Other> {
    // The same exchange: no id of the connection that it leaves remains in it.
    const moved = this as unknown as ClientExchange<Other>;
    moved.#connection = connection;
    moved.#id = undefined;
    return moved;
  }
  /** The request's head is sent: its content follows, at once or after 100. */
  opened(id: Id): void {
    this.#id = id;
    if (this.#failure !== undefined) return this.#connection.cancel(id);
    if (this.#expectMs === undefined || (this.#content === undefined && this.#trailers === undefined)) return this.#release(id);
    this.#expecting = setTimeout(() => this.#release(id), this.#expectMs).unref();
    return undefined;
  }
  #release(id: Id): void {
    clearTimeout(this.#expecting);
    this.#expecting = undefined;
    const content = this.#content;
    this.#content = undefined;
    if (isIteration(content)) return void this.#send(id, content);
    if (content === undefined && this.#trailers === undefined) {
      this.#isSent = true;
      return undefined;
    }
    const octets = content === undefined ? NOTHING : octetsOf(content);
    try {
      if (octets.length > 0) this.#connection.machine.data(id, octets, this.#trailers === undefined);
      return this.#finish(id, octets.length > 0 && this.#trailers === undefined);
    } catch (error) {
      // A failure to send ends this exchange alone: others share the connection.
      return this.abort(new StreamFailed("aborted", "the request could not be sent completely", { cause: error }));
    }
  }
  async #send(id: Id, content: AsyncIterable<Uint8Array | string>): Promise<void> {
    try {
      if (await pump(content, this)) this.#finish(id, false);
    } catch (error) {
      this.abort(new StreamFailed("aborted", "the content of the request could not be read completely", { cause: error }));
    }
  }
  #finish(id: Id, isEnded: boolean): void {
    const { machine, drive } = this.#connection;
    const trailers = this.#trailers;
    const list = trailers === undefined ? [] : trailerList(trailers);
    this.#isSent = true;
    if (list.length > 0) machine.trailers(id, list);
    else if (!isEnded) machine.data(id, NOTHING, true);
    drive.wake();
  }

  /** The caller no longer wants the response. */
  abort(failure: StreamFailed): void {
    if (this.isOver) return;
    if (this.#id !== undefined) this.#connection.cancel(this.#id);
    this.over(failure);
  }

  // Called by the connection.

  interim(status: number, fields: readonly Field[]): void {
    const head = { status, fields: new Fields(fields) };
    this.#interim.push(head);
    if (status === 100 && this.#expecting !== undefined && this.#id !== undefined) this.#release(this.#id);
    this.#onInterim?.(head);
  }
  head(version: HttpVersion, status: number, fields: readonly Field[], end: boolean): void {
    if (this.#expecting !== undefined) {
      clearTimeout(this.#expecting);
      this.#expecting = undefined;
      this.#isSpared = true;
    }
    const body = new IncomingBody(this);
    this.#body = body;
    this.#response.resolve({
      version,
      status,
      fields: new Fields(fields),
      body,
      endsWithHead: end,
      interim: this.#interim,
      pushes: this.#pushes,
    });
    if (end) this.#ended();
  }
  data(bytes: Uint8Array, end: boolean): void {
    this.#body?.push(bytes);
    if (end) this.#ended();
  }
  trailers(fields: readonly Field[]): void {
    this.#ended(new Fields(fields));
  }
  #ended(trailers?: Fields): void {
    this.#body?.end(trailers);
    if (this.isOver || !(this.#isSpared || (this.#stops && !this.#isSent))) return;
    // The rest of the request is never sent; HTTP/1.1 must close the connection for that (rfc9110#10.1.1, rfc9113#8.1).
    this.#connection.cancel(this.#id!, true);
    this.over();
  }
  /** Octets that were read of the content, if more of it waits to be read. */
  get unread(): number | undefined {
    return this.#body?.hasUnread === true ? this.#read : undefined;
  }
  /** The connection speaks another protocol now. */
  switched(status: number, fields: readonly Field[], switched: Switched): void {
    const body = new TunnelBody();
    body.open(switched);
    const head = { version: "HTTP/1.1", status, fields: new Fields(fields), endsWithHead: false } as const;
    this.#response.resolve({ ...head, body, interim: this.#interim, pushes: this.#pushes, switched });
    if (this.#content !== undefined) void pour(this.#content, switched.socket);
    this.over();
  }
  pushed(push: Push): void {
    this.#pushes.push(push);
  }
  over(failure?: StreamFailed): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.#expecting);
    this.#expecting = undefined;
    if (failure !== undefined) {
      this.#failure = failure;
      this.#response.reject(failure);
      this.#body?.fail(failure);
    }
    this.onOver?.();
    this.onOver = undefined;
    this.onEnd?.();
    this.writable();
  }

  // As a sink, and as a source.

  write(bytes: Uint8Array): boolean {
    const hasRoom = this.#connection.machine.data(this.#id!, bytes, false);
    this.#connection.drive.wake();
    return hasRoom;
  }
  room(): Promise<void> {
    if (this.isOver) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wantsRoom = resolve;
    });
  }
  writable(): void {
    this.#wantsRoom?.();
    this.#wantsRoom = undefined;
  }
  consumed(octets: number): void {
    this.#read += octets;
    this.#connection.machine.consumed(this.#id!, octets);
    this.#connection.drive.wake();
  }
  /** The caller left the loop over the content: the server need not send the rest. */
  refused(): void {
    this.abort(new StreamFailed("aborted", "the content was not read completely"));
  }
}

const NOTHING = new Uint8Array(0);
