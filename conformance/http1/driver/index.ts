/** The drivers of the HTTP/1.1 suite, and the names that its cases use. */
export { ClientDriver } from "./client.ts";
export { clientMonitorNames } from "./client-monitors.ts";
export { CLIENT_FEATURES } from "./client-probe.ts";
export { monitorNames } from "./monitors.ts";
export { FEATURES } from "./probe.ts";
export { PROXY_FEATURES } from "./proxy-probe.ts";
export { proxyMonitorNames } from "./proxy-monitors.ts";
export { ProxyDriver } from "./proxy.ts";
export { ServerDriver } from "./server.ts";
