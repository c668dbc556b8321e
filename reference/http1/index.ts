/** HTTP/1.1 (rfc9112): the connection, and the types that cross its boundary. */
export { Connection, type Options } from "./connection.ts";
export type { Actions, Event, ExchangeId, Machine, RequestLine, Side, Version } from "./contract.ts";
export { FAULTS, fault, type Fault, type FaultName } from "./faults.ts";
export { HeadMemory } from "./head-memory.ts";
export { STRICT, type Leniency } from "./leniency.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
