import { Misuse } from "../../core/index.ts";
import { Drive, type Filter, type Link, type Owner } from "../../io/index.ts";
import { CloseCode, type Connection, type Event } from "../../websocket/index.ts";
import type { Closable, Switched } from "../handler.ts";
import { MessageQueue } from "./message-queue.ts";
import type { Ending, Message, MessageKind, OnMessage, Sendable, SlowReader, SocketState } from "./open-websocket.ts";

/** What all connections of one endpoint have in common. */
export type SocketSettings = {
  readonly slowReader: SlowReader;
  readonly queuedOctets: number;
  /** Receives what a callback or a handler throws; the connection then closes with 1011. */
  readonly failed: (error: unknown) => void;
  /** Stands between the connection and its carrier. */
  readonly filter?: (link: Link) => Filter;
};
/** What the handshake agreed on. */
export type Agreed = { readonly subprotocol: string | undefined; readonly extensions: string };
const NOTHING_AGREED: Agreed = { subprotocol: undefined, extensions: "" };

const INTERNAL = "the server has failed";
const BROKEN = { code: CloseCode.abnormal, reason: "", clean: false };

/** An open WebSocket from within: its machine, its transport, and the callbacks of its user, who holds a `Socket`. */
export class SocketCore implements Owner<Event>, Closable {
  readonly agreed: Agreed;
  readonly #machine: Connection;
  readonly #settings: SocketSettings;
  #drive: Drive<Event, Connection> | undefined = undefined;
  #onMessage: OnMessage | undefined = undefined;
  #queue: MessageQueue | undefined = undefined;
  #ending: Ending | undefined = undefined;
  #closed: PromiseWithResolvers<Ending> | undefined = undefined;
  #siblings: Set<Closable> | undefined = undefined;
  #drained: PromiseWithResolvers<void> | undefined = undefined;
  #dropped = 0;
  onClose: ((ending: Ending) => void) | undefined = undefined;
  onPong: ((data: Uint8Array) => void) | undefined = undefined;

  constructor(machine: Connection, agreed: Agreed, settings: SocketSettings) {
    this.#machine = machine;
    this.agreed = agreed.subprotocol === undefined && agreed.extensions === "" ? NOTHING_AGREED : agreed;
    this.#settings = settings;
  }

  /** Begins to read and write. Callbacks that are set in the same turn miss nothing. It stays among `siblings` until it is over. */
  start({ socket, rest }: Switched, siblings?: Set<Closable>): void {
    this.#siblings = siblings?.add(this);
    const { filter } = this.#settings;
    this.#drive = new Drive(socket, this.#machine, this, filter === undefined ? {} : { filter });
    if (rest.length > 0) this.#drive.feed(rest);
  }

  // Sending.

  get #isOpen(): boolean {
    return this.#ending === undefined && this.#machine.isOpen;
  }
  get state(): SocketState {
    if (this.#ending !== undefined) return "closed";
    return this.#machine.isOpen ? "open" : "closing";
  }
  get queued(): number {
    return this.#machine.queued + (this.#drive?.socket.writableLength ?? 0);
  }
  get dropped(): number {
    return this.#dropped;
  }
  send(given: Sendable, kind: MessageKind = typeof given === "string" ? "text" : "binary"): boolean {
    const data = messageOf(given);
    const machine = this.#machine;
    const isFull = this.#settings.slowReader === "drop" && machine.queued > this.#settings.queuedOctets;
    if (isFull || !this.#isOpen) {
      this.#dropped++;
      return false;
    }
    const hasRoom = kind === "binary" ? machine.binary(octetsOf(data)) : machine.text(data);
    this.#drive?.wake();
    return hasRoom;
  }
  sendPart(given: Sendable, end: boolean): boolean {
    const data = messageOf(given);
    if (!this.#isOpen) {
      this.#dropped++;
      return false;
    }
    const isText = typeof data === "string";
    const hasRoom = this.#machine.fragment(isText ? "text" : "binary", isText ? Buffer.from(data) : data, end);
    this.#drive?.wake();
    return hasRoom;
  }
  drained(): Promise<void> {
    if (!this.#isOpen || this.#machine.queued === 0) return Promise.resolve();
    return (this.#drained ??= Promise.withResolvers<void>()).promise;
  }
  ping(data?: Uint8Array): void {
    if (!this.#isOpen) return;
    this.#machine.ping(data);
    this.#drive?.wake();
  }
  close(code: number = CloseCode.normal, reason = ""): void {
    if (!this.#isOpen) return;
    this.#machine.close(code, reason);
    this.#drive?.wake();
  }
  abort(): void {
    if (this.#ending !== undefined) return;
    this.#machine.abort();
    this.#drive?.destroy();
  }
  /** The server closes: "going away" (rfc6455#7.4.1). */
  shutdown(): void {
    this.close(CloseCode.goingAway);
  }
  /** The user's code has failed. */
  fail(error: unknown): void {
    this.#settings.failed(error);
    this.close(CloseCode.internalError, INTERNAL);
  }

  // Receiving.

  get onMessage(): OnMessage | undefined {
    return this.#onMessage;
  }
  set onMessage(callback: OnMessage | undefined) {
    if (callback !== undefined && this.#queue?.isRead === true)
      throw new Misuse("a loop reads the messages already: use either a loop or `onMessage`");
    this.#onMessage = callback;
    const queue = this.#queue;
    if (callback === undefined || queue === undefined) return;
    this.#queue = undefined;
    for (const { data, kind } of queue.waiting) this.#deliver(data, kind);
    if (queue.isFull) this.hold(false);
  }
  messages(): AsyncIterator<Message, undefined> {
    if (this.#onMessage !== undefined) throw new Misuse("`onMessage` receives the messages already: use either a loop or `onMessage`");
    const queue = this.#waiting();
    if (this.#ending !== undefined) queue.end();
    return queue.read();
  }
  get closed(): Promise<Ending> {
    if (this.#ending !== undefined) return Promise.resolve(this.#ending);
    return (this.#closed ??= Promise.withResolvers<Ending>()).promise;
  }
  get isPaused(): boolean {
    return !this.#machine.wants;
  }
  hold(isHeld: boolean): void {
    if (isHeld) this.#machine.pause();
    else this.#machine.resume();
    this.#drive?.wake();
  }

  // Called by the drive.

  handle(events: readonly Event[]): void {
    for (let i = 0; i < events.length; i++) {
      const event = events[i]!;
      switch (event.is) {
        case "message":
          this.#deliver(event.data, event.kind);
          break;
        case "pong":
          this.onPong?.(event.data);
          break;
        case "writable":
          this.#drained?.resolve();
          this.#drained = undefined;
          break;
        case "closing":
          // A loop receives the messages before it only after this turn: its replies go before our Close.
          if (this.#queue?.isBusy === true) this.#machine.holdClose();
          break;
        case "closed": {
          const { code, reason, clean, fault } = event;
          this.#end(fault === undefined ? { code, reason, clean } : { code, reason, clean, fault });
          break;
        }
        default:
        // The machine answers pings and the peer's Close itself.
      }
    }
  }
  /** The machine itself pings a silent peer. */
  silent(): void {}
  gone(error?: Error): void {
    this.#siblings?.delete(this);
    this.#end(error === undefined ? BROKEN : { ...BROKEN, error });
  }

  #deliver(data: Message, kind: MessageKind): void {
    const callback = this.#onMessage;
    if (callback === undefined) {
      if (this.#waiting().push(data, kind)) this.hold(true);
      return;
    }
    try {
      callback(data, kind);
    } catch (error) {
      this.fail(error);
    }
  }
  #waiting(): MessageQueue {
    return (this.#queue ??= new MessageQueue({
      hasRoom: () => this.hold(false),
      caughtUp: () => {
        this.#machine.releaseClose();
        this.#drive?.wake();
      },
      left: () => this.close(),
    }));
  }
  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#queue?.end();
    this.#drained?.resolve();
    this.#closed?.resolve(ending);
    try {
      this.onClose?.(ending);
    } catch (error) {
      this.#settings.failed(error);
    }
  }
}

/** The octets of any view or buffer; everything else that is not a string is a mistake of the caller, which must not pass for a full queue. */
function messageOf(data: Sendable): Message {
  const given: unknown = data;
  if (typeof data === "string" || data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (given instanceof Blob) throw new Misuse("a Blob is read first: send(await blob.bytes())");
  throw new Misuse(`send a string, or octets as Uint8Array, ArrayBuffer or a view of one, not ${given === null ? "null" : typeof given}`);
}
const octetsOf = (data: Message): Uint8Array => (typeof data === "string" ? Buffer.from(data) : data);
