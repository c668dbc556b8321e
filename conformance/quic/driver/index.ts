/** The driver of the QUIC suite, and the names that its cases use. */
export { monitorNames } from "./monitors.ts";
export { FEATURES } from "./probe.ts";
export { ServerDriver } from "./server.ts";
