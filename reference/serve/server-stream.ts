import { field, Misuse, type Field } from "../core/index.ts";
import { Fields, forbidsContent, isSuccess, type Body, type FieldsInit, type Request, type Response } from "../http/index.ts";
import type { ErrorCode, StreamId } from "../http2/index.ts";
import { IncomingBody, NO_BODY, type Source } from "./body.ts";
import type { ConnectionInfo } from "./connection-info.ts";
import { StreamFailed } from "./errors.ts";
import type { Exchange, PushedRequest } from "./exchange.ts";
import { dateLine, fieldList, has, octetsOf, pump, trailerList, type Sink } from "./outgoing.ts";
import type { ServerConnection } from "./server-connection.ts";

/**
 * After an answer, so much content that nobody has read is let pass before the client is told to stop: more than the usual window, so
 * that the answer has been read before the RST_STREAM comes. Clients have been seen to lose an answer that arrives together with it.
 */
const TOLERATED = 1_048_576;

/** A request as it came; its fields and its content are looked at when somebody asks for them. */
export class ServerRequest implements Request {
  readonly method: string = "";
  readonly scheme: string = "";
  readonly authority: string = "";
  readonly path: string = "";
  declare readonly protocol?: string;
  readonly #list: readonly Field[];
  readonly #regular: number;
  #fields: Fields | undefined;
  /** Present where content may come. */
  readonly #body: Body | undefined;

  constructor(list: readonly Field[], body: Body | undefined) {
    this.#list = list;
    this.#body = body;
    const count = list.length;
    let at = 0;
    for (; at < count; at++) {
      const { name, value } = list[at]!;
      if (name.charCodeAt(0) !== 0x3a) break;
      switch (name) {
        case ":method":
          this.method = value;
          break;
        case ":scheme":
          this.scheme = value;
          break;
        case ":authority":
          this.authority = value;
          break;
        case ":path":
          this.path = value;
          break;
        default:
          this.protocol = value;
      }
    }
    this.#regular = at;
    if (this.authority === "") this.authority = this.fields.get("host") ?? "";
  }

  get fields(): Fields {
    return (this.#fields ??= new Fields(this.#list.slice(this.#regular)));
  }
  get body(): Body {
    return this.#body ?? NO_BODY;
  }
}

/** One request on its way through a handler: what the handler may do, and how its answer is sent. */
export class ServerStream implements Exchange, Source, Sink {
  readonly #connection: ServerConnection;
  readonly #id: StreamId;
  readonly request: ServerRequest;
  /** Present where content may come. */
  readonly body: IncomingBody | undefined;
  /** The final response has begun, and has been given wholly. */
  isAnswered = false;
  #isGiven = false;
  isOver = false;
  onOver: (() => void) | undefined = undefined;
  #tolerated = 0;
  #controller: AbortController | undefined = undefined;
  #wantsRoom: (() => void) | undefined = undefined;

  constructor(connection: ServerConnection, id: StreamId, fields: readonly Field[], hasContent: boolean) {
    this.#connection = connection;
    this.#id = id;
    this.body = hasContent ? new IncomingBody(this) : undefined;
    this.request = new ServerRequest(fields, this.body);
  }

  // For the handler.

  get connection(): ConnectionInfo {
    return this.#connection.info;
  }
  get stream(): StreamId {
    return this.#id;
  }
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isOver && !this.#isGiven) this.#controller.abort();
    return this.#controller.signal;
  }
  early(status: number, fields?: FieldsInit): void {
    if (this.isAnswered) throw new Misuse("the final response has begun: send interim ones before it");
    this.#connection.machine.interim(this.#id, status, fieldList(fields));
    this.#connection.drive.wake();
  }
  push({ path, method = "GET", authority, fields }: PushedRequest, response: Response): boolean {
    const { request } = this;
    const list = [
      field(":method", method),
      field(":scheme", request.scheme),
      field(":authority", authority ?? request.authority),
      field(":path", path),
      ...fieldList(fields),
    ];
    if (this.isOver) return false;
    const promised = this.#connection.machine.push(this.#id, list);
    if (promised === undefined) return false;
    const stream = new ServerStream(this.#connection, promised, list, false);
    this.#connection.settle(promised, stream, response);
    this.#connection.drive.wake();
    return true;
  }
  reset(code: ErrorCode): void {
    this.#connection.reset(this.#id, code);
    this.over(new StreamFailed("aborted", `we reset the stream with ${code}`, { code }));
  }

  // For the answer.

  /** Sends a response; a promise where its content is yet to come. What the handler did wrong is thrown. */
  answer(response: Response): Promise<void> | undefined {
    if (this.isOver) return undefined;
    const { machine, sendsDate } = this.#connection;
    const id = this.#id;
    const { status, body, trailers } = response;
    const { method } = this.request;
    const list = fieldList(response.fields);
    if (sendsDate && status >= 200 && status < 500 && !has(list, "date")) list.push(dateLine());
    const isTunnel = method === "CONNECT" && isSuccess(status);
    const octets = body === undefined ? undefined : octetsOf(body);
    if (octets !== undefined && !isTunnel && status !== 204 && status !== 304 && !has(list, "content-length")) {
      list.push(field("content-length", String(octets.length)));
    }
    if (forbidsContent(method, status) && !isTunnel) {
      if (method !== "HEAD" && octets?.length !== 0 && body !== undefined)
        throw new Misuse(`a response ${status} has no content: leave \`body\` out`);
      machine.respond(id, status, list, true);
      return this.#given();
    }
    const hasContent = octets === undefined ? body !== undefined : octets.length > 0;
    const end = !hasContent && trailers === undefined;
    machine.respond(id, status, list, end);
    this.isAnswered = true;
    if (end) return this.#given();
    if (hasContent && octets === undefined) return this.#stream(body as AsyncIterable<Uint8Array | string>, trailers);
    if (octets !== undefined && (hasContent || trailers === undefined)) machine.data(id, octets, trailers === undefined);
    if (trailers !== undefined) machine.trailers(id, trailerList(trailers));
    return this.#given();
  }

  async #stream(content: AsyncIterable<Uint8Array | string>, trailers: Response["trailers"]): Promise<void> {
    if (!(await pump(content, this))) return;
    const { machine, drive } = this.#connection;
    if (trailers === undefined) machine.data(this.#id, NOTHING, true);
    else machine.trailers(this.#id, trailerList(trailers));
    this.#given();
    drive.wake();
  }

  /** Our half is given; of the request, what nobody reads is not needed any more (rfc9113#8.1). */
  #given(): undefined {
    this.isAnswered = true;
    this.#isGiven = true;
    const { body } = this;
    if (body === undefined || body.isOver) return undefined;
    if (body.mode === "discarded") this.#spare();
    else if (body.mode === "untouched") body.discard();
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

  consumed(octets: number): void {
    const { machine, drive } = this.#connection;
    machine.consumed(this.#id, octets);
    drive.wake();
    if (!this.#isGiven || this.body!.mode !== "discarded") return;
    this.#tolerated += octets;
    if (this.#tolerated > TOLERATED) this.#spare();
  }
  refused(): void {
    if (this.#isGiven) this.#spare();
  }
  /** The answer is complete without the rest of the request: the client need not send it (rfc9113#8.1). */
  #spare(): void {
    if (this.isOver) return;
    this.#connection.reset(this.#id, "NO_ERROR");
    this.over();
  }

  trailers(fields: readonly Field[]): void {
    this.body?.end(new Fields(fields));
  }
  /** The stream is over: in good order without an error. */
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
