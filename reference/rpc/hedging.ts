import { after, type Instant, NEVER } from "../core/index.ts";
import { parsePushBack } from "./push-back.ts";
import type { RetryTokens } from "./retry.ts";
import type { HedgingPolicy } from "./service-config.ts";
import { Status, type StatusCode } from "./status.ts";

/** Decides when copies of a call are sent, and when it has failed (rpc-retries#summary-of-retry-and-hedging-logic). It reads no clock: the caller waits. */
export class Hedging {
  readonly #policy: HedgingPolicy;
  readonly #tokens: RetryTokens | undefined;
  #sent = 0;
  #running = 0;
  /** When to call `take`; NEVER if no further attempt follows. */
  #nextAt: Instant;

  constructor(policy: HedgingPolicy, tokens: RetryTokens | undefined, now: Instant) {
    this.#policy = policy;
    this.#tokens = tokens;
    this.#nextAt = now;
  }

  get deadline(): Instant {
    return this.#nextAt;
  }
  /** Attempts so far. */
  get sent(): number {
    return this.#sent;
  }

  /** Whether to send an attempt now: the first in any case, others only while too few calls fail. */
  take(now: Instant): boolean {
    if (now < this.#nextAt) return false;
    if (this.#sent > 0 && this.#tokens?.permits === false) {
      this.#nextAt = NEVER;
      return false;
    }
    this.#sent++;
    this.#running++;
    this.#nextAt = this.#sent < this.#policy.maxAttempts ? after(now, this.#policy.delayMs) : NEVER;
    return true;
  }

  /**
   * An attempt has ended before headers (rpc-retries#summary-of-retry-and-hedging-logic): the call goes on with others, or ends with this
   * status. The caller cancels the others then.
   */
  failed(status: StatusCode, pushBack: string | undefined, now: Instant): "goes on" | "ends" {
    this.#running--;
    const wanted = pushBack === undefined ? undefined : parsePushBack(pushBack);
    const isFatal = !this.#policy.nonFatalStatusCodes.has(status);
    if (!isFatal || wanted === "stop") this.#tokens?.failed();
    if (isFatal) this.#nextAt = NEVER;
    else if (wanted === "stop") this.#nextAt = NEVER;
    else if (this.#nextAt !== NEVER) this.#nextAt = after(now, wanted ?? 0);
    // Throttling ends the call here if nothing else is on its way.
    const follows = this.#nextAt !== NEVER && this.#tokens?.permits !== false;
    return isFatal || (this.#running === 0 && !follows) ? "ends" : "goes on";
  }
  /** The call has ended after headers. */
  ended(status: StatusCode): void {
    if (status === Status.OK) this.#tokens?.succeeded();
    else if (this.#policy.nonFatalStatusCodes.has(status)) this.#tokens?.failed();
  }
}
