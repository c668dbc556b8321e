import { Backoff, CallFailed, CONNECTION_BACKOFF, Status } from "../../rpc/index.ts";
import type { AnyClientConnection } from "../client/connection.ts";
import { Dialler, placeOf, type Destination } from "../client/dial.ts";
import type { KeepaliveOptions } from "../../http2/index.ts";
import type { ConnectOptions } from "../client/options.ts";
import type { ConnectFailed } from "../errors.ts";
import type { ChannelKeepalive } from "./options.ts";

/** The connection of a channel to one server: opened when a call needs it, and again when it has ended. */
export class Line {
  #dialler: Dialler;
  readonly #options: ConnectOptions;
  #keepalive: KeepaliveOptions | undefined;
  readonly #to: Destination;
  readonly #graceMs: number;
  readonly #backoff = new Backoff(CONNECTION_BACKOFF, Math.random);
  /** Connections with calls in progress; the last one may take more. */
  readonly #open = new Set<AnyClientConnection>();
  #current: AnyClientConnection | undefined;
  #dialling: Promise<AnyClientConnection> | undefined;
  /** The last attempt failed: the next one waits until then, and calls that do not wait fail at once. */
  #failed: { readonly error: ConnectFailed; readonly untilMs: number } | undefined;
  #isClosed = false;

  constructor(url: string | URL, options: ConnectOptions, keepalive?: ChannelKeepalive) {
    this.#options = options;
    if (keepalive !== undefined) {
      const { timeMs, timeoutMs = KEEPALIVE_TIMEOUT_MS, withoutCalls: withoutStreams = false } = keepalive;
      this.#keepalive = { timeMs: Math.max(timeMs, LEAST_KEEPALIVE_MS), timeoutMs, withoutStreams };
    }
    this.#dialler = this.#dialled();
    this.#to = placeOf(url);
    this.#graceMs = options.graceMs ?? 5_000;
  }

  #dialled(): Dialler {
    const { http2, ...others } = this.#options;
    const keepalive = this.#keepalive ?? http2?.keepalive;
    return new Dialler({ ...others, alpn: ["h2"], http2: { ...http2, ...(keepalive !== undefined && { keepalive }) } });
  }

  /** A connection that accepts calls, if there is one now. */
  get ready(): AnyClientConnection | undefined {
    return this.#current?.accepting === true ? this.#current : undefined;
  }

  /** A connection that accepts calls; rejects with `CallFailed` UNAVAILABLE unless the call waits for one. */
  async take(waitForReady: boolean, signal?: AbortSignal): Promise<AnyClientConnection> {
    for (;;) {
      if (this.#isClosed) throw new CallFailed(Status.UNAVAILABLE, "The channel is closed.");
      if (signal?.aborted === true) throw new CallFailed(Status.CANCELLED, "The call was cancelled before it was sent.");
      const { ready } = this;
      if (ready !== undefined) return ready;
      const leftMs = this.#failed === undefined ? 0 : this.#failed.untilMs - performance.now();
      if (leftMs > 0) {
        const { error } = this.#failed!;
        if (!waitForReady) throw unavailable(error);
        await new Promise((resolve) => setTimeout(resolve, leftMs));
        continue;
      }
      try {
        return await (this.#dialling ??= this.#dial());
      } catch (error) {
        if (!waitForReady) throw unavailable(error as ConnectFailed);
      }
    }
  }

  async #dial(): Promise<AnyClientConnection> {
    const since = performance.now();
    try {
      const connection = await this.#dialler.open(this.#to);
      this.#backoff.succeeded();
      this.#failed = undefined;
      this.#current = connection;
      this.#open.add(connection);
      void this.#untilClosed(connection);
      if (this.#isClosed) void connection.close(0);
      return connection;
    } catch (error) {
      this.#failed = { error: error as ConnectFailed, untilMs: since + this.#backoff.failed() };
      throw error;
    } finally {
      this.#dialling = undefined;
    }
  }

  async #untilClosed(connection: AnyClientConnection): Promise<void> {
    await connection.closed;
    if (connection.sentTooManyPings) this.#askLess();
    this.#open.delete(connection);
    if (this.#current === connection) this.#current = undefined;
  }

  /** A server that permits fewer PINGs gets half as many. */
  #askLess(): void {
    if (this.#keepalive === undefined) return;
    this.#keepalive = { ...this.#keepalive, timeMs: this.#keepalive.timeMs * 2 };
    this.#dialler = this.#dialled();
    console.error(
      `touchstone: ${this.#to.origin.authority} permits fewer PINGs: the channel asks every ${this.#keepalive.timeMs / 1_000} seconds now`,
    );
  }

  /** Completes calls in progress, and drops the rest after the grace. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((connection) => connection.close(this.#graceMs)));
  }
}

/** The shortest time without calls that existing clients permit, and how long they wait for an answer. */
const LEAST_KEEPALIVE_MS = 10_000;
const KEEPALIVE_TIMEOUT_MS = 20_000;

const unavailable = (cause: ConnectFailed): CallFailed =>
  new CallFailed(Status.UNAVAILABLE, `No connection to the server: ${cause.message}`, { cause });
