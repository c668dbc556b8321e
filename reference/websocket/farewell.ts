import type { Instant } from "../core/index.ts";
import { CloseCode } from "./close-code.ts";
import type { Fault } from "./faults.ts";

/** How far an end of the connection has come: what the peer's Close said, what we still owe the peer, and since when we wait. */
export class Farewell {
  /** From the peer's Close. */
  code: number = CloseCode.abnormal;
  reason = "";
  /** The peer's Close arrived after messages that are not reported yet: it is answered after what the owner sends in reply to them. */
  isCloseOwed = false;
  /** The peer's fault came after such messages: our Close goes after the replies to them too. */
  owedFault: Fault | undefined;
  /** The owner holds back what is owed. */
  isHeld = false;
  #since: Instant;
  /** An action began the wait: actions carry no time, so it counts from the next input. */
  #isPending = false;

  constructor(now: Instant) {
    this.#since = now;
  }

  /** A Close goes after what the owner sends in reply to reported messages. */
  get isOwed(): boolean {
    return this.isCloseOwed || this.owedFault !== undefined;
  }
  /** Since when the connection waits for the peer's Close, or for the end of its transport. */
  get since(): Instant {
    return this.#since;
  }

  wait(now: Instant): void {
    this.#since = now;
    this.#isPending = false;
  }
  /** The same, caused by an action. */
  waitPending(now: Instant): void {
    this.#since = now;
    this.#isPending = true;
  }
  /** What an action began has begun by now. */
  settle(now: Instant): void {
    if (this.#isPending) this.wait(now);
  }
}
