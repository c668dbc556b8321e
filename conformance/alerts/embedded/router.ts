import { once } from "node:events";
import { serveRouter } from "../../../reference/serve/metrics/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";

/** Our own alert router with a configuration, until it is ended. */
export const router: InProcessClient = async (_url, signal, { program }) => {
  if (program === undefined) throw new Error("a router needs a configuration");
  const server = await serveRouter({
    file: program.config,
    directory: program.directory,
    port: program.port,
    graceMs: 100,
    onNotice: () => {},
  });
  if (!signal.aborted) await once(signal, "abort");
  await server.close();
};
