/** The wire level of RPC over HTTP/2: messages in their envelopes, statuses, timeouts and metadata. It performs no I/O. */
export { readCallStatus } from "./call-status.ts";
export type { CallOptions, Metadata, MetadataInit, ServerCall } from "./call.ts";
export { chooseEncoding, type Compressor, type Compressors } from "./compression.ts";
export { type Dialect, type DialectName, DIALECTS, messageFormat } from "./dialect.ts";
export { FAULTS } from "./faults.ts";
export { MessageReader } from "./messages.ts";
export { type MetadataEntry, readMetadata, writeMetadata } from "./metadata.ts";
export { percentDecode, percentEncode } from "./percent.ts";
export { parsePushBack } from "./push-back.ts";
export type { AnyMethod, Codec, Handler, Implementation, Method, Service, ServiceClient, Stub } from "./service.ts";
export { statusOfReset } from "./status.ts";
export { parseTimeout, writeTimeout } from "./timeout.ts";
