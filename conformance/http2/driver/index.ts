/** How HTTP/2 cases are performed on a server and on a client, and what the harness must know of the vocabulary. */
export { FEATURES } from "./probe.ts";
export { monitorNames } from "./monitors.ts";
export { ServerDriver, type ServerOptions } from "./server.ts";
