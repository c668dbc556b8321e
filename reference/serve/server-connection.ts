import type { Duplex } from "node:stream";
import type { Response } from "../http/index.ts";
import { Connection, type ErrorCode, type Event, type Machine, type Options, type StreamId } from "../http2/index.ts";
import { Drive, now, type DriveOptions, type Filter, type Link, type Owner } from "../io/index.ts";
import { ConnectionInfo } from "./connection-info.ts";
import { failureOf, StreamFailed } from "./errors.ts";
import type { Handler } from "./exchange.ts";
import { ServerStream } from "./server-stream.ts";

/** What a server is for all its connections. */
export type ServerContext = {
  readonly handler: Handler;
  readonly machine: Options;
  /** Stands between a connection and its socket. */
  readonly filter: ((connection: ConnectionInfo, link: Link) => Filter) | undefined;
  readonly sendsDate: boolean;
  /** What a handler throws, with what it was to answer. */
  failed(error: unknown, stream: ServerStream): void;
  /** The connection is closed; with the error where it broke. */
  gone(connection: ServerConnection, error?: Error): void;
};

const INTERNAL_ERROR: Response = { status: 500, fields: [["content-type", "text/plain"]], body: "Internal Server Error\n" };

/** One connection of a server: requests to the handler, answers to the machine. */
export class ServerConnection implements Owner {
  readonly drive: Drive;
  readonly machine: Machine;
  readonly #id: number;
  readonly #context: ServerContext;
  /** Streams of which anything is still expected: content, or an answer that is not there yet. */
  #open: Map<StreamId, ServerStream> | undefined;
  #info: ConnectionInfo | undefined;

  constructor(id: number, socket: Duplex, context: ServerContext, driveOptions: DriveOptions) {
    this.#id = id;
    this.#context = context;
    this.machine = new Connection(context.machine, now());
    const { filter } = context;
    const options = filter === undefined ? driveOptions : { ...driveOptions, filter: (link: Link) => filter(this.info, link) };
    this.drive = new Drive(socket, this.machine, this, options);
  }

  get info(): ConnectionInfo {
    return (this.#info ??= new ConnectionInfo(this.#id, this));
  }
  get sendsDate(): boolean {
    return this.#context.sendsDate;
  }

  handle(events: readonly Event[]): void {
    for (const event of events) {
      switch (event.is) {
        case "request":
          this.#request(event);
          break;
        case "data":
          this.#data(event);
          break;
        case "trailers":
          this.#open?.get(event.stream)?.trailers(event.fields);
          break;
        case "writable":
          this.#open?.get(event.stream)?.writable();
          break;
        case "done":
          this.#over(event.stream);
          break;
        case "reset":
          this.#over(event.stream, failureOf(event.code, event.by, event.fault));
          break;
        case "closed":
          this.#failAll(new StreamFailed("closed", "the connection has ended", { fault: event.fault }));
          break;
        default:
        // Settings, pongs and a client's goodbye ask nothing of a server.
      }
    }
  }

  /** The client is silent: where it owes content, the stream is given up; without any stream, the connection is. */
  silent(): void {
    if (this.#open === undefined || this.#open.size === 0) return this.machine.shutdown();
    for (const stream of this.#open.values()) if (stream.body !== undefined && !stream.body.isOver) stream.reset("CANCEL");
    return undefined;
  }

  gone(error?: Error): void {
    this.#failAll(new StreamFailed("closed", "the connection has broken", { cause: error }));
    this.#context.gone(this, error);
  }

  /** Ends a stream from our side; the machine says no more of it. */
  reset(id: StreamId, code: ErrorCode): void {
    this.#open?.delete(id);
    this.machine.reset(id, code);
    this.drive.wake();
  }
  /** Answers on a stream as soon as the response is there. */
  settle(id: StreamId, stream: ServerStream, response: Response | PromiseLike<Response>): void {
    if (isPromise(response)) {
      (this.#open ??= new Map()).set(id, stream);
      this.drive.wakeAfterPromises();
      void this.#settleLater(id, stream, response);
      return;
    }
    let later: Promise<void> | undefined;
    try {
      later = stream.answer(response);
    } catch (error) {
      return this.#broken(id, stream, error);
    }
    if (later === undefined) {
      // What is queued leaves without us; only content that is still coming in has anything to tell.
      if (stream.body === undefined) this.#open?.delete(id);
      return;
    }
    (this.#open ??= new Map()).set(id, stream);
    later.catch((error: unknown) => this.#broken(id, stream, error));
  }
  async #settleLater(id: StreamId, stream: ServerStream, response: PromiseLike<Response>): Promise<void> {
    try {
      this.settle(id, stream, await response);
    } catch (error) {
      this.#broken(id, stream, error);
    }
    this.drive.wake();
  }

  #request(event: Extract<Event, { is: "request" }>): void {
    const { stream: id } = event;
    const stream = new ServerStream(this, id, event.fields, !event.end);
    if (!event.end) (this.#open ??= new Map()).set(id, stream);
    let response: Response | Promise<Response>;
    try {
      response = this.#context.handler(stream.request, stream);
    } catch (error) {
      return this.#broken(id, stream, error);
    }
    return this.settle(id, stream, response);
  }
  #data({ stream: id, bytes, end }: Extract<Event, { is: "data" }>): void {
    const body = this.#open?.get(id)?.body;
    if (body === undefined) return this.machine.consumed(id, bytes.length);
    body.push(bytes);
    if (end) body.end();
    return undefined;
  }

  /** The handler failed: a 500 where nothing has been said yet, else the stream is cut so that nobody takes it for whole. */
  #broken(id: StreamId, stream: ServerStream, error: unknown): void {
    // Whoever waits on the signal of a client that has left fails by it, and has done nothing wrong.
    if (stream.isOver) return;
    this.#context.failed(error, stream);
    if (stream.isAnswered) stream.reset("INTERNAL_ERROR");
    else void stream.answer(INTERNAL_ERROR);
    if (stream.body === undefined) this.#open?.delete(id);
    this.drive.wake();
  }
  #over(id: StreamId, error?: StreamFailed): void {
    const stream = this.#open?.get(id);
    if (stream === undefined) return;
    this.#open?.delete(id);
    stream.over(error);
  }
  #failAll(error: StreamFailed): void {
    if (this.#open === undefined) return;
    for (const stream of this.#open.values()) stream.over(error);
    this.#open.clear();
  }
}

/** Whatever can be awaited; a plain response is the quick way, and must not be missed. */
const isPromise = (response: Response | PromiseLike<Response>): response is PromiseLike<Response> =>
  response instanceof Promise || typeof (response as Partial<PromiseLike<Response>> | undefined)?.then === "function";
