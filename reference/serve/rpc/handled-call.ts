import { Misuse } from "../../core/index.ts";
import { type ConnectionInfo, Fields, type Request, type Response } from "../../http/index.ts";
import {
  type AnyMethod,
  CallFailed,
  type CallHead,
  type CallStatus,
  type Compressors,
  type Dialect,
  entriesOf,
  Inbound,
  jsonCodec,
  type Metadata,
  type MetadataInit,
  type ResponseHeads,
  type ServerCall,
  Status,
  type StatusCode,
  writeEnvelope,
} from "../../rpc/index.ts";
import type { Exchange } from "../handler.ts";
import type { CallWatch } from "./call-watch.ts";
import { ReceivedMessages } from "./received-messages.ts";

/** What all calls of a server share. */
export type CallServer = {
  readonly dialect: Dialect;
  readonly compressors: Compressors;
  readonly heads: ResponseHeads;
  readonly limit: number;
  readonly encoding: string | undefined;
  /** The status of a call with a message that cannot be decoded; INTERNAL by default. */
  readonly malformed?: StatusCode | undefined;
  /** Begins to watch a call on a connection. */
  readonly watch?: ((connection: ConnectionInfo) => CallWatch) | undefined;
  /** Reports what a handler threw. */
  failed(error: unknown, call: ServerCall): void;
};
/** A method with its handler: what it returns depends on the kind of the method. */
export type Registered = { readonly method: AnyMethod; readonly handler: (request: unknown, call: ServerCall) => unknown };

/** What follows the headers of a response: one message, a stream of them, or nothing. */
type Content = Uint8Array | AsyncIterable<Uint8Array> | undefined;

const OK: CallStatus = { code: Status.OK, message: "" };
/** The longest time of a timer. */
const LONGEST_MS = 0x7fff_ffff;

/** One call in its handler, and its response. */
export class HandledCall implements ServerCall {
  readonly metadata: Metadata;
  readonly deadline: number | undefined;
  readonly #server: CallServer;
  readonly #registered: Registered;
  readonly #head: CallHead;
  readonly #request: Request;
  readonly #exchange: Exchange;
  readonly #requests: ReceivedMessages<unknown>;
  readonly #response: AnyMethod["response"];
  #respond!: (response: Response) => void;
  /** The response has begun. */
  #isAnswered = false;
  /** The content of a response whose headers have left before it. */
  #source: PromiseWithResolvers<Content> | undefined;
  #status: CallStatus = OK;
  /** The metadata of the error that ended the call. */
  #thrown: MetadataInit | undefined;
  #headers: MetadataInit | undefined;
  #trailers: MetadataInit | undefined;
  /** The encoding of the response; decided with its headers. */
  #encoding: string | undefined;
  /** What the handler asked for. */
  #compress: boolean | undefined;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLate = false;
  readonly #watch: CallWatch | undefined;
  #isWatched = true;

  constructor(server: CallServer, registered: Registered, head: CallHead, of: { readonly request: Request; readonly exchange: Exchange }) {
    this.#server = server;
    this.#registered = registered;
    this.#head = head;
    this.#request = of.request;
    this.#exchange = of.exchange;
    this.#watch = server.watch?.(of.exchange.connection);
    this.metadata = head.metadata;
    const { compressors, limit } = server;
    const { method } = registered;
    const inbound = new Inbound({ side: "server", encoding: head.encoding, compressors, limit }, method.requestStream);
    const isJson = head.format === "json";
    this.#response = isJson ? inJson(method.response) : method.response;
    this.#requests = new ReceivedMessages(of.request.body, inbound, isJson ? inJson(method.request) : method.request, {
      explain: (error) => this.#left(error),
      malformed: server.malformed,
      received: this.#watch?.received,
    });
    this.deadline = head.timeoutMs === undefined ? undefined : performance.now() + head.timeoutMs;
    if (head.timeoutMs !== undefined) this.#watchDeadline(head.timeoutMs);
  }

  // For the handler.

  get path(): string {
    return this.#request.path;
  }
  get connection(): ConnectionInfo {
    return this.#exchange.connection;
  }
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = (this.#controller = new AbortController());
      const { signal } = this.#exchange;
      const abort = (): void => controller.abort(this.#left(signal.reason));
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
    }
    return this.#controller.signal;
  }
  get downstream(): { readonly signal: AbortSignal; readonly deadline: number | undefined } {
    return { signal: this.signal, deadline: this.deadline };
  }
  sendHeaders(metadata?: MetadataInit): void {
    if (this.#isAnswered) throw new Misuse("the headers have been sent: send them before the first message, and once");
    // Before a mistake in them ends the call, or a handler that notices sends others.
    this.#server.heads.headers(undefined, metadata);
    this.#headers = metadata;
    this.#source = Promise.withResolvers();
    this.#begin(later(this.#source.promise));
  }
  setTrailers(metadata: MetadataInit): void {
    this.#server.heads.trailers(OK, metadata);
    this.#trailers = metadata;
  }
  compress(on: boolean): void {
    this.#compress = on;
  }

  // For the server.

  /** Calls the handler; resolves to the response when it begins. */
  run(): Promise<Response> {
    return new Promise((resolve) => {
      this.#respond = resolve;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    const { method, handler } = this.#registered;
    try {
      const request = method.requestStream ? this.#requests : await this.#requests.single();
      const result = handler(request, this);
      if (method.responseStream) await this.#runStream(result as AsyncIterable<unknown>);
      else this.#finish(OK, this.#envelope(await result));
    } catch (error) {
      this.#finish(this.#statusOf(error), undefined);
    }
  }

  async #runStream(responses: AsyncIterable<unknown>): Promise<void> {
    const iterator = responses[Symbol.asyncIterator]();
    // Until there is a message, a failure needs no headers.
    const first = await iterator.next();
    if (this.#source !== undefined) this.#source.resolve(this.#messages(iterator, first));
    else if (first.done === true) this.#finish(OK, undefined);
    else this.#begin(this.#messages(iterator, first));
  }
  /** The messages of a stream. Its end decides the status of the call. */
  async *#messages(iterator: AsyncIterator<unknown>, first: IteratorResult<unknown>): AsyncGenerator<Uint8Array, undefined> {
    let isOver = false;
    try {
      for (let step = first; step.done !== true; step = await iterator.next()) yield this.#envelope(step.value);
      isOver = true;
    } catch (error) {
      isOver = true;
      this.#status = this.#statusOf(error);
    } finally {
      this.#end();
      // The client has left.
      if (!isOver) await iterator.return?.();
    }
    return undefined;
  }

  #finish(status: CallStatus, octets: Uint8Array | undefined): void {
    this.#status = status;
    this.#end();
    if (this.#source !== undefined) this.#source.resolve(octets);
    else if (octets !== undefined) this.#begin(octets);
    else
      this.#answer({ status: 200, fields: this.#sections((trailers) => this.#server.heads.trailersOnly(status, this.#headers, trailers)) });
  }
  #end(): void {
    clearTimeout(this.#timer);
    if (this.#watch !== undefined) this.#unwatch(this.#watch);
    // A client that is still sending learns that nobody reads (rpc-http2#early-closure).
    this.#requests.stop();
  }

  #unwatch(watch: CallWatch): void {
    if (!this.#isWatched) return;
    this.#isWatched = false;
    const isBroken = this.#isLate || this.#exchange.signal.aborted;
    watch.ended(isBroken ? "broken" : this.#status.code === Status.OK ? "good" : "bad");
  }

  /** Answers with headers, content and trailers. */
  #begin(body: Uint8Array | AsyncIterable<Uint8Array>): void {
    this.#encoding ??= this.#chosenEncoding();
    const fields = this.#server.heads.headers(this.#encoding, this.#headers);
    const trailers = (): Fields => this.#sections((metadata) => this.#server.heads.trailers(this.#status, metadata));
    this.#answer({ status: 200, fields, body, trailers });
  }
  #answer(response: Response): void {
    this.#isAnswered = true;
    this.#respond(response);
  }
  /** Sections with the metadata of the trailers. A handler that throws metadata learns of a mistake in it here. */
  #sections(write: (metadata: MetadataInit | undefined) => Fields): Fields {
    const metadata = this.#thrown;
    if (metadata === undefined) return write(this.#trailers);
    try {
      return write([...entriesOf(this.#trailers ?? []), ...entriesOf(metadata)]);
    } catch (error) {
      this.#server.failed(error, this);
      return write(this.#trailers);
    }
  }

  #envelope(message: unknown): Uint8Array {
    const octets = this.#response.encode(message);
    this.#watch?.sent();
    if (!this.#isAnswered) this.#encoding ??= this.#chosenEncoding();
    const compressor = this.#encoding === undefined || this.#compress === false ? undefined : this.#server.compressors.get(this.#encoding);
    return compressor === undefined
      ? writeEnvelope({ isCompressed: false, octets })
      : writeEnvelope({ isCompressed: true, octets: compressor.compress(octets) });
  }
  /** The encoding of the server, or of the client's choice if the handler wants one: only one that both have (rpc-compression#asymmetry). */
  #chosenEncoding(): string | undefined {
    const { encoding, compressors } = this.#server;
    if (encoding === undefined && this.#compress === undefined) return undefined;
    const { accepted } = this.#head;
    return encoding !== undefined && accepted.includes(encoding) ? encoding : accepted.find((name) => compressors.has(name));
  }

  #statusOf(error: unknown): CallStatus {
    if (error instanceof CallFailed) {
      this.#thrown = error.metadata;
      return error.toStatus();
    }
    // A handler that fails because its call has ended is not at fault.
    if (!this.#isLate && !this.#exchange.signal.aborted) this.#server.failed(error, this);
    return { code: Status.UNKNOWN, message: "The handler failed." };
  }

  /** The stream has ended under the call. */
  #left(cause: unknown): CallFailed {
    return this.#isLate
      ? new CallFailed(Status.DEADLINE_EXCEEDED, "The deadline of the call has passed.", { cause })
      : new CallFailed(Status.CANCELLED, "The client cancelled the call.", { cause });
  }
  /** At the deadline the call ends without a response: the client does not wait for one (rpc-http2#cancellation). */
  #watchDeadline(ms: number): void {
    this.#timer = setTimeout(
      () => {
        if (ms > LONGEST_MS) return this.#watchDeadline(ms - LONGEST_MS);
        this.#isLate = true;
        this.#exchange.reset("CANCEL");
        this.#controller?.abort(this.#left(undefined));
        return undefined;
      },
      Math.min(ms, LONGEST_MS),
    ).unref();
  }
}

/** A server that reads JSON has made sure that its messages have it. */
const inJson = (codec: AnyMethod["request"]): AnyMethod["request"] => jsonCodec(codec) ?? codec;

/** Content that is not known yet. */
async function* later(source: Promise<Content>): AsyncGenerator<Uint8Array, undefined> {
  const content = await source;
  if (content instanceof Uint8Array) yield content;
  else if (content !== undefined) yield* content;
  return undefined;
}
