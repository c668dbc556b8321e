import { field, Misuse, type Field } from "../../core/index.ts";
import {
  Fields,
  forbidsContent,
  isSuccess,
  type ConnectionInfo,
  type FieldsInit,
  type PushedRequest,
  type Request,
  type ResetCode,
  type Response,
} from "../../http/index.ts";
import type { Carrier } from "../../io/index.ts";
import { StreamFailed } from "../errors.ts";
import type { Exchange, Closable, Switched } from "../handler.ts";
import { IncomingBody, type Source } from "../message/body.ts";
import { dateLine, fieldList, has, isIteration, octetsOf, pump, trailerList, type Sink } from "../message/outgoing.ts";

/**
 * Octets of unread content that are discarded after the response before the client is asked to stop. It is more than the usual window, so
 * that the client reads the response before RST_STREAM or RST arrives: some clients lose a response that arrives together with it.
 */
const TOLERATED = 1_048_576;

/** The actions of a machine that answer a request; all versions have them under the same names. */
export interface Answering<Id extends number> {
  interim(id: Id, status: number, fields: readonly Field[]): void;
  respond(id: Id, status: number, fields: readonly Field[], end: boolean): void;
  data(id: Id, bytes: Uint8Array, end: boolean): boolean;
  trailers(id: Id, fields: readonly Field[]): void;
  consumed(id: Id, octets: number): void;
}

/** A response that switches protocols, and the new user of the socket. */
export type SwitchingAnswer = {
  readonly status: number;
  readonly fields: readonly Field[];
  readonly take: (switched: Switched) => void;
};
/** A response to CONNECT, and what to send through the tunnel. */
export type TunnelAnswer = { readonly status: number; readonly fields: readonly Field[]; readonly body: Response["body"] };

/** The connection of an exchange, as far as the exchange uses it. */
export interface ExchangeConnection<Id extends number> {
  readonly machine: Answering<Id>;
  readonly drive: Carrier;
  readonly info: ConnectionInfo;
  readonly sendsDate: boolean;
  readonly alternative: Field | undefined;
  readonly closing: Set<Closable>;
  /** Whether trailers may follow content with a Content-Length. */
  readonly lengthWithTrailers: boolean;
  /** The handler answers without the rest of its request. */
  declines(id: Id, rest: "refused" | "ignored"): void;
  /** Ends an exchange from our side; the machine reports no more of it. */
  reset(id: Id, code: ResetCode): void;
  push(parent: Id, of: Request, request: PushedRequest, response: Response): boolean;
  upgradeOf(request: Request): readonly string[];
  switchTo(id: Id, of: Request, answer: SwitchingAnswer): void;
  /** Answers CONNECT with a tunnel whose ends are the content of both messages; false where such content needs no tunnel. */
  tunnel(id: Id, of: Request, answer: TunnelAnswer): boolean;
}

/** A request in a handler: what the handler can do, and how its response is sent. */
export class ServerExchange<Id extends number> implements Exchange, Source, Sink {
  readonly #connection: ExchangeConnection<Id>;
  readonly #id: Id;
  /** Set after construction: a request holds the content of its exchange. */
  request!: Request;
  /** Present if content can arrive. */
  readonly body: IncomingBody | undefined;
  /** The client waits for a 100 response before it sends content (rfc9110#10.1.1). */
  expects = false;
  /** The final response has begun (`isAnswered`), and is complete (`#isGiven`). */
  isAnswered = false;
  #isGiven = false;
  isOver = false;
  onOver: (() => void) | undefined = undefined;
  #tolerated = 0;
  #controller: AbortController | undefined = undefined;
  #left: StreamFailed | undefined = undefined;
  #wantsRoom: (() => void) | undefined = undefined;

  constructor(connection: ExchangeConnection<Id>, id: Id, hasContent: boolean) {
    this.#connection = connection;
    this.#id = id;
    this.body = hasContent ? new IncomingBody(this) : undefined;
  }

  // For the handler.

  get connection(): ConnectionInfo {
    return this.#connection.info;
  }
  get stream(): Id {
    return this.#id;
  }
  get closing(): Set<Closable> {
    return this.#connection.closing;
  }
  get upgrade(): readonly string[] {
    return this.#connection.upgradeOf(this.request);
  }
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#left !== undefined) this.#controller.abort(this.#left);
    else if (this.isOver && !this.#isGiven) this.#controller.abort();
    return this.#controller.signal;
  }
  interim(status: number, fields?: FieldsInit): void {
    if (this.isAnswered) throw new Misuse("the final response has begun: send interim responses before it");
    if (status === 100) this.expects = false;
    this.#connection.machine.interim(this.#id, status, fieldList(fields));
    this.#connection.drive.wake();
  }
  push(request: PushedRequest, response: Response): boolean {
    return !this.isOver && this.#connection.push(this.#id, this.request, request, response);
  }
  reset(code: ResetCode): void {
    this.#connection.reset(this.#id, code);
    this.over(new StreamFailed("aborted", `we reset the stream with ${code}`, { errorCode: code }));
  }
  switchTo(status: number, fields: FieldsInit | undefined, take: (switched: Switched) => void): Response {
    if (this.isAnswered) throw new Misuse("the final response has begun: switch instead of answering");
    const response = { status };
    if (this.isOver) return response;
    this.#connection.switchTo(this.#id, this.request, { status, fields: fieldList(fields), take });
    this.isAnswered = true;
    this.#isGiven = true;
    return response;
  }

  // For the answer.

  /** Sends a response; returns a promise if its content is still to come. Throws if the response is invalid. */
  answer(response: Response): Promise<void> | undefined {
    if (this.isOver || this.#isGiven) return undefined;
    const { machine, sendsDate, alternative } = this.#connection;
    const id = this.#id;
    const { status, body, trailers } = response;
    const { method } = this.request;
    const list = fieldList(response.fields);
    if (sendsDate && status >= 200 && status < 500 && !has(list, "date")) list.push(dateLine());
    if (alternative !== undefined && status >= 200 && !has(list, "alt-svc")) list.push(alternative);
    const isTunnel = method === "CONNECT" && isSuccess(status);
    if (isTunnel && this.#connection.tunnel(id, this.request, { status, fields: list, body })) return this.#given();
    const octets = body === undefined || isIteration(body) ? undefined : octetsOf(body);
    this.#decline(!isIteration(body));
    const hasLength = trailers === undefined || this.#connection.lengthWithTrailers;
    if (octets !== undefined && hasLength && !isTunnel && status !== 204 && status !== 304 && !has(list, "content-length")) {
      list.push(field("content-length", String(octets.length)));
    }
    if (forbidsContent(method, status) && !isTunnel) {
      if (method !== "HEAD" && octets?.length !== 0 && body !== undefined)
        throw new Misuse(`a response ${status} has no content: omit \`body\``);
      machine.respond(id, status, list, true);
      return this.#given();
    }
    const hasContent = octets === undefined ? body !== undefined : octets.length > 0;
    const end = !hasContent && trailers === undefined;
    machine.respond(id, status, list, end);
    this.isAnswered = true;
    if (end) return this.#given();
    if (isIteration(body)) return this.#stream(body, trailers);
    if (octets !== undefined && (hasContent || trailers === undefined)) machine.data(id, octets, trailers === undefined);
    if (trailers !== undefined) this.#end(trailers);
    return this.#given();
  }

  /** Says which part of the request nobody will read. With a response that `isWhole` nobody begins to read. */
  #decline(isWhole: boolean): void {
    const { body } = this;
    if (body === undefined || body.isOver || body.mode === "read" || (body.mode === "untouched" && !isWhole)) return;
    this.#connection.declines(this.#id, body.mode === "untouched" ? "ignored" : "refused");
  }

  async #stream(content: AsyncIterable<Uint8Array | string>, trailers: Response["trailers"]): Promise<void> {
    if (!(await pump(content, this))) return;
    this.#end(trailers);
    this.#given();
    this.#connection.drive.wake();
  }

  #end(trailers: Response["trailers"]): void {
    const { machine } = this.#connection;
    const list = trailers === undefined ? [] : trailerList(trailers);
    if (list.length === 0) machine.data(this.#id, NOTHING, true);
    else machine.trailers(this.#id, list);
  }

  /** The response is complete; unread content of the request is not needed (rfc9113#8.1, rfc9112#9.6). */
  #given(): undefined {
    this.isAnswered = true;
    this.#isGiven = true;
    const { body } = this;
    if (body === undefined) return undefined;
    // Content that has arrived and that nobody reads makes room for that of the next request.
    if (body.mode === "untouched") body.discard();
    else if (body.mode === "discarded" && !body.isOver) this.#spare();
    return undefined;
  }

  // As a sink.

  write(bytes: Uint8Array): boolean {
    const hasRoom = this.#connection.machine.data(this.#id, bytes, false);
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

  // As a source.

  /** Reading content asks the client to send it. */
  wanted(): void {
    if (this.expects && !this.isAnswered && !this.isOver) this.interim(100);
  }

  consumed(octets: number): void {
    const { machine, drive } = this.#connection;
    machine.consumed(this.#id, octets);
    drive.wake();
    if (!this.#isGiven || this.body?.mode !== "discarded") return;
    this.#tolerated += octets;
    if (this.#tolerated > TOLERATED) this.#spare();
  }
  refused(): void {
    if (this.#isGiven) this.#spare();
  }
  /** The response does not need the rest of the request: tells the client not to send it (rfc9113#8.1, rfc9112#9.6). */
  #spare(): void {
    if (this.isOver) return;
    this.#connection.reset(this.#id, "NO_ERROR");
    this.over();
  }

  trailers(fields: readonly Field[]): void {
    this.body?.end(new Fields(fields));
  }
  /** The client has probably left: its handler may stop, or answer all the same (rfc9112#9.6). */
  left(why: StreamFailed): void {
    if (this.isOver || this.#isGiven) return;
    this.#left = why;
    this.#controller?.abort(why);
  }
  /** The handler knows that the client has left. */
  get isAbandoned(): boolean {
    return this.#left !== undefined && this.#controller !== undefined;
  }
  /** The stream has ended; without an error, normally. */
  over(error?: StreamFailed): void {
    if (this.isOver) return;
    this.isOver = true;
    if (error !== undefined) {
      this.body?.fail(error);
      if (!this.#isGiven) this.#controller?.abort(error);
    }
    this.onOver?.();
    this.onOver = undefined;
    this.writable();
  }
}

const NOTHING = new Uint8Array(0);
