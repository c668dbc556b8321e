import type { SocketCore } from "./socket-core.ts";
import type { Ending, Message, MessageKind, OnMessage, OpenWebSocket, Sendable, SocketState } from "./open-websocket.ts";

/** The user's side of a socket: it hides the machine, the transport, and what they call. */
export class Socket implements OpenWebSocket {
  readonly #core: SocketCore;

  constructor(core: SocketCore) {
    this.#core = core;
  }

  get state(): SocketState {
    return this.#core.state;
  }
  get subprotocol(): string | undefined {
    return this.#core.agreed.subprotocol;
  }
  get extensions(): string {
    return this.#core.agreed.extensions;
  }
  get queued(): number {
    return this.#core.queued;
  }
  get dropped(): number {
    return this.#core.dropped;
  }
  get isPaused(): boolean {
    return this.#core.isPaused;
  }

  get onMessage(): OnMessage | undefined {
    return this.#core.onMessage;
  }
  set onMessage(callback: OnMessage | undefined) {
    this.#core.onMessage = callback;
  }
  get onClose(): ((ending: Ending) => void) | undefined {
    return this.#core.onClose;
  }
  set onClose(callback: ((ending: Ending) => void) | undefined) {
    this.#core.onClose = callback;
  }
  get onPong(): ((data: Uint8Array) => void) | undefined {
    return this.#core.onPong;
  }
  set onPong(callback: ((data: Uint8Array) => void) | undefined) {
    this.#core.onPong = callback;
  }
  get closed(): Promise<Ending> {
    return this.#core.closed;
  }
  [Symbol.asyncIterator](): AsyncIterator<Message, undefined> {
    return this.#core.messages();
  }

  send(data: Sendable, kind?: MessageKind): boolean {
    return this.#core.send(data, kind);
  }
  sendPart(data: Sendable, end: boolean): boolean {
    return this.#core.sendPart(data, end);
  }
  drained(): Promise<void> {
    return this.#core.drained();
  }
  ping(data?: Uint8Array): void {
    this.#core.ping(data);
  }
  close(code?: number, reason?: string): void {
    this.#core.close(code, reason);
  }
  abort(): void {
    this.#core.abort();
  }
  pause(): void {
    this.#core.hold(true);
  }
  resume(): void {
    this.#core.hold(false);
  }
}
