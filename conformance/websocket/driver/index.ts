/** The drivers of the WebSocket suite, and the names that its cases use. */
export { ClientDriver } from "./client.ts";
export { clientMonitorNames } from "./client-monitors.ts";
export { CLIENT_FEATURES } from "./client-probe.ts";
export { monitorNames } from "./monitors.ts";
export { FEATURES } from "./probe.ts";
export { ServerDriver } from "./server.ts";
