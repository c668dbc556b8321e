/** The drivers of the QUIC suite, and the names that its cases use. */
export { ClientDriver } from "./client.ts";
export { CLIENT_FEATURES } from "./client-probe.ts";
export { monitorNames } from "./monitors.ts";
export { FEATURES } from "./probe.ts";
export { ServerDriver } from "./server.ts";
