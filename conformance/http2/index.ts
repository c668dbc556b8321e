import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadFolder } from "../harness/load.ts";
import type { Case } from "./vocabulary.ts";

/** The HTTP/2 suite: its cases for servers and clients, and the drivers that perform them. */
export { CLIENT_FEATURES, ClientDriver, FEATURES, monitorNames, ServerDriver } from "./driver/index.ts";
export type { Case } from "./vocabulary.ts";

const HERE = import.meta.dirname;

/** All cases by section, first those for servers. */
export async function loadCases(): Promise<Case[]> {
  const client = join(HERE, "client");
  return [...(await loadFolder<Case>(HERE)), ...(existsSync(client) ? await loadFolder<Case>(client) : [])];
}
