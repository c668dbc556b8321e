import { once } from "node:events";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** Our own metrics server as a sender of alerts, until it is ended. */
export const sender: InProcessClient = async (_url, signal, { program }) => {
  if (program === undefined) throw new Error("a sender needs a configuration");
  const server = await serveMetrics({
    directory: program.directory,
    port: program.port,
    graceMs: 100,
    storage: { walSync: "never" },
    scrape: { file: program.config, resendMs: 1_000, onNotice: () => {} },
  });
  if (!signal.aborted) await once(signal, "abort");
  await server.close();
};
