/** How HTTP/1.1 cases are performed on a server, and what the harness must know of the vocabulary. */
export { ClientDriver } from "./client.ts";
export { clientMonitorNames } from "./client-monitors.ts";
export { CLIENT_FEATURES } from "./client-probe.ts";
export { monitorNames } from "./monitors.ts";
export { FEATURES } from "./probe.ts";
export { PROXY_FEATURES } from "./proxy-probe.ts";
export { proxyMonitorNames } from "./proxy-monitors.ts";
export { ProxyDriver, type ProxyOptions } from "./proxy.ts";
export { ServerDriver } from "./server.ts";
