import { after, type Instant, NEVER } from "../../core/index.ts";
import { Backoff, CONNECTION_BACKOFF } from "../backoff.ts";
import type { ConnectivityState } from "./policy.ts";

/** The connection to one address, over the attempts to make it. */
export class Subchannel {
  readonly key: string;
  readonly #backoff: Backoff;
  #state: Exclude<ConnectivityState, "SHUTDOWN"> = "IDLE";
  #begunAt: Instant = NEVER;
  /** When the next attempt may begin, after a failure. */
  retryAt: Instant = NEVER;
  /** Why the last attempt failed. */
  why = "";
  /** The last attempt failed, and none has succeeded since. */
  hasFailed = false;

  /** @param random A number from 0 to 1. */
  constructor(key: string, random: () => number) {
    this.key = key;
    this.#backoff = new Backoff(CONNECTION_BACKOFF, random);
  }

  get state(): Exclude<ConnectivityState, "SHUTDOWN"> {
    return this.#state;
  }
  /** Whether an attempt may begin now. */
  mayConnect(now: Instant): boolean {
    return this.#state === "IDLE" || (this.#state === "TRANSIENT_FAILURE" && now >= this.retryAt);
  }
  connecting(now: Instant): void {
    this.#state = "CONNECTING";
    this.#begunAt = now;
    this.retryAt = NEVER;
  }
  connected(): void {
    this.#state = "READY";
    this.hasFailed = false;
    this.#backoff.succeeded();
  }
  /** Attempts are as far apart as the back-off says, counted from their begins. */
  failed(why: string, now: Instant): void {
    this.#state = "TRANSIENT_FAILURE";
    this.hasFailed = true;
    this.why = why;
    const at = after(this.#begunAt, this.#backoff.failed());
    this.retryAt = at > now ? at : now;
  }
  /** The connection has ended, or its attempt was dropped. */
  idle(): void {
    this.#state = "IDLE";
  }
}
