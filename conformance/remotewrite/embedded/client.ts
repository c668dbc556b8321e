import { once } from "node:events";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** Our own sender: a server that scrapes and sends as its configuration says, until it is ended. */
export const client: InProcessClient = async (_url, signal, { sender }) => {
  if (sender === undefined) throw new Error("a sender needs a configuration");
  const server = await serveMetrics({
    directory: sender.directory,
    port: 0,
    graceMs: 100,
    storage: { walSync: "never" },
    scrape: { file: sender.config, onNotice: () => {}, flushMs: 1_000 },
  });
  if (!signal.aborted) await once(signal, "abort");
  await server.close();
};
