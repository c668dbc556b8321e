import type { Body } from "../../http/index.ts";
import { CallFailed, type Codec, type Inbound, Status, type StatusCode } from "../../rpc/index.ts";

type Ends = {
  /** What becomes of a failure of the content. */
  explain(error: unknown): unknown;
  /** The status of a message that cannot be decoded; INTERNAL by default (rpc-status#codes). */
  readonly malformed?: StatusCode | undefined;
  /** Called at the end of the content; what it resolves to is thrown after the last message. */
  ended?(): Promise<CallFailed | undefined>;
  /** Called for each message. */
  received?: (() => void) | undefined;
  /** Called when the reader leaves before the end. */
  left?: (() => void) | undefined;
};

/** The messages of a peer, decoded when they are read. Reading lets the peer send more; leaving the loop early refuses the rest. */
export class ReceivedMessages<Message> implements AsyncIterableIterator<Message, undefined> {
  readonly #body: Body;
  readonly #inbound: Inbound;
  readonly #codec: Codec<Message>;
  readonly #ends: Ends;
  #content: AsyncIterator<Uint8Array> | undefined;
  /** Complete messages, and the next one to decode. */
  readonly #messages: Uint8Array[] = [];
  #at = 0;
  #isOver = false;
  /** Thrown after the messages before the mistake. */
  #failure: CallFailed | undefined;

  constructor(body: Body, inbound: Inbound, codec: Codec<Message>, ends: Ends) {
    this.#body = body;
    this.#inbound = inbound;
    this.#codec = codec;
    this.#ends = ends;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Message, undefined>> {
    while (this.#at === this.#messages.length) {
      this.#messages.length = 0;
      this.#at = 0;
      if (this.#failure !== undefined) {
        this.stop();
        throw this.#failure;
      }
      if (this.#isOver) return { done: true, value: undefined };
      await this.#read();
    }
    return { done: false, value: this.#decode(this.#messages[this.#at++]!) };
  }

  /** The only message of the peer, once the peer has sent nothing else. */
  async single(): Promise<Message> {
    while (!this.#isOver && this.#failure === undefined) await this.#read();
    if (this.#failure !== undefined) {
      this.stop();
      throw this.#failure;
    }
    return this.#decode(this.#messages[0]!);
  }

  return(): Promise<IteratorResult<Message, undefined>> {
    this.stop();
    return Promise.resolve({ done: true, value: undefined });
  }
  /** Refuses everything that has not arrived. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ends.left?.();
    void (this.#content ??= this.#body[Symbol.asyncIterator]()).return?.();
  }

  async #read(): Promise<void> {
    this.#content ??= this.#body[Symbol.asyncIterator]();
    let step: IteratorResult<Uint8Array>;
    try {
      step = await this.#content.next();
    } catch (error) {
      this.#isOver = true;
      throw this.#ends.explain(error);
    }
    if (step.done === true) {
      this.#isOver = true;
      this.#failure = await this.#ends.ended?.();
      if (this.#failure !== undefined) return;
    }
    const status = step.done === true ? this.#inbound.end() : this.#inbound.receive(step.value, this.#messages);
    if (status !== undefined) this.#failure = new CallFailed(status.code, status.message);
  }

  #decode(octets: Uint8Array): Message {
    this.#ends.received?.();
    try {
      return this.#codec.decode(octets);
    } catch (cause) {
      const { malformed = Status.INTERNAL } = this.#ends;
      throw new CallFailed(malformed, `A message of ${octets.length} octets cannot be decoded: ${reasonOf(cause)}`, { cause });
    }
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
