import { Backoff } from "./backoff.ts";
import { parsePushBack } from "./push-back.ts";
import type { RetryPolicy, RetryThrottling } from "./service-config.ts";
import { Status, type StatusCode } from "./status.ts";

/** The tokens of a channel: failures take them, successes return them (rpc-retries#throttling-retry-attempts-and-hedged-rpcs). */
export class RetryTokens {
  readonly #throttling: RetryThrottling;
  /** In thousandths: sums of ratios stay exact. */
  #thousandths: number;

  constructor(throttling: RetryThrottling) {
    this.#throttling = throttling;
    this.#thousandths = throttling.maxTokens * 1_000;
  }

  get permits(): boolean {
    return this.#thousandths > this.#throttling.maxTokens * 500;
  }
  succeeded(): void {
    const { maxTokens, tokenRatio } = this.#throttling;
    this.#thousandths = Math.min(maxTokens * 1_000, this.#thousandths + Math.round(tokenRatio * 1_000));
  }
  failed(): void {
    this.#thousandths = Math.max(0, this.#thousandths - 1_000);
  }
}

/** Decides whether a call is sent again. It reads no clock: the caller waits. */
export class Retries {
  readonly #policy: RetryPolicy;
  readonly #tokens: RetryTokens | undefined;
  readonly #backoff: Backoff;
  #attempts = 1;

  /** @param random A number from 0 to 1, drawn for each wait. */
  constructor(policy: RetryPolicy, tokens: RetryTokens | undefined, random: () => number) {
    this.#policy = policy;
    this.#tokens = tokens;
    const { initialBackoffMs: initialMs, maxBackoffMs: maxMs, backoffMultiplier: multiplier } = policy;
    this.#backoff = new Backoff({ initialMs, maxMs, multiplier, jitter: 0.2 }, random);
  }

  /** Retries so far. */
  get count(): number {
    return this.#attempts - 1;
  }

  /** An attempt has ended before headers: milliseconds until the next one, or `stop` (rpc-retries#summary-of-retry-and-hedging-logic). */
  failed(status: StatusCode, pushBack: string | undefined): number | "stop" {
    const wanted = pushBack === undefined ? undefined : parsePushBack(pushBack);
    const isRetryable = this.#policy.retryableStatusCodes.has(status);
    if (isRetryable || wanted === "stop") this.#tokens?.failed();
    if (!isRetryable || wanted === "stop" || this.#attempts >= this.#policy.maxAttempts || this.#tokens?.permits === false) return "stop";
    this.#attempts++;
    if (wanted === undefined) return this.#backoff.failed();
    this.#backoff.succeeded();
    return wanted;
  }
  /** The call has ended after headers: no further attempt follows. */
  ended(status: StatusCode): void {
    if (status === Status.OK) this.#tokens?.succeeded();
    else if (this.#policy.retryableStatusCodes.has(status)) this.#tokens?.failed();
  }
}
