/** QUIC, without I/O (rfc9000, rfc9001, rfc9369): endpoints and their connections. */
export type { Aead, AeadName, Primitives as QuicPrimitives } from "./primitives.ts";
export { Connection as QuicConnection } from "./connection/connection.ts";
export type { Datagram as QuicDatagram, Event as QuicEvent } from "./contract.ts";
export type { Observation as QuicObservation, Observing as QuicObserving } from "./connection/observation.ts";
export type { CongestionName } from "./recovery/recovery.ts";
export { Endpoint as QuicEndpoint, type EndpointEvent } from "./endpoint.ts";
export { readParameters as readQuicParameters } from "./params.ts";
export { LIMITS as QUIC_LIMITS, type Limits as QuicLimits } from "./limits.ts";
/** Pure functions that the vectors prove, for ends that build packets of their own. */
export { initialKeys, Keys as PacketKeys } from "./packet/keys.ts";
export { retryTag } from "./packet/retry.ts";
export { V1, V2, type Version } from "./version.ts";
