/** HTTP/1.1 (rfc9112): the connection, and the types that cross its boundary. */
export type { Actions, Event, ExchangeId, Machine, RequestLine, Version } from "./contract.ts";
export { FAULTS, fault, type Fault, type FaultName } from "./faults.ts";
