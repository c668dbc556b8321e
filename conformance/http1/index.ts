import { join } from "node:path";
import { loadFolder } from "../harness/load.ts";
import type { Case } from "./vocabulary.ts";

/** The HTTP/1.1 suite: its cases for servers, clients and proxies, and the drivers that perform them. */
export { FEATURES, monitorNames, ServerDriver } from "./driver/index.ts";
export { PROXY_FEATURES, ProxyDriver, proxyMonitorNames, type ProxyOptions } from "./driver/index.ts";
export { CLIENT_FEATURES, ClientDriver, clientMonitorNames } from "./driver/index.ts";
export type { Case } from "./vocabulary.ts";

const HERE = import.meta.dirname;

/** All cases by section: those for servers, then clients, then proxies. */
export async function loadCases(): Promise<Case[]> {
  const folders = [HERE, join(HERE, "client"), join(HERE, "proxy")];
  return (await Promise.all(folders.map((folder) => loadFolder<Case>(folder)))).flat();
}
