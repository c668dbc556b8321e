/** The wire level of RPC over HTTP/2: messages in their envelopes, statuses, timeouts and metadata. It performs no I/O. */
export { Backoff, CONNECTION_BACKOFF } from "./backoff.ts";
export { CallFailed } from "./call-failed.ts";
export { type CallStatus, readCallStatus, writeCallStatus } from "./call-status.ts";
export type { CallOptions, Metadata, MetadataInit, ServerCall } from "./call.ts";
export { EnvelopeReader, writeEnvelope } from "./envelope.ts";
export { chooseEncoding, type Compressor, type Compressors } from "./compression.ts";
export {
  type AnyDialectName,
  type Dialect,
  type DialectName,
  DIALECTS,
  messageFormat,
  WEB_DIALECTS,
  type WebDialectName,
} from "./dialect.ts";
export { FAULTS } from "./faults.ts";
export { type ClientSetup, type Ended, readHead, readTrailers, RequestHeads } from "./client-call.ts";
export { Inbound } from "./inbound.ts";
export { DEFAULT_MESSAGE_OCTETS, MessageReader } from "./messages.ts";
export { entriesOf } from "./metadata-view.ts";
export { type MetadataEntry, readMetadata, writeMetadata } from "./metadata.ts";
export { percentDecode, percentEncode } from "./percent.ts";
export { Hedging } from "./hedging.ts";
export { Retries, RetryTokens } from "./retry.ts";
export { ConnectionGroup } from "./balance/connection-group.ts";
export { LOAD_TRAILER } from "./balance/load-report.ts";
export { PickFirst } from "./balance/pick-first.ts";
export type { Address, ConnectivityState, Policy } from "./balance/policy.ts";
export { LOOK_UPS_APART_MS, Resolution } from "./balance/resolution.ts";
export { RoundRobin } from "./balance/round-robin.ts";
export type { Leaf, LoadBalancing } from "./balance/config.ts";
export { OutlierDetection } from "./balance/outlier-detection.ts";
export { chooseServiceConfig } from "./published-config.ts";
export { readServiceConfig, type ServiceConfig } from "./service-config.ts";
export { parsePushBack } from "./push-back.ts";
export { type AnyMethod, type Codec, type Implementation, jsonCodec, type Method, type Service, type ServiceClient } from "./service.ts";
export { type CallHead, openCall, ResponseHeads, type ServerSetup } from "./server-call.ts";
export { Status, statusName, type StatusCode, type StatusName, statusOfReset } from "./status.ts";
export { parseTimeout, writeTimeout } from "./timeout.ts";
export { type MessageFormat, webCaller, type WebAnswered, type WebCallerSetup } from "./web/caller.ts";
export { openConnect } from "./web/connect-request.ts";
export { openGrpcWeb } from "./web/grpc-web.ts";
export type { FindMethod, WebAnswer, WebCall, WebOpening } from "./web/web-call.ts";
