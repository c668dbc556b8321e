import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";
import { fill } from "../data/directory.ts";

/** A server with the data set that listens at `url` on this machine; `stop` also removes its directory. */
export type RunningReference = AsyncDisposable & { readonly url: string; stop(): Promise<void> };

/** Starts our own metrics server with the data set in a temporary directory. */
export async function startReference(): Promise<RunningReference> {
  const directory = mkdtempSync(join(tmpdir(), "touchstone-check-metrics-"));
  const server = await serveMetrics({ directory, graceMs: 100, storage: { walSync: "never" } });
  fill(server.database);
  const stop = async (): Promise<void> => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  };
  return { url: server.url, stop, [Symbol.asyncDispose]: stop };
}
