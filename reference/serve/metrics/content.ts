import type { Body } from "../../http/index.ts";

/** All octets of a body; undefined if there are more than `limit`. Rejects once the signal is aborted, however slowly they come. */
export async function contentOf(body: Body, limit: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of untilAborted(body, signal)) {
    pieces.push(piece);
    length += piece.length;
    if (length > limit) return undefined;
  }
  return Buffer.concat(pieces, length);
}

/** The pieces of a body until it ends. Throws once the signal is aborted, whether or not another piece comes. */
export async function* untilAborted(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  let reject: (why: Error) => void = () => undefined;
  // One listener for the whole body: one for each piece would cost more than reading it.
  const abort = (): void => reject(new Error("the exchange was aborted"));
  signal.addEventListener("abort", abort, { once: true });
  try {
    for (;;) {
      const step = await new Promise<IteratorResult<Uint8Array>>((resolve, rejects) => {
        reject = rejects;
        if (signal.aborted) abort();
        iterator.next().then(resolve, rejects);
      });
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    void iterator.return?.();
  }
}

/** What a promise brings; rejects once the signal is aborted. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(new Error("the exchange was aborted"));
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Ends a response whose content nobody reads. */
export const discard = (body: Body): void => void body[Symbol.asyncIterator]().return?.();
