/** How WebSocket cases are performed on a server, and what the harness must know of the vocabulary. */
export { monitorNames } from "./monitors.ts";
export { FEATURES } from "./probe.ts";
export { ServerDriver, type ServerOptions } from "./server.ts";
