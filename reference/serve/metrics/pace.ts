import type { Content } from "../../http/index.ts";

/** The longest time in milliseconds that content or a query runs before other work gets a turn. */
export const SLICE_MS = 10;

/** Lets pending I/O and timers run. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Produces content as it is sent and pauses after each slice of time, so that a fast reader does not block other work. */
export async function* paced(content: Exclude<Content, string | Uint8Array>): AsyncGenerator<Uint8Array | string> {
  let until = performance.now() + SLICE_MS;
  for await (const piece of content) {
    yield piece;
    if (performance.now() < until) continue;
    await turn();
    until = performance.now() + SLICE_MS;
  }
}
