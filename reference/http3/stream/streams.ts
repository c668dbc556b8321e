import { NEVER, type Field, type Instant } from "../../core/index.ts";
import { FrameReader } from "../frame/reader.ts";
import type { Arrival } from "./arrival.ts";
import type { StreamId } from "./id.ts";
import type { State } from "./state.ts";

/** A request stream: the message of the peer, and ours. */
export class Stream {
  readonly id: StreamId;
  readonly reader: FrameReader;
  /** The message of the peer. */
  state: State = "head";
  /** Content that the peer still owes; -1 without content-length. */
  contentLeft = -1;
  /** Its section waits for insertions: nothing after it is read (rfc9204#2.2.1). */
  isBlocked = false;
  /** The peer has ended its part, though what it sent may not be read yet. */
  hasEnd = false;
  /** Both parts of the transport's stream are done, which may be before a blocked section can be read. */
  isCarried = false;
  /** When the head has to be complete. */
  headBy: Instant = NEVER;
  /** Server: how the content comes that the request has announced. */
  arrival: Arrival | undefined;

  // Our message.
  hasSentHead = false;
  /** Nothing more follows: it is ended or reset. */
  isSent = false;
  /** Client: the server wants no more of the request, and answers it. */
  isRefused = false;
  contentOwed = -1;
  noContent = false;
  isConnect = false;
  isHead = false;
  /** Octets that were queued. */
  queued = 0;
  /** Since when octets wait that have not left; undefined if they wait since the last action, whose time is not known. */
  unsentSince: Instant | undefined = NEVER;
  /** How many octets had left then. */
  sentThen = 0;
  /** The owner learns nothing more: it has heard of a reset. */
  isGivenUp = false;

  constructor(id: StreamId, blockOctets: number) {
    this.id = id;
    this.reader = new FrameReader(blockOctets);
  }
}

/** A request that waits for a stream. */
export type Waiting = { readonly ticket: number; readonly fields: readonly Field[]; readonly end: boolean };

/** All request streams of a connection. */
export class Streams {
  readonly #open = new Map<StreamId, Stream>();
  /** The least identifier of a request that has not begun: what a final GOAWAY names (rfc9114#5.2). */
  next = 0;

  get size(): number {
    return this.#open.size;
  }
  [Symbol.iterator](): IterableIterator<Stream> {
    return this.#open.values();
  }
  find(id: StreamId): Stream | undefined {
    return this.#open.get(id);
  }
  add(stream: Stream): void {
    this.#open.set(stream.id, stream);
    if (stream.id >= this.next) this.next = stream.id + 4;
  }
  forget(id: StreamId): void {
    this.#open.delete(id);
  }
}
