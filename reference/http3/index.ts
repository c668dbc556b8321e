/** HTTP/3, without I/O (rfc9114, rfc9204, rfc9218, rfc9220, rfc9297). */
export { Connection, type Options } from "./connection.ts";
export type { Actions, Ended, Event, Machine } from "./contract.ts";
export { ErrorCode, errorCode } from "./error-code.ts";
export { FAULTS, type Fault, type FaultName } from "./faults.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { INITIAL_SETTINGS, OUR_SETTINGS, type Settings } from "./settings.ts";
export type { StreamId } from "./stream/id.ts";
export type { Transport, TransportEvent } from "./transport.ts";
