import { setTimeout as pause } from "node:timers/promises";
import { Misuse } from "../../core/index.ts";
import type { AnyClientConnection } from "./connection.ts";

/** How long the first attempt is alone: a round trip to most servers, and not yet a pause to a reader. */
const HEAD_START_MS = 300;
/** How long the first attempt goes on once it has lost, to tell a slow path from one that is blocked. */
const PATIENCE_MS = 1_000;

type Attempt = (signal: AbortSignal) => Promise<AnyClientConnection>;
type Racers = {
  readonly first: Attempt;
  readonly second: Attempt;
  /** The first has failed, or the second has won. */
  readonly lost: () => void;
  /** The first has lost, and reached the server after all. */
  readonly late: () => void;
  readonly signal?: AbortSignal;
  readonly headStartMs?: number;
};

/** Two attempts to connect, of which the first has a head start. The loser's connection is closed; if both fail, the second says why. */
export async function race({ first, second, lost, late, signal, headStartMs = HEAD_START_MS }: Racers): Promise<AnyClientConnection> {
  signal?.throwIfAborted();
  const stop = { first: new AbortController(), second: new AbortController() };
  const until = (own: AbortSignal): AbortSignal => (signal === undefined ? own : AbortSignal.any([signal, own]));
  let isWon = false;
  /** The connection if it wins. */
  const arrived = (connection: AnyClientConnection): AnyClientConnection => {
    if (isWon) {
      void connection.close(0);
      throw new Error("the other attempt has won");
    }
    isWon = true;
    return connection;
  };

  const one = (async (): Promise<AnyClientConnection> => {
    const connection = await first(until(stop.first.signal)).catch((error: unknown) => {
      if (!(error instanceof Misuse) && signal?.aborted !== true) lost();
      throw error;
    });
    if (isWon) late();
    return arrived(connection);
  })();
  const other = (async (): Promise<AnyClientConnection> => {
    await Promise.race([hasFailed(one), pause(headStartMs, undefined, { ref: false })]);
    stop.second.signal.throwIfAborted();
    const connection = arrived(await second(until(stop.second.signal)));
    lost();
    setTimeout(() => stop.first.abort(), PATIENCE_MS).unref();
    return connection;
  })();
  try {
    return await Promise.any([one, other]);
  } catch (error) {
    throw (error as AggregateError).errors[1];
  } finally {
    stop.second.abort();
  }
}

/** Resolves when it has failed; rejects for a mistake of the caller, which no other attempt makes good. */
async function hasFailed(attempt: Promise<unknown>): Promise<void> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof Misuse) throw error;
  }
}
