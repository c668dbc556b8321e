import { after, type Instant } from "../core/index.ts";

/** How often a client may send PING while it gets nothing from us. */
export type PermittedPings = {
  /** Milliseconds between two of them. */
  readonly everyMs: number;
  /** Whether that holds without open streams, too; otherwise there are two hours between them. */
  readonly withoutStreams: boolean;
};

/** PINGs too early that are forgiven. */
const FORGIVEN = 2;
/** As for connections that the system keeps alive: two hours. */
const WITHOUT_STREAMS_MS = 7_200_000;

/**
 * Counts the PINGs of one client that come too early. Any HEADERS or DATA of ours permits more of them: clients measure their path with a PING
 * for what they receive (rfc9113#6.7).
 */
export class PingStrikes {
  readonly #permitted: PermittedPings;
  #strikes = 0;
  /** The last one that was not too early; undefined after HEADERS or DATA of ours. */
  #last: Instant | undefined;

  constructor(permitted: PermittedPings) {
    this.#permitted = permitted;
  }

  /** A PING has arrived; false if the client has sent too many. */
  received(now: Instant, streams: number): boolean {
    const { everyMs, withoutStreams } = this.#permitted;
    const apartMs = streams === 0 && !withoutStreams ? WITHOUT_STREAMS_MS : everyMs;
    if (this.#last !== undefined && now < after(this.#last, apartMs)) return ++this.#strikes <= FORGIVEN;
    this.#last = now;
    return true;
  }
  /** We have sent HEADERS or DATA. */
  sent(): void {
    this.#strikes = 0;
    this.#last = undefined;
  }
}
