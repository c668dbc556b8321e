import { once } from "node:events";
import { serveMetrics } from "../../../reference/serve/metrics/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** Our own metrics server with a configuration, and with its life cycle API if the flags say so, until it is ended. */
export const client: InProcessClient = async (_url, signal, { program }) => {
  if (program === undefined) throw new Error("a server needs a configuration");
  const quit = new AbortController();
  const server = await serveMetrics({
    directory: program.directory,
    port: program.port,
    graceMs: 100,
    storage: { walSync: "never" },
    flags: { "config.file": program.config },
    scrape: {
      file: program.config,
      lifecycle: program.flags?.includes("--web.enable-lifecycle") === true,
      onNotice: () => {},
      onQuit: () => quit.abort(),
    },
  });
  const ended = AbortSignal.any([signal, quit.signal]);
  if (!ended.aborted) await once(ended, "abort");
  await server.close();
};
