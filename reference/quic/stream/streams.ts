import { fault, type Fault, type FaultName } from "../faults.ts";
import {
  initiatorOf,
  ordinalOf,
  directionOf,
  otherSide,
  receivesOn,
  sendsOn,
  streamIdOf,
  type Direction,
  type Side,
  type StreamId,
} from "../stream-id.ts";
import type { Parameters } from "../params.ts";
import { ReceiveCredit, SendCredit } from "./credit.ts";
import { RecvStream } from "./recv-stream.ts";
import { SendStream } from "./send-stream.ts";

/** Both parts of a stream; a unidirectional one has one of them on each side. */
export type Stream = { readonly id: StreamId; readonly send?: SendStream; readonly recv?: RecvStream };

/** What we accept (rfc9000#18.2). */
export type Windows = {
  readonly connection: number;
  readonly bidirectionalLocal: number;
  readonly bidirectionalRemote: number;
  readonly unidirectional: number;
  /** Streams of each direction that the peer may have open at once. */
  readonly streams: Readonly<Record<Direction, number>>;
};

type Counts = Record<Direction, number>;

/** Names of the faults for frames on streams that cannot carry them (rfc9000#19). */
export type Misplaced = { readonly unopened: FaultName; readonly wrongWay: FaultName };

/** All streams of a connection: opening, counting, finding, forgetting (rfc9000#2, rfc9000#4.6). */
export class Streams {
  readonly side: Side;
  readonly receiveCredit: ReceiveCredit;
  readonly sendCredit = new SendCredit(0);
  readonly #windows: Windows;
  readonly #open = new Map<StreamId, Stream>();
  /** The peer's limits for our streams. */
  readonly #sendWindows = { bidirectionalLocal: 0, bidirectionalRemote: 0, unidirectional: 0 };
  /** Streams that we have opened, and may open. */
  readonly #ours: Counts = { bidirectional: 0, unidirectional: 0 };
  readonly #allowed: Counts = { bidirectional: 0, unidirectional: 0 };
  /** Streams that the peer has opened, may open, and knows that it may. */
  readonly #theirs: Counts = { bidirectional: 0, unidirectional: 0 };
  readonly #granted: Counts;
  readonly #announced: Counts;
  /** STREAMS_BLOCKED for a limit is sent once. */
  readonly #blockedAt: Counts = { bidirectional: -1, unidirectional: -1 };
  /** Streams that may have something to send, in the order of their turns. */
  readonly #queue = new Set<StreamId>();

  constructor(side: Side, windows: Windows) {
    this.side = side;
    this.#windows = windows;
    this.receiveCredit = new ReceiveCredit(windows.connection);
    this.#granted = { ...windows.streams };
    this.#announced = { ...windows.streams };
  }

  get size(): number {
    return this.#open.size;
  }
  get all(): IterableIterator<Stream> {
    return this.#open.values();
  }
  find(id: StreamId): Stream | undefined {
    return this.#open.get(id);
  }

  /** What the peer accepts, once its transport parameters are known. Limits of a resumed connection only rise (rfc9000#7.4.1). */
  accept(parameters: Parameters): void {
    this.sendCredit.raise(parameters.initial_max_data);
    this.#setWindows(parameters);
    this.raiseStreams("bidirectional", parameters.initial_max_streams_bidi);
    this.raiseStreams("unidirectional", parameters.initial_max_streams_uni);
    for (const { id, send } of this.#open.values()) send?.credit.raise(this.#limitFor(id));
  }
  /** A server that has rejected 0-RTT may allow less than before; false if we have used more than that (rfc9000#7.4.1). */
  restart(parameters: Parameters): boolean {
    this.#allowed.bidirectional = parameters.initial_max_streams_bidi;
    this.#allowed.unidirectional = parameters.initial_max_streams_uni;
    this.#setWindows(parameters);
    let isWithin = this.sendCredit.restart(parameters.initial_max_data);
    for (const { id, send } of this.#open.values()) isWithin = send?.credit.restart(this.#limitFor(id)) !== false && isWithin;
    const counts = ["bidirectional", "unidirectional"] as const;
    return isWithin && counts.every((direction) => this.#ours[direction] <= this.#allowed[direction]);
  }
  /** MAX_STREAMS; false if it raises nothing. */
  raiseStreams(direction: Direction, max: number): boolean {
    if (max <= this.#allowed[direction]) return false;
    this.#allowed[direction] = max;
    return true;
  }

  /** Opens a stream; undefined if the peer allows no more. */
  open(direction: Direction): Stream | undefined {
    if (this.#ours[direction] >= this.#allowed[direction]) return undefined;
    return this.#create(streamIdOf(this.side, direction, this.#ours[direction]++));
  }
  mayOpen(direction: Direction): boolean {
    return this.#ours[direction] < this.#allowed[direction];
  }

  /** The stream of a frame from the peer, which may open it and those before it; undefined if it is closed. */
  forFrame(
    id: StreamId,
    part: "send" | "recv",
    { unopened, wrongWay }: Misplaced,
    frame: number,
  ): { readonly stream: Stream | undefined; readonly opened: readonly Stream[] } | Fault {
    const isOurs = initiatorOf(id) === this.side;
    const isThere = part === "send" ? sendsOn(this.side, id) : receivesOn(this.side, id);
    if (!isThere) return fault(wrongWay, frame);
    const direction = directionOf(id);
    const ordinal = ordinalOf(id);
    if (isOurs) return ordinal >= this.#ours[direction] ? fault(unopened, frame) : { stream: this.#open.get(id), opened: [] };
    if (ordinal >= this.#granted[direction]) return fault("tooManyStreams", frame);
    const opened: Stream[] = [];
    while (this.#theirs[direction] <= ordinal)
      opened.push(this.#create(streamIdOf(otherSide(this.side), direction, this.#theirs[direction]++)));
    return { stream: this.#open.get(id), opened };
  }

  /** Forgets a stream whose parts are done; the peer may open another in its place. True if it was forgotten. */
  forgetIfDone(id: StreamId): boolean {
    const stream = this.#open.get(id);
    if (stream === undefined || stream.send?.isDone === false || stream.recv?.isDone === false) return false;
    this.#open.delete(id);
    this.#queue.delete(id);
    if (initiatorOf(id) !== this.side) this.#granted[directionOf(id)]++;
    return true;
  }

  /** MAX_STREAMS that the peer should get: at every half of the window. */
  streamNews(direction: Direction): number | undefined {
    const news = this.#granted[direction] - this.#announced[direction];
    return news > 0 && news * 2 >= this.#windows.streams[direction] ? this.#granted[direction] : undefined;
  }
  announceStreams(direction: Direction): void {
    this.#announced[direction] = this.#granted[direction];
  }
  loseStreams(direction: Direction): void {
    this.#announced[direction] = Math.min(this.#announced[direction], this.#granted[direction] - this.#windows.streams[direction]);
  }
  /** The application wanted a stream in vain: the limit to complain about, once for each. */
  streamsBlocked(direction: Direction): number | undefined {
    const limit = this.#allowed[direction];
    if (this.mayOpen(direction) || this.#blockedAt[direction] === limit) return undefined;
    this.#blockedAt[direction] = limit;
    return limit;
  }

  /** The stream may have something to send: it gets a turn. */
  touch(id: StreamId): void {
    this.#queue.add(id);
  }
  /** Whose turn it is, in a circle. */
  get queue(): ReadonlySet<StreamId> {
    return this.#queue;
  }
  /** It has nothing to send for now. */
  rest(id: StreamId): void {
    this.#queue.delete(id);
  }
  /** It has had its turn. */
  rotate(id: StreamId): void {
    if (this.#queue.delete(id)) this.#queue.add(id);
  }

  #setWindows(parameters: Parameters): void {
    // What is local to the peer is remote to us.
    this.#sendWindows.bidirectionalLocal = parameters.initial_max_stream_data_bidi_remote;
    this.#sendWindows.bidirectionalRemote = parameters.initial_max_stream_data_bidi_local;
    this.#sendWindows.unidirectional = parameters.initial_max_stream_data_uni;
  }
  #create(id: StreamId): Stream {
    const stream: Stream = {
      id,
      ...(sendsOn(this.side, id) && { send: new SendStream(id, this.#limitFor(id)) }),
      ...(receivesOn(this.side, id) && { recv: new RecvStream(id, this.#windowFor(id)) }),
    };
    this.#open.set(id, stream);
    return stream;
  }
  #windowFor(id: StreamId): number {
    if (directionOf(id) === "unidirectional") return this.#windows.unidirectional;
    return initiatorOf(id) === this.side ? this.#windows.bidirectionalLocal : this.#windows.bidirectionalRemote;
  }
  #limitFor(id: StreamId): number {
    if (directionOf(id) === "unidirectional") return this.#sendWindows.unidirectional;
    return initiatorOf(id) === this.side ? this.#sendWindows.bidirectionalLocal : this.#sendWindows.bidirectionalRemote;
  }
}
