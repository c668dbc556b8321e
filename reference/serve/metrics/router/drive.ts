import type { Delivery, Router, RouterPlan, RouterRecord } from "../../../metrics/router/index.ts";
import type { StateFile } from "./state-file.ts";
import type { Channel } from "./webhook.ts";

/** Attempts at the same time. */
const MOST_ATTEMPTS = 64;
/** How late a deadline may be noticed: many groups are looked at together. */
const COALESCE_MS = 20;
/** A timer of the platform cannot be longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const SYNC_MS = 1_000;

export type DriveParts = {
  readonly router: Router;
  readonly state: StateFile;
  readonly now: () => number;
  readonly onNotice: (message: string) => void;
};

/** Drives a router: its time, its notifications, its state on disk. */
export class RouterDrive {
  readonly #parts: DriveParts;
  #channels: ReadonlyMap<string, readonly Channel[]> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #syncTimer: NodeJS.Timeout | undefined;
  #waiting: Delivery[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  /** Receivers that fail: one notice for each, until it is reached again. */
  readonly #down = new Set<string>();

  constructor(parts: DriveParts) {
    this.#parts = parts;
  }

  /** Takes a configuration: what the router does, and the ways to reach its receivers. Closes those of the one before. */
  async use(channels: ReadonlyMap<string, readonly Channel[]>, plan?: RouterPlan): Promise<void> {
    const before = this.#channels;
    this.#channels = channels;
    if (plan !== undefined) {
      const dropped = this.#waiting.splice(0);
      this.change((router, now) => {
        router.configure(plan, now);
        for (const { id } of dropped) router.settle(id, "refused", now);
      });
    }
    await Promise.all([...before.values()].flat().map((channel) => channel.close()));
  }

  /** Makes a change to the router, and carries out what follows from it. Throws `FileFault` if the change cannot be stored. */
  change<T>(act: (router: Router, now: number) => T): T {
    const { router, state, now } = this.#parts;
    const result = act(router, now());
    try {
      this.#store(router.changes(), "now");
      if (state.isLong) state.rewrite(router.snapshot());
    } finally {
      this.#drain();
    }
    return result;
  }

  /** Looks at what is due. */
  wake(): void {
    const { router, now } = this.#parts;
    router.tick(now());
    this.#drain();
  }

  #drain(): void {
    const { router, now } = this.#parts;
    this.#waiting.push(...router.take());
    while (this.#running.size < MOST_ATTEMPTS && this.#waiting.length > 0 && !this.#stop.signal.aborted) {
      const attempt = this.#attempt(this.#waiting.shift()!).finally(() => this.#running.delete(attempt));
      this.#running.add(attempt);
    }
    this.#storeOrTell(router.changes());
    clearTimeout(this.#timer);
    if (this.#stop.signal.aborted) return;
    const wait = Math.min(LONGEST_TIMER_MS, Math.max(COALESCE_MS, router.deadline - now()));
    this.#timer = setTimeout(() => this.wake(), wait).unref();
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { router, now, onNotice } = this.#parts;
    const channel = this.#channels.get(delivery.receiver)?.[delivery.index];
    const late = AbortSignal.timeout(Math.max(1, Math.min(LONGEST_TIMER_MS, delivery.until - now())));
    const attempt =
      channel === undefined
        ? ({ outcome: "refused", why: "the receiver is no longer configured" } as const)
        : await channel.send(delivery, AbortSignal.any([late, this.#stop.signal]));
    const name = `receiver ${JSON.stringify(delivery.receiver)}, ${delivery.kind} ${delivery.index}`;
    if (attempt.outcome === "sent") this.#down.delete(name);
    else if (!this.#down.has(name) && !this.#stop.signal.aborted) {
      this.#down.add(name);
      onNotice(`${name}: ${attempt.why}`);
    }
    router.settle(delivery.id, attempt.outcome, now());
    // Stored before another attempt begins: what was sent is not sent again after a crash.
    this.#storeOrTell(router.changes());
    queueMicrotask(() => this.#drain());
  }

  #store(records: readonly RouterRecord[], sync: "now" | "soon"): void {
    if (records.length === 0) return;
    const { state } = this.#parts;
    state.append(records);
    if (sync === "now") state.sync();
    else this.#syncTimer ??= setTimeout(() => this.#sync(), SYNC_MS).unref();
  }

  #storeOrTell(records: readonly RouterRecord[]): void {
    this.#guarded(() => this.#store(records, "soon"));
  }

  #sync(): void {
    this.#syncTimer = undefined;
    const { state, router } = this.#parts;
    this.#guarded(() => {
      state.sync();
      if (state.isLong) state.rewrite(router.snapshot());
    });
  }

  /** Notifying goes on without a disk. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#parts.onNotice(`the state cannot be stored: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    clearTimeout(this.#syncTimer);
    await Promise.all(this.#running);
    await this.use(new Map());
  }
}
