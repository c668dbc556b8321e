import { setTimeout as wait } from "node:timers/promises";
import { type AnyMethod, Backoff, CallFailed, CONNECTION_BACKOFF, Status, writeEnvelope } from "../../rpc/index.ts";
import type { AnyClientConnection } from "../client/connection.ts";
import { attempt, type ChannelSetup } from "./attempt.ts";

/** A call of a stream that goes on as long as its connection takes calls. */
export type WatchCall<Message> = {
  readonly method: AnyMethod;
  readonly request: Uint8Array;
  received(message: Message): void;
  /** The call has failed, or ended; it is made again. */
  failed?(): void;
  /** The server does not have the method: it is not asked again. */
  absent(): void;
  /** A server that has answered is asked again at once. */
  readonly atOnce: boolean;
};

/** The calls by which a channel watches the servers at its connections. They keep no connection that closes. */
export class ServerWatches {
  readonly #setup: ChannelSetup;
  readonly #running = new Map<AnyClientConnection, AbortController>();

  constructor(setup: ChannelSetup) {
    this.#setup = setup;
  }

  begin<Message>(connection: AnyClientConnection, call: WatchCall<Message>): void {
    const stop = this.#running.get(connection) ?? new AbortController();
    this.#running.set(connection, stop);
    void this.#watch(connection, call, stop.signal);
  }
  /** Ends all of a connection. */
  end(connection: AnyClientConnection): void {
    this.#running.get(connection)?.abort();
    this.#running.delete(connection);
  }

  /** Makes the call, and again after a time that grows until the server answers. */
  async #watch<Message>(connection: AnyClientConnection, call: WatchCall<Message>, signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(CONNECTION_BACKOFF, Math.random);
    const asked = { method: call.method, options: { signal }, deadline: undefined, attempts: 0 };
    const request = writeEnvelope({ isCompressed: false, octets: call.request });
    while (!signal.aborted) {
      let hasAnswered = false;
      try {
        const messages = await attempt<Message>({ connection, watch: undefined }, this.#setup, asked, request);
        for await (const message of messages) {
          hasAnswered = true;
          backoff.succeeded();
          call.received(message);
        }
      } catch (error) {
        if (error instanceof CallFailed && error.status === Status.UNIMPLEMENTED) {
          call.absent();
          return;
        }
      }
      if (signal.aborted) return;
      call.failed?.();
      if (!hasAnswered || !call.atOnce) await wait(backoff.failed(), undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
