import type { Duplex } from "node:stream";
import { after, instant, NEVER, type Instant } from "../core/index.ts";
import type { StreamCarrier } from "./carrier.ts";
import { now, watch, type Timed } from "./clock.ts";
import type { Happening, Machine, Owner } from "./machine.ts";
import { reset } from "./reset.ts";
import { flushSoon } from "./wake.ts";

/** Stands between the machine and the socket, and may change what passes. */
export interface Filter {
  /** Octets that the machine sends. */
  outgoing(pieces: readonly Uint8Array[]): void;
  /** Octets that the peer sent. */
  incoming(bytes: Uint8Array): void;
  /** The machine has sent everything: the filter calls `end` when that has left, or never. */
  finish?(end: () => void): void;
  /** The transport is closed. */
  closed?(): void;
}
/** What a filter writes to. */
export interface Link {
  write(pieces: readonly Uint8Array[]): void;
  receive(bytes: Uint8Array): void;
  /** Closes the transport, with FIN or RST. */
  cut(how: "end" | "reset"): void;
}

export type DriveOptions = {
  /** Milliseconds for which the peer may leave our output unread before the transport is dropped. */
  readonly stallMs?: number;
  /** Milliseconds without an octet from the peer until `owner.silent` is called; unlimited by default. */
  readonly idleMs?: number;
  /**
   * Checks the first octets of the peer; nothing is written before they arrive. What it returns is written in place of the machine's
   * output, and the connection ends.
   */
  readonly refuse?: (first: Uint8Array) => Uint8Array | undefined;
  readonly filter?: (link: Link) => Filter;
};

const STALL_MS = 30_000;
/**
 * For how long, and how many octets, reading continues after the end, so that no RST overtakes our last output (rfc9112#9.6). A client that
 * writes a large message at once reads the response only after it.
 */
const LINGER_MS = 1_000;
const LINGER_OCTETS = 8_388_608;
/** For how long a filter may hold back our end after the peer's. */
const HELD_MS = 120_000;
/** Octets queued while the socket is not writable, above which reading pauses. */
const QUEUED_OCTETS = 65_536;
const NONE: readonly Uint8Array[] = [];
/** An unused time. */
const ZERO = instant(0);
/** The approximate limit of one write; the rest is taken when the transport has room. */
const WRITE_OCTETS = 262_144;

/**
 * The one caller of a machine over a byte stream: passes on what the socket reads, and writes the machine's output once a turn of the event
 * loop. Each read has a buffer of its own, which is never reused: content may be kept as the view that the machine gives.
 */
export class Drive<Event extends Happening = Happening, Driven extends Machine<Event> = Machine<Event>> implements StreamCarrier, Timed {
  readonly machine: Driven;
  readonly socket: Duplex;
  readonly #owner: Owner<Event>;
  readonly #filter: Filter | undefined;
  readonly #options: DriveOptions;

  /** Within a turn: its output leaves at its end. */
  #isTurn = false;
  #isWoken = false;
  /** The transport is not writable; since when. */
  #isFull = false;
  #fullSince: Instant = ZERO;
  #isPaused = false;
  #refuse: ((first: Uint8Array) => Uint8Array | undefined) | undefined;
  /** The machine's first output, kept until `#refuse` has decided. */
  #kept: readonly Uint8Array[] = NONE;
  /** The machine is done, and its last output is still to be written; since when, or since our end, or the peer's if a filter holds ours back. */
  #isEnding = false;
  #endingSince: Instant = ZERO;
  /** All output is written; only the peer's end is awaited. */
  #isOver = false;
  #hasPeerEnded = false;
  #lingered = 0;
  /** The socket is in other hands. */
  #isGiven = false;
  /** When the peer was heard last; `#lastRead` is renewed when its silence has been reported, too. */
  #heard: Instant;
  #lastRead: Instant;
  #error: Error | undefined;

  constructor(socket: Duplex, machine: Driven, owner: Owner<Event>, options: DriveOptions = {}) {
    this.socket = socket;
    this.machine = machine;
    this.#owner = owner;
    this.#options = options;
    this.#refuse = options.refuse;
    this.#lastRead = now();
    this.#heard = this.#lastRead;
    this.#filter = options.filter?.(this.#link());
    (socket as Socket)[DRIVE] = this;
    socket
      .on("data", Drive.#onData)
      .on("drain", Drive.#onDrain)
      .on("end", Drive.#onEnd)
      .on("error", Drive.#onError)
      .on("close", Drive.#onClose);
    if (socket.isPaused()) socket.resume();
    this.#watchDeadline();
    // Taking it now frees the machine's buffer while the peer is silent.
    if (this.#refuse === undefined) this.wake();
    else this.#kept = machine.take();
  }

  // All sockets share these five listeners: closures would be a tenth of a connection's memory.
  static #onData(this: Socket, bytes: Uint8Array): void {
    const drive = this[DRIVE];
    if (drive.#filter === undefined) drive.#read(bytes);
    else drive.#filter.incoming(bytes);
  }
  static #onDrain(this: Socket): void {
    this[DRIVE].#drained();
  }
  static #onEnd(this: Socket): void {
    this[DRIVE].#ended();
  }
  static #onError(this: Socket, error: Error): void {
    this[DRIVE].#error = error;
  }
  static #onClose(this: Socket): void {
    this[DRIVE].#closed();
  }

  wake(): void {
    if (this.#isTurn || this.#isWoken) return;
    this.#isWoken = true;
    flushSoon(this);
  }
  wakeAfterPromises(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    queueMicrotask(() => {
      flushSoon(this);
    });
  }
  feed(bytes: Uint8Array): void {
    if (this.#filter === undefined) this.#read(bytes);
    else this.#filter.incoming(bytes);
  }
  /**
   * Writes the machine's output, and gives the socket away, paused and without listeners: `owner.gone` is not called. The machine reports
   * octets that it has received and not parsed.
   */
  handOver(): Duplex {
    const { socket } = this;
    const pieces = [...this.#kept, ...this.machine.take()];
    this.#kept = NONE;
    if (pieces.length > 0) this.#write(pieces);
    this.#isOver = true;
    this.#isGiven = true;
    watch.delete(this);
    socket
      .off("data", Drive.#onData)
      .off("drain", Drive.#onDrain)
      .off("end", Drive.#onEnd)
      .off("error", Drive.#onError)
      .off("close", Drive.#onClose)
      .pause();
    return socket;
  }
  /** Ends gracefully; at once if the peer's first octets have not arrived. */
  shutdown(): void {
    if (this.#refuse !== undefined) return this.destroy();
    this.machine.shutdown();
    return this.wake();
  }
  destroy(error?: Error): void {
    if (!this.#isGiven) this.socket.destroy(error);
  }

  /** Drops the transport with a RST if it can send one: the peer sees at once that nobody waits. */
  reset(): void {
    if (!this.#isGiven) reset(this.socket);
  }

  /** When the peer was heard last. */
  get heard(): Instant {
    return this.#heard;
  }
  get deadline(): Instant {
    const { idleMs } = this.#options;
    if (this.#isOver) return this.#lastDeadline;
    let at = this.machine.deadline;
    if (this.#isFull) at = earlier(at, after(this.#fullSince, this.#stallMs));
    if (idleMs !== undefined) at = earlier(at, after(this.#lastRead, idleMs));
    return at;
  }
  /** The filter has not passed on our end, which may come late, or never. */
  get #isHeld(): boolean {
    return !this.socket.writableEnded;
  }
  get #lastDeadline(): Instant {
    if (this.#isGiven || this.socket.destroyed) return NEVER;
    if (!this.#isHeld) return after(this.#endingSince, LINGER_MS);
    return this.#hasPeerEnded ? after(this.#endingSince, HELD_MS) : NEVER;
  }
  get #stallMs(): number {
    return this.#options.stallMs ?? STALL_MS;
  }
  due(at: Instant): void {
    if (this.#isOver) return this.destroy();
    if (this.#isFull && at >= after(this.#fullSince, this.#stallMs)) {
      return this.destroy(new Error(`the peer has read nothing for ${this.#stallMs / 1_000} seconds`));
    }
    this.#isTurn = true;
    const { idleMs } = this.#options;
    if (idleMs !== undefined && at >= after(this.#lastRead, idleMs)) {
      this.#lastRead = at;
      this.#owner.silent();
    }
    this.#tell(this.machine.tick(at));
    this.#isTurn = false;
    return this.flush();
  }

  /** Writes the machine's output while the transport is writable. */
  flush(): void {
    this.#isWoken = false;
    if (this.#isTurn || this.#refuse !== undefined) return;
    this.#isTurn = true;
    while (!this.#isFull && !this.#isOver && this.#writeOnce()) {
      // Until there is no more output.
    }
    // Events matter even while the transport is full: a waiting writer must see the end.
    if (this.#isFull && !this.#isOver) this.#tell(this.machine.events());
    this.#isTurn = false;
    if (this.machine.wants === false || this.#isPaused) this.#pauseOrResume();
    this.#watchDeadline();
  }

  /** One write; false if there was no output and no event. */
  #writeOnce(): boolean {
    const { machine } = this;
    let pieces = this.#kept;
    this.#kept = NONE;
    let octets = 0;
    while (octets < WRITE_OCTETS) {
      const more = machine.take();
      if (more.length > 0) {
        for (const { length } of more) octets += length;
        pieces = pieces.length === 0 ? more : [...pieces, ...more];
      }
      const events = machine.events();
      if (events.length > 0) {
        // If a handler hands over the socket, these are written first.
        this.#kept = pieces;
        this.#tell(events);
        pieces = this.#kept;
        this.#kept = NONE;
      } else if (more.length === 0) break;
    }
    if (pieces.length === 0) {
      if (this.#isEnding) this.#finish();
      return false;
    }
    if (this.#filter === undefined) this.#write(pieces);
    else this.#filter.outgoing(pieces);
    return true;
  }

  #write(pieces: readonly Uint8Array[]): void {
    const { socket } = this;
    if (socket.destroyed || socket.writableEnded) return;
    let hasRoom = true;
    const isSeveral = pieces.length > 1;
    if (isSeveral) socket.cork();
    for (const piece of pieces) hasRoom = socket.write(piece);
    if (isSeveral) socket.uncork();
    if (hasRoom) return;
    this.#isFull = true;
    this.#fullSince = this.#lastRead;
  }
  #drained(): void {
    this.#isFull = false;
    this.flush();
  }

  #read(bytes: Uint8Array): void {
    const at = now();
    this.#lastRead = at;
    this.#heard = at;
    if (this.#isOver) return this.#discard(bytes);
    if (this.#refuse !== undefined && this.#isRefused(this.#refuse(bytes))) return;
    this.#isTurn = true;
    this.#tell(this.machine.receive(bytes, at));
    this.#isTurn = false;
    // A pending wake writes everything.
    if (!this.#isWoken) this.flush();
    if (this.#isFull) this.#pauseOrResume();
  }
  /** Reading pauses while the machine wants nothing, and while the peer leaves queued output unread. */
  #pauseOrResume(): void {
    if (this.#isOver) return;
    const { machine } = this;
    const isEnough = machine.wants === false || (this.#isFull && machine.queued > QUEUED_OCTETS);
    if (isEnough === this.#isPaused) return;
    this.#isPaused = isEnough;
    if (isEnough) this.socket.pause();
    else this.socket.resume();
  }
  #isRefused(words: Uint8Array | undefined): boolean {
    this.#refuse = undefined;
    if (words === undefined) return false;
    this.#write([words]);
    this.#endingSince = this.#lastRead;
    this.#finish();
    this.#watchDeadline();
    return true;
  }
  #discard(bytes: Uint8Array): void {
    if (!this.#isHeld) this.#lingered += bytes.length;
    if (this.#lingered > LINGER_OCTETS) this.destroy();
  }
  #ended(): void {
    this.#hasPeerEnded = true;
    if (this.#isOver) {
      if (this.#isHeld) this.#endingSince = now();
      return this.#watchDeadline();
    }
    // An alert ends a TLS connection, which stays open: `gone` tells why.
    if (this.#error !== undefined) return this.destroy();
    this.#isTurn = true;
    this.#tell(this.machine.ended(now()));
    this.#isTurn = false;
    return this.flush();
  }

  #tell(events: readonly Event[]): void {
    if (events.length === 0) return;
    this.#owner.handle(events);
    if (events.at(-1)?.is !== "closed") return;
    this.#isEnding = true;
    this.#endingSince = now();
    this.#refuse = undefined;
  }
  /** All is written: sends FIN, and awaits the peer's end for a while. */
  #finish(): void {
    this.#isOver = true;
    if (this.#filter?.finish === undefined) this.socket.end();
    else this.#filter.finish(() => this.#end());
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.socket.resume();
  }
  #end(): void {
    this.#endingSince = now();
    this.socket.end();
    this.#watchDeadline();
  }
  #closed(): void {
    watch.delete(this);
    this.#isOver = true;
    this.#filter?.closed?.();
    this.#owner.gone(this.#error);
  }
  #watchDeadline(): void {
    if (this.deadline !== NEVER && !this.socket.destroyed) watch.add(this);
  }
  #link(): Link {
    return {
      write: (pieces) => this.#write(pieces),
      receive: (bytes) => this.#read(bytes),
      cut: (how) => {
        if (how === "end") this.#end();
        else this.reset();
      },
    };
  }
}

/** The key of a socket's drive. */
const DRIVE = Symbol("drive");
type Socket = Duplex & { [DRIVE]: Drive };

const earlier = (one: Instant, other: Instant): Instant => (one < other ? one : other);
