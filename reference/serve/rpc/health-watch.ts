import { setTimeout as wait } from "node:timers/promises";
import { type AnyMethod, Backoff, CallFailed, CONNECTION_BACKOFF, Status, writeEnvelope } from "../../rpc/index.ts";
import { messageType } from "../../rpc/message/index.ts";
import type { AnyClientConnection } from "../client/connection.ts";
import { attempt, type ChannelSetup } from "./attempt.ts";

/** The states of a service at a server, each as it comes, by a call on this connection. */
export type HealthOf = (connection: AnyClientConnection, signal: AbortSignal) => AsyncIterable<{ readonly status: number }>;

const SERVING = 1;
const REQUEST = messageType<{ readonly service: string }>({
  name: "grpc.health.v1.HealthCheckRequest",
  fields: () => ({ service: { number: 1, type: "string" } }),
});
const RESPONSE = messageType<{ readonly status: number }>({
  name: "grpc.health.v1.HealthCheckResponse",
  fields: () => ({ status: { number: 1, type: "int32" } }),
});
/** `Watch` of the health service, without the contract that a server of it needs. */
const watchMethod = (): AnyMethod => ({
  path: "/grpc.health.v1.Health/Watch",
  requestStream: false,
  responseStream: true,
  request: REQUEST,
  response: RESPONSE,
});

/** The states of a service as calls of this channel learn them. */
export function healthBy(setup: ChannelSetup, service: string): HealthOf {
  return async function* states(connection, signal) {
    const asked = { method: watchMethod(), options: { signal }, deadline: undefined, attempts: 0 };
    const request = writeEnvelope({ isCompressed: false, octets: REQUEST.encode({ service }) });
    yield* await attempt<{ readonly status: number }>({ connection, watch: undefined }, setup, asked, request);
  };
}

/** The checks of the connections of a channel. */
export class HealthChecks {
  readonly #running = new Map<AnyClientConnection, AbortController>();

  begin(connection: AnyClientConnection, states: HealthOf, report: (isHealthy: boolean) => void): void {
    const stop = new AbortController();
    this.#running.set(connection, stop);
    void watchHealth(() => states(connection, stop.signal), stop.signal, report);
  }
  /** A call of Watch does not keep a connection that closes. */
  end(connection: AnyClientConnection): void {
    this.#running.get(connection)?.abort();
    this.#running.delete(connection);
  }
}

/**
 * Reports whether the server at a connection is healthy: first as soon as it says so, then at each change, until `signal` (A17#client-workflow).
 * A server without the health service is healthy. A call that fails otherwise says that it is not, and is made again after a time that grows
 * until the server answers.
 */
async function watchHealth(states: () => ReturnType<HealthOf>, signal: AbortSignal, report: (isHealthy: boolean) => void): Promise<void> {
  const backoff = new Backoff(CONNECTION_BACKOFF, Math.random);
  while (!signal.aborted) {
    let hasAnswered = false;
    try {
      for await (const { status } of states()) {
        hasAnswered = true;
        backoff.succeeded();
        report(status === SERVING);
      }
    } catch (error) {
      if (error instanceof CallFailed && error.status === Status.UNIMPLEMENTED) {
        console.error("touchstone: a server has no health service: its channel treats it as healthy");
        report(true);
        return;
      }
    }
    if (signal.aborted) return;
    report(false);
    // A server that has answered is asked again at once.
    if (!hasAnswered) await wait(backoff.failed(), undefined, { signal, ref: false }).catch(() => {});
  }
}
