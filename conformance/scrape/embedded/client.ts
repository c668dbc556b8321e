import { once } from "node:events";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** Our own scraper: a server that scrapes as its configuration says, until it is ended. */
export const client: InProcessClient = async (_url, signal, { program }) => {
  if (program === undefined) throw new Error("a scraper needs a configuration");
  const server = await serveMetrics({
    directory: program.directory,
    port: program.port,
    graceMs: 100,
    storage: { walSync: "never" },
    scrape: { file: program.config, onNotice: () => {} },
  });
  if (!signal.aborted) await once(signal, "abort");
  await server.close();
};
