/** The drivers of the HTTP/2 suite, and the names that its cases use. */
export { ClientDriver } from "./client.ts";
export { monitorNames } from "./monitors.ts";
export { FEATURES } from "./probe.ts";
export { CLIENT_FEATURES } from "./probe-client.ts";
export { ServerDriver } from "./server.ts";
