import { Misuse } from "../../core/index.ts";
import { Drive, type Owner } from "../../io/index.ts";
import { CloseCode, Connection, type Event, type Fault } from "../../websocket/index.ts";
import type { Leaver, Switched } from "../handler.ts";
import { Inbox } from "./inbox.ts";

/** A message: text as a string, or octets. */
export type Message = string | Uint8Array;
/** What a message is: text as a string, text as octets that are valid UTF-8, or octets. */
export type MessageKind = "text" | "utf8" | "binary";
/** Told of whole messages, one after another and in order; octets may be a view of a larger read. What it throws ends the connection with 1011. */
export type OnMessage = (data: Message, kind: MessageKind) => void;

/** How a connection has ended: with what the peer's Close said, 1005 where it said nothing, 1006 where none came (rfc6455#7.1.5). */
export type Ending = {
  readonly code: number;
  readonly reason: string;
  /** Both sides have said their Close (rfc6455#7.1.4). */
  readonly clean: boolean;
  /** The peer's breach, or its silence, that ended it. */
  readonly fault?: Fault;
  /** The transport broke. */
  readonly error?: Error;
};

/** What happens to messages for a peer that does not read, beyond `queuedOctets`: the connection ends with 1013, or they are dropped and counted. */
export type SlowReader = "close" | "drop";

/** What all connections of one endpoint have in common. */
export type SocketSettings = {
  readonly slowReader: SlowReader;
  readonly queuedOctets: number;
  /** What a callback, or a handler, throws; the connection then ends with 1011. */
  readonly failed: (error: unknown) => void;
};

const INTERNAL = "the server has failed";

/**
 * One WebSocket that is open, whatever carries it. Messages come by `onMessage` as soon as they are read, or to a `for await` loop; until
 * there is either they wait, and the peer is held back. What is sent while a message is handled leaves in one write with everything else that
 * the same read causes.
 */
export class OpenWebSocket implements Owner<Event>, AsyncIterable<Message> {
  /** The sub-protocol that was agreed on. */
  readonly protocol: string | undefined;
  readonly machine: Connection;
  readonly #settings: SocketSettings;
  #drive: Drive<Event, Connection> | undefined = undefined;
  #onMessage: OnMessage | undefined = undefined;
  #inbox: Inbox | undefined = undefined;
  #ending: Ending | undefined = undefined;
  #closed: PromiseWithResolvers<Ending> | undefined = undefined;
  #siblings: Set<Leaver> | undefined = undefined;
  #room: PromiseWithResolvers<void> | undefined = undefined;
  /** Called once, when the connection is over. */
  onClose: ((ending: Ending) => void) | undefined = undefined;
  /** An answer to `ping`, or a pong that nobody has asked for. */
  onPong: ((data: Uint8Array) => void) | undefined = undefined;
  /** Messages for a peer that did not read, which were dropped. */
  dropped = 0;

  constructor(machine: Connection, protocol: string | undefined, settings: SocketSettings) {
    this.machine = machine;
    this.protocol = protocol;
    this.#settings = settings;
  }

  /** Begins to read and to write. What the owner sets up in the same turn misses nothing. It is among `siblings` as long as it lasts. */
  start({ socket, rest }: Switched, siblings?: Set<Leaver>): void {
    this.#siblings = siblings?.add(this);
    this.#drive = new Drive(socket, this.machine, this);
    if (rest.length > 0) this.#drive.feed(rest);
  }

  // Sending.

  /** Whether messages may be sent: until either side has said its Close. */
  get isOpen(): boolean {
    return this.#ending === undefined && this.machine.isOpen;
  }
  /** Octets that wait for the transport. */
  get queued(): number {
    return this.machine.queued + (this.#drive?.socket.writableLength ?? 0);
  }
  /**
   * Sends a message: a string as text, octets as binary unless `kind` says that they are UTF-8. False when the sender should wait for `room`, and
   * when nothing is sent, since the connection is not open any more.
   */
  send(data: Message, kind: "text" | "utf8" | "binary" = typeof data === "string" ? "text" : "binary"): boolean {
    const { machine } = this;
    if (!this.isOpen) return false;
    if (this.#settings.slowReader === "drop" && machine.queued > this.#settings.queuedOctets) {
      this.dropped++;
      return false;
    }
    const hasRoom = kind === "binary" ? machine.binary(octetsOf(data)) : machine.text(data);
    this.#drive?.wake();
    return hasRoom;
  }
  /** Sends part of a message as a frame of its own; the kind is that of the first part (rfc6455#5.4). */
  sendPart(data: Message, end: boolean): boolean {
    if (!this.isOpen) return false;
    const isText = typeof data === "string";
    const hasRoom = this.machine.fragment(isText ? "text" : "binary", isText ? Buffer.from(data) : data, end);
    this.#drive?.wake();
    return hasRoom;
  }
  /** Resolves when what was queued has gone, or when the connection is over. */
  room(): Promise<void> {
    if (!this.isOpen || this.machine.queued === 0) return Promise.resolve();
    return (this.#room ??= Promise.withResolvers<void>()).promise;
  }
  /** Asks for a pong (rfc6455#5.5.2). */
  ping(data?: Uint8Array): void {
    if (!this.isOpen) return;
    this.machine.ping(data);
    this.#drive?.wake();
  }
  /** Says Close, 1000 unless told otherwise, and waits for the peer's (rfc6455#7.1.2). */
  close(code: number = CloseCode.normal, reason = ""): void {
    if (!this.isOpen) return;
    this.machine.close(code, reason);
    this.#drive?.wake();
  }
  /** Ends at once and without a Close: the peer sees 1006. */
  abort(): void {
    if (this.#ending !== undefined) return;
    this.machine.abort();
    this.#drive?.destroy();
  }
  /** Says 1001 (rfc6455#7.4.1). */
  shutdown(): void {
    this.close(CloseCode.goingAway);
  }

  // Receiving.

  /** Called for each message, while it is read. Octets are a view that stays as it is. */
  get onMessage(): OnMessage | undefined {
    return this.#onMessage;
  }
  set onMessage(told: OnMessage | undefined) {
    if (told !== undefined && this.#inbox?.isRead === true)
      throw new Misuse("the messages are being read by a loop: take one way or the other");
    this.#onMessage = told;
    const inbox = this.#inbox;
    if (told === undefined || inbox === undefined) return;
    this.#inbox = undefined;
    for (const { data, kind } of inbox.waiting) this.#tell(data, kind);
    if (inbox.isFull) this.#hold(false);
  }
  /** Messages one after another; the loop ends with the connection, however that ends: `closed` tells. Leaving it early closes the connection. */
  [Symbol.asyncIterator](): AsyncIterator<Message, undefined> {
    if (this.#onMessage !== undefined) throw new Misuse("the messages go to `onMessage`: take one way or the other");
    const inbox = this.#waiting();
    if (this.#ending !== undefined) inbox.end();
    return inbox.read();
  }
  /** Resolves when the connection is over. */
  get closed(): Promise<Ending> {
    if (this.#ending !== undefined) return Promise.resolve(this.#ending);
    return (this.#closed ??= Promise.withResolvers<Ending>()).promise;
  }
  /** Holds the peer back, until `resume`. */
  pause(): void {
    this.#hold(true);
  }
  get isPaused(): boolean {
    return !this.machine.wants;
  }
  resume(): void {
    this.#hold(false);
  }

  // What the drive tells.

  handle(events: readonly Event[]): void {
    for (let i = 0; i < events.length; i++) {
      const event = events[i]!;
      switch (event.is) {
        case "message":
          this.#tell(event.data, event.kind);
          break;
        case "pong":
          this.onPong?.(event.data);
          break;
        case "writable":
          this.#room?.resolve();
          this.#room = undefined;
          break;
        case "closing":
          // A loop hears of the messages before it when this turn is over.
          if (this.#inbox?.isBusy === true) this.machine.holdClose();
          break;
        case "closed": {
          const { code, reason, clean, fault } = event;
          this.#end(fault === undefined ? { code, reason, clean } : { code, reason, clean, fault });
          break;
        }
        default:
        // Pings, and a Close, are answered by the machine.
      }
    }
  }
  /** The machine asks for signs of life by itself. */
  silent(): void {}
  gone(error?: Error): void {
    this.#siblings?.delete(this);
    const ending = { code: CloseCode.abnormal, reason: "", clean: false };
    this.#end(error === undefined ? ending : { ...ending, error });
  }
  /** Whoever was to deal with this connection has failed. */
  fail(error: unknown): void {
    this.#settings.failed(error);
    this.close(CloseCode.internalError, INTERNAL);
  }

  #tell(data: Message, kind: MessageKind): void {
    const told = this.#onMessage;
    if (told === undefined) {
      const inbox = this.#waiting();
      if (inbox.push(data, kind)) this.#hold(true);
      return;
    }
    try {
      told(data, kind);
    } catch (error) {
      this.fail(error);
    }
  }
  #waiting(): Inbox {
    return (this.#inbox ??= new Inbox({
      hasRoom: () => this.#hold(false),
      caughtUp: () => {
        this.machine.releaseClose();
        this.#drive?.wake();
      },
      left: () => this.close(),
    }));
  }
  #hold(isHeld: boolean): void {
    if (isHeld) this.machine.pause();
    else this.machine.resume();
    this.#drive?.wake();
  }
  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#inbox?.end();
    this.#room?.resolve();
    this.#closed?.resolve(ending);
    try {
      this.onClose?.(ending);
    } catch (error) {
      this.#settings.failed(error);
    }
  }
}

const octetsOf = (data: Message): Uint8Array => (typeof data === "string" ? Buffer.from(data) : data);
