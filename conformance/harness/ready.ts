import { setTimeout as pause } from "node:timers/promises";
import { Unreachable } from "./driver.ts";

/** How long to wait for a subject that does not answer yet. */
export type Patience = {
  /** In milliseconds. */
  readonly ms: number;
  /** Why it will never answer; undefined while it may. */
  readonly over?: () => string | undefined;
  /** Called once, when it does not answer at first. */
  readonly onWait?: (why: string) => void;
};

/** Pauses between two attempts, in milliseconds: the first, and the longest. */
const PAUSES = { first: 50, longest: 1_000 } as const;

/** Repeats an attempt while the subject cannot be reached, until it is, or the time is over. Throws what the last attempt threw. */
export async function whenReady<T>(attempt: () => Promise<T>, patience: Patience | undefined, signal?: AbortSignal): Promise<T> {
  const began = performance.now();
  for (let wait: number = PAUSES.first, told = false; ; wait = Math.min(wait * 2, PAUSES.longest)) {
    try {
      const found = await unlessCut(attempt(), signal);
      // Something else may answer at the address of a subject that has ended.
      const over = patience?.over?.();
      if (over !== undefined) throw new Unreachable(over);
      return found;
    } catch (error) {
      if (patience === undefined || !(error instanceof Unreachable)) throw error;
      const over = patience.over?.();
      if (over !== undefined) throw new Unreachable(over);
      if (signal?.aborted === true) throw error;
      const left = patience.ms - (performance.now() - began);
      if (left <= 0) throw new Unreachable(`${error.message} (waited ${inSeconds(patience.ms)})`);
      if (!told) patience.onWait?.(error.message);
      told = true;
      // An interruption is noticed at once, and the error thrown above.
      await pause(Math.min(wait, left), undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    }
  }
}

/** What an attempt finds. An interruption does not wait for it: a subject that hangs would hold up the end of the program. */
async function unlessCut<T>(attempt: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return attempt;
  const cut = Promise.withResolvers<never>();
  const stop = (): void => cut.reject(new Unreachable("The subject had not answered."));
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([attempt, cut.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

const inSeconds = (ms: number): string => (ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`);
