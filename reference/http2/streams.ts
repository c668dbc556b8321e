import type { ReceiveWindow } from "./flow-window.ts";
import type { Outbound } from "./outbound.ts";
import { CONNECTION, startedBy, type Side, type StreamId } from "./stream-id.ts";
import { Closed, State } from "./stream-state.ts";

/** How far the message that the peer sends on a stream has come (rfc9113#8.1). */
export const Phase = { head: 0, content: 1, over: 2 } as const;
export type Phase = (typeof Phase)[keyof typeof Phase];

/** One stream that is neither idle nor closed. Small on purpose: what only some streams need hangs from it. */
export class Stream {
  readonly id: StreamId;
  state: State;
  /** What we may still send on it; negative after the peer has lowered its initial window (rfc9113#6.9.2). */
  sendWindow: number;
  urgency = 3;
  incremental = false;
  /** How far what the peer sends has come, and what we send. */
  incoming: Phase = Phase.head;
  outgoing: Phase = Phase.head;
  /** The request is HEAD: its response has no content. */
  isHead = false;
  /** A CONNECT that was answered with 2xx, or not yet answered: content is the tunnel's (rfc9113#8.5). */
  isConnect = false;
  /** The response is one that has no content (rfc9113#8.1.1). */
  noContent = false;
  /** Octets of content still to come, and still to be sent, by content-length; -1 where there is none. */
  contentLeft = -1;
  contentOwed = -1;
  /** Made when content comes in. */
  inbound: ReceiveWindow | undefined = undefined;
  /** Made when content has to wait. */
  outbound: Outbound | undefined = undefined;

  constructor(id: StreamId, state: State, sendWindow: number) {
    this.id = id;
    this.state = state;
    this.sendWindow = sendWindow;
  }
}

const isReserved = (state: State): boolean => state === State.reservedLocal || state === State.reservedRemote;

const NO_STREAMS: ReadonlyMap<StreamId, Stream> = new Map();

/** The streams of one connection: found by identifier, counted by side, and remembered for a while when they have ended. */
export class Streams {
  readonly #side: Side;
  /** Made with the first stream: an idle connection has none, and a map is large. */
  #live: Map<StreamId, Stream> | undefined;
  /** Identifiers and ends of the streams closed most recently; a ring that grows to its size. */
  readonly #closedIds: StreamId[] = [];
  readonly #closedHow: Closed[] = [];
  readonly #remembered: number;
  #closedAt = 0;

  /** The highest identifier that each side has used (rfc9113#5.1.1). */
  lastByPeer: StreamId = CONNECTION;
  lastByUs: StreamId = CONNECTION;
  /** Open and half-closed streams by the side that began them: what MAX_CONCURRENT_STREAMS counts (rfc9113#5.1.2). */
  openByPeer = 0;
  openByUs = 0;
  /** Streams promised and not begun. */
  reserved = 0;

  constructor(side: Side, remembered: number) {
    this.#side = side;
    this.#remembered = remembered;
  }

  get size(): number {
    return this.#live === undefined ? 0 : this.#live.size;
  }
  find(id: StreamId): Stream | undefined {
    return this.#live === undefined ? undefined : this.#live.get(id);
  }
  [Symbol.iterator](): IterableIterator<Stream> {
    return (this.#live ?? NO_STREAMS).values();
  }
  isOurs(id: StreamId): boolean {
    return startedBy(this.#side, id);
  }
  /** Whether no stream of that identifier has ever been: neither opened, nor passed over. */
  isIdle(id: StreamId): boolean {
    return id > (this.isOurs(id) ? this.lastByUs : this.lastByPeer);
  }

  /** Takes up a stream that leaves idle. Streams with lower identifiers that were idle are closed by it. */
  add(stream: Stream): void {
    const { id } = stream;
    this.pass(id);
    (this.#live ??= new Map()).set(id, stream);
    if (isReserved(stream.state)) this.reserved++;
    else this.#count(id, 1);
  }
  /** The identifier is used up. */
  pass(id: StreamId): void {
    if (this.isOurs(id)) this.lastByUs = id;
    else this.lastByPeer = id;
  }
  /** A reserved stream has begun: now it counts. */
  begin(stream: Stream, state: State): void {
    stream.state = state;
    this.reserved--;
    this.#count(stream.id, 1);
  }
  /** Forgets a stream, but for how it ended. */
  close(stream: Stream, how: Closed): void {
    if (this.#live === undefined || !this.#live.delete(stream.id)) return;
    if (isReserved(stream.state)) this.reserved--;
    else this.#count(stream.id, -1);
    stream.state = State.closed;
    this.remember(stream.id, how);
  }
  remember(id: StreamId, how: Closed): void {
    this.#closedIds[this.#closedAt] = id;
    this.#closedHow[this.#closedAt] = how;
    this.#closedAt = (this.#closedAt + 1) % this.#remembered;
  }
  /** A closed stream has been answered with RST_STREAM: what comes now is under way (rfc9113#5.4.2). */
  closeAgain(id: StreamId): void {
    const at = this.#closedIds.lastIndexOf(id);
    if (at < 0) this.remember(id, Closed.resetByUs);
    else this.#closedHow[at] = Closed.resetByUs;
  }
  /** How a stream that is neither idle nor live has ended. */
  howClosed(id: StreamId): Closed {
    const at = this.#closedIds.lastIndexOf(id);
    return at < 0 ? Closed.forgotten : this.#closedHow[at]!;
  }

  #count(id: StreamId, by: number): void {
    if (this.isOurs(id)) this.openByUs += by;
    else this.openByPeer += by;
  }
}
