import type { Link } from "./link.ts";
import type { Ending, Message, MessageKind, OnMessage, OpenWebSocket, SocketState } from "./open-websocket.ts";

/** The user's side of a link: it hides the machine, the transport, and what they call. */
export class Socket implements OpenWebSocket {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  get state(): SocketState {
    return this.#link.state;
  }
  get subprotocol(): string | undefined {
    return this.#link.agreed.subprotocol;
  }
  get extensions(): string {
    return this.#link.agreed.extensions;
  }
  get queued(): number {
    return this.#link.queued;
  }
  get dropped(): number {
    return this.#link.dropped;
  }
  get isPaused(): boolean {
    return this.#link.isPaused;
  }

  get onMessage(): OnMessage | undefined {
    return this.#link.onMessage;
  }
  set onMessage(callback: OnMessage | undefined) {
    this.#link.onMessage = callback;
  }
  get onClose(): ((ending: Ending) => void) | undefined {
    return this.#link.onClose;
  }
  set onClose(callback: ((ending: Ending) => void) | undefined) {
    this.#link.onClose = callback;
  }
  get onPong(): ((data: Uint8Array) => void) | undefined {
    return this.#link.onPong;
  }
  set onPong(callback: ((data: Uint8Array) => void) | undefined) {
    this.#link.onPong = callback;
  }
  get closed(): Promise<Ending> {
    return this.#link.closed;
  }
  [Symbol.asyncIterator](): AsyncIterator<Message, undefined> {
    return this.#link.messages();
  }

  send(data: Message, kind?: MessageKind): boolean {
    return this.#link.send(data, kind);
  }
  sendPart(data: Message, end: boolean): boolean {
    return this.#link.sendPart(data, end);
  }
  drained(): Promise<void> {
    return this.#link.drained();
  }
  ping(data?: Uint8Array): void {
    this.#link.ping(data);
  }
  close(code?: number, reason?: string): void {
    this.#link.close(code, reason);
  }
  abort(): void {
    this.#link.abort();
  }
  pause(): void {
    this.#link.hold(true);
  }
  resume(): void {
    this.#link.hold(false);
  }
}
