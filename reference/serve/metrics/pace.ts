import type { Content } from "../../http/index.ts";

/** How long content is made before others get a turn, in milliseconds. */
const SLICE_MS = 10;

/** Others get a turn. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Content that is made as it is sent, with turns for others in between: a client that reads as fast as it is written holds nobody up. */
export async function* paced(content: Exclude<Content, string | Uint8Array>): AsyncGenerator<Uint8Array | string> {
  let until = performance.now() + SLICE_MS;
  for await (const piece of content) {
    yield piece;
    if (performance.now() < until) continue;
    await turn();
    until = performance.now() + SLICE_MS;
  }
}
