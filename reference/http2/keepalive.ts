import { after, type Instant, NEVER } from "../core/index.ts";

/** When a connection is asked whether it is alive. Everything that the peer sends is an answer. */
export type KeepaliveOptions = {
  /** Milliseconds without an octet of the peer until a PING asks. */
  readonly timeMs: number;
  /** Milliseconds for the answer; then the connection is dead. */
  readonly timeoutMs: number;
  /** Whether it is asked without open streams, too. */
  readonly withoutStreams: boolean;
};
/** What is known of a connection: when its peer was heard last, and how many streams are open. */
export type Liveliness = { readonly now: Instant; readonly heard: Instant; readonly streams: number };

/** Notices that a connection is dead (rfc9113#6.7). */
export class Keepalive {
  readonly #options: KeepaliveOptions;
  #askedAt: Instant | undefined;
  /** When to call `tick`. */
  deadline: Instant;

  constructor(options: KeepaliveOptions, now: Instant) {
    this.#options = options;
    this.deadline = after(now, options.timeMs);
  }

  /** At the deadline, and when a stream begins on a connection without any: a PING may be overdue then. */
  tick({ now, heard, streams }: Liveliness): "ping" | "dead" | undefined {
    const { timeMs, timeoutMs, withoutStreams } = this.#options;
    if (this.#askedAt !== undefined && heard < this.#askedAt) {
      if (now >= after(this.#askedAt, timeoutMs)) return "dead";
      this.deadline = after(this.#askedAt, timeoutMs);
      return undefined;
    }
    this.#askedAt = undefined;
    this.deadline = streams === 0 && !withoutStreams ? NEVER : after(heard, timeMs);
    if (now < this.deadline) return undefined;
    this.#askedAt = now;
    this.deadline = after(now, timeoutMs);
    return "ping";
  }
}
