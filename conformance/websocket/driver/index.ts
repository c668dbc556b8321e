/** How WebSocket cases are performed on a server and on a client, and what the harness must know of the vocabulary. */
export { ClientDriver } from "./client.ts";
export { clientMonitorNames } from "./client-monitors.ts";
export { CLIENT_FEATURES } from "./client-probe.ts";
export { monitorNames } from "./monitors.ts";
export { FEATURES } from "./probe.ts";
export { ServerDriver } from "./server.ts";
