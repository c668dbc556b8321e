import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";

/** Starts our own metrics server, whose page about itself is judged. */
export async function startOwn(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), "touchstone-check-target-"));
  const server = await serveMetrics({ directory, graceMs: 100, storage: { walSync: "never" }, scrape: { onNotice: () => {} } });
  return {
    url: server.url,
    stop: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
