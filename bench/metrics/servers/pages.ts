import { createServer } from "node:http";
import type { Texts } from "../data/texts.ts";
import { portOf } from "../../../conformance/peers/index.ts";

/** Series per scraped target. */
export const SERIES_A_TARGET = 10_000;

/** Serves the pages of a fleet: `/K` is the page of target K at its next step, `/K?step=N` its page at step N with timestamps. */
export type PageServer = {
  readonly port: number;
  readonly targets: number;
  /** Samples on all pages served so far. */
  readonly samples: number;
  /** Resolves when the first target is scraped for the `n`th time. */
  nth(n: number): Promise<void>;
  close(): Promise<void>;
};

export async function servePages(texts: Texts, seriesATarget: number = SERIES_A_TARGET): Promise<PageServer> {
  const { count } = texts.fleet;
  const targets = Math.ceil(count / seriesATarget);
  const steps = Array.from({ length: targets }, () => 0);
  const waiting = new Map<number, () => void>();
  let samples = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const target = Number(pathname.slice(1));
    const asked = searchParams.get("step");
    const step = asked === null ? (steps[target] ?? 0) : Number(asked);
    steps[target] = (steps[target] ?? 0) + 1;
    if (target === 0) waiting.get(steps[0] ?? 0)?.();
    const from = target * seriesATarget;
    const to = Math.min(count, from + seriesATarget);
    samples += to - from;
    response.setHeader("content-type", "text/plain; version=0.0.4; charset=utf-8");
    response.end(texts.page(from, to, step, asked !== null));
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    port: portOf(server),
    targets,
    get samples() {
      return samples;
    },
    nth: (n) => new Promise((resolve) => void waiting.set(n, resolve)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
