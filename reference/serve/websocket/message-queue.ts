import { Misuse } from "../../core/index.ts";
import type { Message, MessageKind } from "./open-websocket.ts";

type Step = IteratorResult<Message, undefined>;
const END: Step = { done: true, value: undefined };
/** When more messages or octets than these wait, the peer is held back. */
const MESSAGES = 1_024;
const OCTETS = 1_048_576;
/** The cost of a message besides its octets. */
const EACH = 64;

type Waiting = { readonly data: Message; readonly kind: MessageKind };
type Callbacks = {
  /** The reader has emptied a full queue: the peer may send more. */
  hasRoom(): void;
  /** The reader asks for the next message, so it has handled all before. */
  caughtUp(): void;
  /** The loop was left before the end. */
  left(): void;
};

/** Messages that wait for a reader. */
export class MessageQueue implements AsyncIterator<Message, undefined> {
  readonly #callbacks: Callbacks;
  #messages: Waiting[] = [];
  #next = 0;
  #octets = 0;
  #isEnded = false;
  #isFull = false;
  #isRead = false;
  #asking: ((step: Step) => void) | undefined;

  constructor(callbacks: Callbacks) {
    this.#callbacks = callbacks;
  }

  /** The messages that nobody has read. */
  get waiting(): readonly Waiting[] {
    return this.#messages.slice(this.#next);
  }
  /** The peer is held back. */
  get isFull(): boolean {
    return this.#isFull;
  }
  /** A loop reads the messages. */
  get isRead(): boolean {
    return this.#isRead;
  }
  /** A loop reads the messages, and has not handled all of them. */
  get isBusy(): boolean {
    return this.#isRead && this.#asking === undefined;
  }
  /** True if the peer is to be held back from now on. */
  push(data: Message, kind: MessageKind): boolean {
    const asking = this.#asking;
    if (asking !== undefined) {
      this.#asking = undefined;
      asking({ done: false, value: data });
      return false;
    }
    this.#messages.push({ data, kind });
    this.#octets += data.length + EACH;
    if (this.#isFull || (this.#messages.length - this.#next < MESSAGES && this.#octets < OCTETS)) return false;
    this.#isFull = true;
    return true;
  }
  end(): void {
    this.#isEnded = true;
    this.#asking?.(END);
    this.#asking = undefined;
  }

  read(): this {
    if (this.#isRead) throw new Misuse("another loop reads the messages already");
    this.#isRead = true;
    return this;
  }
  next(): Promise<Step> {
    if (this.#asking !== undefined) return Promise.reject(new Misuse("ask for one message at a time"));
    const found = this.#messages[this.#next];
    if (found === undefined) {
      if (this.#isEnded) return Promise.resolve(END);
      this.#callbacks.caughtUp();
      return new Promise((resolve) => {
        this.#asking = resolve;
      });
    }
    this.#next += 1;
    this.#octets -= found.data.length + EACH;
    if (this.#next === this.#messages.length) {
      this.#messages = [];
      this.#next = 0;
      if (this.#isFull) {
        this.#isFull = false;
        this.#callbacks.hasRoom();
      }
    }
    return Promise.resolve({ done: false, value: found.data });
  }
  return(): Promise<Step> {
    this.#messages = [];
    this.#next = 0;
    if (!this.#isEnded) {
      this.#isEnded = true;
      // Nobody reads any more: the connection only waits for the peer's Close.
      if (this.#isFull) this.#callbacks.hasRoom();
      this.#callbacks.left();
    }
    return Promise.resolve(END);
  }
}
