import { version } from "../../../version.ts";
import { type Notification, notificationJson, NotifyQueue, type SendOutcome } from "../../metrics/rules/index.ts";
import { described, type HttpAccess } from "./http-access.ts";

export type LinkOptions = {
  readonly url: string;
  readonly access: HttpAccess;
  readonly timeoutMs: number;
  readonly onNotice: (message: string) => void;
};

/** Sends alerts to one router, one request at a time, and again if it fails. */
export class RouterLink {
  readonly queue = new NotifyQueue();
  readonly #options: LinkOptions;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  /** One notice for a router that stays away. */
  #isDown = false;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get url(): string {
    return this.#options.url;
  }

  add(notifications: readonly Notification[]): void {
    this.queue.add(notifications);
    this.#wait();
  }

  /** Ends the link; what waits is given up. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    await this.#sending;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const { deadline } = this.queue;
    if (deadline === undefined || this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => this.#next(), Math.max(0, deadline - performance.now())).unref();
  }

  #next(): void {
    const batch = this.queue.take(performance.now());
    if (batch === undefined) return this.#wait();
    this.#sending = this.#attempt(batch);
    return undefined;
  }

  async #attempt(batch: readonly Notification[]): Promise<void> {
    const outcome = await this.#send(batch);
    this.#sending = undefined;
    this.queue.settle(outcome, performance.now());
    this.#wait();
  }

  async #send(batch: readonly Notification[]): Promise<SendOutcome> {
    const { url, access, timeoutMs } = this.#options;
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#stop.signal]);
    try {
      const { status, body } = await access.send(url, {
        method: "POST",
        isRepeatable: true,
        fields: [
          ["content-type", "application/json"],
          ["user-agent", `Touchstone/${version}`],
        ],
        body: JSON.stringify(batch.map(notificationJson)),
        signal,
      });
      void body[Symbol.asyncIterator]().return?.();
      if (status >= 200 && status < 300) {
        this.#isDown = false;
        return "accepted";
      }
      this.#failed(`it answers with ${status}`);
      return status === 429 || status >= 500 ? "retry" : "refused";
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#failed(described(error));
      return "retry";
    }
  }

  #failed(why: string): void {
    if (!this.#isDown) this.#options.onNotice(`alert router ${this.url}: ${why}`);
    this.#isDown = true;
  }
}
