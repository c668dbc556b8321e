/** How HTTP/2 cases are performed on a server and on a client, and what the harness must know of the vocabulary. */
export { ClientDriver } from "./client.ts";
export { monitorNames } from "./monitors.ts";
export { FEATURES } from "./probe.ts";
export { CLIENT_FEATURES } from "./probe-client.ts";
export { ServerDriver } from "./server.ts";
