/** The handshake of TLS 1.3 for QUIC (rfc8446, rfc9001): both sides, and the types that cross their boundary. */
export { ALERTS, type AlertName } from "./alerts.ts";
export { Client } from "./client/client.ts";
export type { ClientOptions } from "./client/options.ts";
export type { Event, Flight, Level, Machine } from "./contract.ts";
export { FAULTS, fault, type Fault, type FaultName } from "./faults.ts";
export { DEFAULT_LIMITS, type Limits } from "./limits.ts";
export { GROUPS, SCHEMES, SUITES, type GroupName, type HashName, type SchemeName, type SuiteName } from "./names.ts";
export type { ChainProblem, Credential, KeyShare, Primitives, PublicKey, RunningHash, Trust } from "./primitives.ts";
export { EarlyGuard, type EarlyOptions } from "./resume/early-guard.ts";
export type { Session } from "./resume/session.ts";
export { Tickets, type TicketOptions } from "./resume/tickets.ts";
export { Server } from "./server/server.ts";
export type { ServerOptions } from "./server/options.ts";
