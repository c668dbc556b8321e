import type { ReceiveWindow } from "../flow/window.ts";
import type { Outbound } from "../send/outbound.ts";
import { CONNECTION, type Side, type StreamId } from "./id.ts";
import { isClosed, isReserved, nextIfActive, State, verdictOf, type Input, type Verdict } from "./state.ts";

/** One stream that is neither idle nor closed. Kept small: whatever only some streams need is a separate object. */
export class Stream {
  readonly id: StreamId;
  /** Written by `Streams.advance` alone. */
  readonly state: State = State.idle;
  /** Bytes that we may still send on it; negative after the peer has lowered its initial window (rfc9113#6.9.2). */
  sendWindow: number;
  urgency = 3;
  incremental = false;
  /** The head of the final message has been received, and sent: content or trailers may follow (rfc9113#8.1). */
  hasReceivedHead = false;
  hasSentHead = false;
  /** The request is HEAD: its response has no content. */
  isHead = false;
  /** A CONNECT with a 2xx response, or none yet: content belongs to the tunnel (rfc9113#8.5). */
  isConnect = false;
  /** The response has no content, whatever its content-length (rfc9113#8.1.1). */
  noContent = false;
  /** Bytes of content still to be received, and to be sent, according to content-length; -1 without one. */
  contentLeft = -1;
  contentOwed = -1;
  /** Created when content arrives. */
  inbound: ReceiveWindow | undefined = undefined;
  /** Created when content has to wait. */
  outbound: Outbound<Stream> | undefined = undefined;

  constructor(id: StreamId, sendWindow: number) {
    this.id = id;
    this.sendWindow = sendWindow;
  }

  get isOver(): boolean {
    return isClosed(this.state);
  }
}

/** The streams of one connection that closed last, and how: a ring that grows to its size. */
class ClosedStreams {
  readonly #ids: StreamId[] = [];
  readonly #states: State[] = [];
  readonly #size: number;
  #next = 0;

  constructor(size: number) {
    this.#size = size;
  }

  stateOf(id: StreamId): State {
    const at = this.#ids.lastIndexOf(id);
    return at < 0 ? State.forgotten : this.#states[at]!;
  }
  add(id: StreamId, state: State): void {
    this.#ids[this.#next] = id;
    this.#states[this.#next] = state;
    this.#next = (this.#next + 1) % this.#size;
  }
  /** A closed stream is closed in another way. */
  change(id: StreamId, state: State): void {
    const at = this.#ids.lastIndexOf(id);
    if (at < 0) this.add(id, state);
    else this.#states[at] = state;
  }
}

const NO_STREAMS: ReadonlyMap<StreamId, Stream> = new Map();

/**
 * The streams of one connection: found by identifier, counted by side, and remembered for a while after they close. Others hold it as
 * `Readonly`.
 */
export class Streams {
  /** The lowest bit of identifiers that we begin: 1 for a client (rfc9113#5.1.1). */
  readonly #ourBit: number;
  /** Created with the first stream: an idle connection has none, and a map is large. */
  #live: Map<StreamId, Stream> | undefined;
  /** The stream found last: most look-ups repeat the one before. */
  #found: Stream | undefined;
  /** Created when the first stream closes. */
  #closed: ClosedStreams | undefined;
  readonly #remembered: number;

  /** The highest identifier that each side has used (rfc9113#5.1.1). */
  lastByPeer: StreamId = CONNECTION;
  lastByUs: StreamId = CONNECTION;
  /** Open and half-closed streams by the side that began them: MAX_CONCURRENT_STREAMS limits these (rfc9113#5.1.2). */
  openByPeer = 0;
  openByUs = 0;
  /** Streams that were promised and have not begun. */
  reserved = 0;

  constructor(side: Side, remembered: number) {
    this.#ourBit = side === "client" ? 1 : 0;
    this.#remembered = remembered;
  }

  get size(): number {
    return this.#live === undefined ? 0 : this.#live.size;
  }
  find(id: StreamId): Stream | undefined {
    const found = this.#found;
    return found !== undefined && found.id === id ? found : this.#search(id);
  }
  #search(id: StreamId): Stream | undefined {
    const stream = this.#live?.get(id);
    if (stream !== undefined) this.#found = stream;
    return stream;
  }
  [Symbol.iterator](): IterableIterator<Stream> {
    return (this.#live ?? NO_STREAMS).values();
  }
  isOurs(id: StreamId): boolean {
    return (id & 1) === this.#ourBit;
  }
  /** Whether no stream with this identifier was ever opened or skipped. */
  isIdle(id: StreamId): boolean {
    return id > (this.isOurs(id) ? this.lastByUs : this.lastByPeer);
  }

  stateOf(id: StreamId): State {
    if (this.isIdle(id)) return State.idle;
    const live = this.find(id);
    if (live !== undefined) return live.state;
    return this.#closed === undefined ? State.forgotten : this.#closed.stateOf(id);
  }

  /**
   * Every input of a stream passes here, and here alone states are written: it moves the stream as the table says, and keeps counts and
   * memory in step. `stream` is the live stream with this identifier, or a new one; undefined if the stream is idle or closed. A negative
   * verdict changes nothing.
   */
  advance(id: StreamId, input: Input, stream: Stream | undefined): Verdict {
    if (stream !== undefined) {
      // Most frames change no count, and this much is inlined.
      const to = nextIfActive(stream.state, input);
      if (to !== undefined) {
        setState(stream, to);
        return to;
      }
    }
    return this.#change(id, input, stream);
  }

  #change(id: StreamId, input: Input, stream: Stream | undefined): Verdict {
    const from = stream === undefined ? this.stateOf(id) : stream.state;
    const verdict = verdictOf(from, input);
    if (verdict === from || verdict < 0) return verdict;
    const to = verdict as State;
    if (stream !== undefined) setState(stream, to);
    if (from === State.idle) this.#begin(id, to, stream);
    else if (isClosed(to)) this.#close(id, from, to);
    else if (isReserved(from)) {
      this.#count(id, from, -1);
      this.#count(id, to, 1);
    }
    return to;
  }

  /** Uses the identifier up: lower ones of the same side that were idle are closed (rfc9113#5.1.1). */
  #begin(id: StreamId, to: State, stream: Stream | undefined): void {
    if (this.isOurs(id)) this.lastByUs = id;
    else this.lastByPeer = id;
    if (stream === undefined || isClosed(to)) return this.#ended().add(id, to);
    (this.#live ??= new Map()).set(id, stream);
    return this.#count(id, to, 1);
  }
  /** A live stream closes, or a closed one is closed in another way. */
  #close(id: StreamId, from: State, to: State): void {
    if (isClosed(from)) return this.#ended().change(id, to);
    this.#live?.delete(id);
    this.#found = undefined;
    this.#count(id, from, -1);
    return this.#ended().add(id, to);
  }
  #ended(): ClosedStreams {
    return (this.#closed ??= new ClosedStreams(this.#remembered));
  }
  #count(id: StreamId, state: State, by: number): void {
    if (isReserved(state)) this.reserved += by;
    else if (this.isOurs(id)) this.openByUs += by;
    else this.openByPeer += by;
  }
}

function setState(stream: { state: State }, to: State): void {
  stream.state = to;
}
