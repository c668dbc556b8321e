import { writeFileSync } from "node:fs";
import type { MetricsProcess } from "./process.ts";
import { startTouchstone } from "./touchstone.ts";

/** Starts a server with a data directory and the rest of its configuration. */
export type Begin = (directory: string, config: string) => Promise<MetricsProcess>;

/** Our server with a configuration file, receiving by remote write too. */
export const configured: Begin = (directory, config) => {
  const file = `${directory}.yml`;
  writeFileSync(file, config);
  return startTouchstone(directory, ["--config.file", file, "--web.enable-remote-write-receiver"]);
};
