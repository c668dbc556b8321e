import { Misuse } from "../../core/index.ts";
import type { Message, MessageKind } from "./socket.ts";

type Step = IteratorResult<Message, undefined>;
const END: Step = { done: true, value: undefined };
/** With more than so many messages, or octets, waiting the peer is held back. */
const MESSAGES = 1_024;
const OCTETS = 1_048_576;
/** What a message costs besides its octets. */
const EACH = 64;

type Told = {
  /** The reader has caught up: more may come. */
  hasRoom(): void;
  /** The reader asks for more than there is: it has dealt with all before. */
  caughtUp(): void;
  /** The loop was left before the end. */
  left(): void;
};

/** Messages that wait for whoever reads them. */
export class Inbox implements AsyncIterator<Message, undefined> {
  readonly #told: Told;
  #messages: { readonly data: Message; readonly kind: MessageKind }[] = [];
  #next = 0;
  #octets = 0;
  #isEnded = false;
  #asking: ((step: Step) => void) | undefined;
  /** More is not to come for now. */
  isFull = false;
  isRead = false;

  constructor(told: Told) {
    this.#told = told;
  }

  /** Those that nobody has read. */
  get waiting(): readonly { readonly data: Message; readonly kind: MessageKind }[] {
    return this.#messages.slice(this.#next);
  }
  /** A loop is under way, and has not dealt with all that has come. */
  get isBusy(): boolean {
    return this.isRead && this.#asking === undefined;
  }
  /** True when the peer is to be held back from now on. */
  push(data: Message, kind: MessageKind): boolean {
    const asking = this.#asking;
    if (asking !== undefined) {
      this.#asking = undefined;
      asking({ done: false, value: data });
      return false;
    }
    this.#messages.push({ data, kind });
    this.#octets += data.length + EACH;
    if (this.isFull || (this.#messages.length - this.#next < MESSAGES && this.#octets < OCTETS)) return false;
    this.isFull = true;
    return true;
  }
  end(): void {
    this.#isEnded = true;
    this.#asking?.(END);
    this.#asking = undefined;
  }

  read(): this {
    if (this.isRead) throw new Misuse("the messages are being read by another loop");
    this.isRead = true;
    return this;
  }
  next(): Promise<Step> {
    if (this.#asking !== undefined) return Promise.reject(new Misuse("ask for one message at a time"));
    const found = this.#messages[this.#next];
    if (found === undefined) {
      if (this.#isEnded) return Promise.resolve(END);
      this.#told.caughtUp();
      return new Promise((resolve) => {
        this.#asking = resolve;
      });
    }
    this.#next += 1;
    this.#octets -= found.data.length + EACH;
    if (this.#next === this.#messages.length) {
      this.#messages = [];
      this.#next = 0;
      if (this.isFull) {
        this.isFull = false;
        this.#told.hasRoom();
      }
    }
    return Promise.resolve({ done: false, value: found.data });
  }
  return(): Promise<Step> {
    this.#messages = [];
    this.#next = 0;
    if (!this.#isEnded) {
      this.#isEnded = true;
      // Nobody reads any more; only the peer's Close is waited for.
      if (this.isFull) this.#told.hasRoom();
      this.#told.left();
    }
    return Promise.resolve(END);
  }
}
