/** The drivers of the HTTP/3 suite, and the names that its cases use. */
export { CLIENT_FEATURES, ClientDriver } from "./client.ts";
export { monitorNames } from "./monitors.ts";
export { FEATURES } from "./probe.ts";
export { ServerDriver } from "./server.ts";
