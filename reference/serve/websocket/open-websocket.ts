import type { Fault } from "../../websocket/index.ts";

/** A message: text as a string, or octets. */
export type Message = string | Uint8Array;
/** What can be sent as a message: a string, or octets in any view or buffer. */
export type Sendable = Message | ArrayBuffer | ArrayBufferView;
/** What a message is: text as a string, text as octets that are valid UTF-8, or octets. */
export type MessageKind = "text" | "utf8" | "binary";
/** Called with whole messages, in order; octets may be a view of a larger read. An error that it throws closes the connection with 1011. */
export type OnMessage = (data: Message, kind: MessageKind) => void;

/** How a connection ended: with the code and reason of the peer's Close, 1005 for an empty one, 1006 without one (rfc6455#7.1.5). */
export type Ending = {
  readonly code: number;
  readonly reason: string;
  /** Both sides have sent a Close (rfc6455#7.1.4). */
  readonly clean: boolean;
  /** The rule that the peer broke, or its silence, if that ended the connection. */
  readonly fault?: Fault;
  /** Why the transport broke. */
  readonly error?: Error;
};

/** For a peer that does not read: once more than `queuedOctets` wait, close the connection with 1013, or drop and count messages. */
export type SlowReader = "close" | "drop";

/** `open` until either side sends a Close, then `closing`, and `closed` when the connection is over. */
export type SocketState = "open" | "closing" | "closed";

/**
 * An open WebSocket, over any version of HTTP. Messages go to `onMessage` as they are read, or to a `for await` loop; until there is
 * either they wait, and the peer is held back. What is sent while a message is handled leaves in one write with everything else that the
 * same read causes.
 */
export interface OpenWebSocket extends AsyncIterable<Message> {
  readonly state: SocketState;
  /** The agreed subprotocol. */
  readonly subprotocol: string | undefined;
  /** The agreed extensions, as in Sec-WebSocket-Extensions; empty without any. */
  readonly extensions: string;
  /** Octets that wait to be sent. */
  readonly queued: number;
  /** Messages, and parts of them, that were not sent: the connection was no longer open, or, with `slowReader: "drop"`, the peer did not read. */
  readonly dropped: number;
  readonly isPaused: boolean;

  /** Called with each message. */
  onMessage: OnMessage | undefined;
  /** Called once, when the connection is over. */
  onClose: ((ending: Ending) => void) | undefined;
  /** Called with each pong, whether it answers a ping or not. */
  onPong: ((data: Uint8Array) => void) | undefined;
  /** Resolves when the connection is over. */
  readonly closed: Promise<Ending>;
  /** The messages, until the connection is over; `closed` tells how. Leaving the loop early closes the connection. */
  [Symbol.asyncIterator](): AsyncIterator<Message, undefined>;

  /**
   * Sends a message: a string as text, octets as binary unless `kind` marks them as UTF-8. False means one thing: send nothing more before
   * `drained` resolves. Once the connection is over it resolves at once, and `state` tells; what was not sent counts in `dropped`.
   */
  send(data: Sendable, kind?: MessageKind): boolean;
  /** Sends part of a message as one frame; the first part decides on the kind (rfc6455#5.4). */
  sendPart(data: Sendable, end: boolean): boolean;
  /** Resolves when all that was queued has been sent, or the connection is over. */
  drained(): Promise<void>;
  /** Asks for a pong (rfc6455#5.5.2). */
  ping(data?: Uint8Array): void;
  /** Sends a Close, 1000 by default, and waits for the peer's (rfc6455#7.1.2). */
  close(code?: number, reason?: string): void;
  /** Ends at once without a Close: the peer sees 1006. */
  abort(): void;
  /** Stops reading from the peer until `resume`. */
  pause(): void;
  resume(): void;
}
