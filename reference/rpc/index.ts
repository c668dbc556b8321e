/** The wire level of RPC over HTTP/2: messages in their envelopes, statuses, timeouts and metadata. It performs no I/O. */
export { CallFailed } from "./call-failed.ts";
export { type CallStatus, readCallStatus } from "./call-status.ts";
export type { CallOptions, Metadata, MetadataInit, ServerCall } from "./call.ts";
export { writeEnvelope } from "./envelope.ts";
export { chooseEncoding, type Compressor, type Compressors } from "./compression.ts";
export { type Dialect, type DialectName, DIALECTS, messageFormat } from "./dialect.ts";
export { FAULTS } from "./faults.ts";
export { Inbound } from "./inbound.ts";
export { DEFAULT_MESSAGE_OCTETS, MessageReader } from "./messages.ts";
export { entriesOf } from "./metadata-view.ts";
export { type MetadataEntry, readMetadata, writeMetadata } from "./metadata.ts";
export { percentDecode, percentEncode } from "./percent.ts";
export { parsePushBack } from "./push-back.ts";
export type { AnyMethod, Codec, Implementation, Method, Service, ServiceClient } from "./service.ts";
export { type CallHead, openCall, ResponseHeads } from "./server-call.ts";
export { Status, statusName, type StatusCode, type StatusName, statusOfReset } from "./status.ts";
export { parseTimeout, writeTimeout } from "./timeout.ts";
