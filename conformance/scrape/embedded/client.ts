import { once } from "node:events";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** Our own scraper: a server that scrapes as its configuration says, until it is ended. */
export const client: InProcessClient = async (_url, signal, { scraper }) => {
  if (scraper === undefined) throw new Error("a scraper needs a configuration");
  const server = await serveMetrics({
    directory: scraper.directory,
    port: scraper.port,
    graceMs: 100,
    storage: { walSync: "never" },
    scrape: { file: scraper.config, onNotice: () => {} },
  });
  if (!signal.aborted) await once(signal, "abort");
  await server.close();
};
